// Who is signed in, and what a person sets for this browser: theme, time zone; and the ways to help and to the API pages.
import {
  BookOpen,
  CircleHelp,
  CircleUser,
  ExternalLink,
  Globe,
  LogOut,
  Menu as MenuIcon,
  SlidersHorizontal,
  Waypoints,
} from "lucide-react";
import { useState } from "react";
import { roleText } from "../domain/account/roles.ts";
import { IconButton } from "../kit/Button.tsx";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLink, MenuSeparator } from "../kit/Menu.tsx";
import { formatCount } from "../lib/format.ts";
import { linkTo } from "../lib/links.ts";
import { usePreference } from "../lib/preferences.ts";
import { signOut } from "../lib/signed-out.ts";
import { start } from "../lib/start.ts";
import { chooseTheme, chosenTheme, type Theme, themes } from "../lib/theme.ts";
import { timeZonePreference } from "../lib/time-zone.ts";
import { useViewer } from "../lib/viewer.ts";
import { text } from "../texts/texts.ts";
import { openShellDialog } from "./dialogs.ts";
import { navigation } from "./navigation.ts";
import { useNavigationCounts } from "./navigation-counts.ts";
import styles from "./PreferencesMenu.module.css";

const themeTexts = {
  system: "shell.theme.system",
  light: "shell.theme.light",
  dark: "shell.theme.dark",
} as const satisfies Record<Theme, string>;

interface PreferencesMenuProps {
  readonly side: "right" | "bottom";
  /** With the navigation, it is the menu of a phone. */
  readonly withPlaces?: boolean;
  /** Words beside the icon, as in the rail while it is open. */
  readonly withName?: boolean;
}

export function PreferencesMenu({ side, withPlaces = false, withName = false }: PreferencesMenuProps) {
  const [theme, setTheme] = useState(chosenTheme);
  const [zone, setZone] = usePreference(timeZonePreference);
  const viewer = useViewer() ?? null;
  const local = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const label = labelOf(withPlaces, viewer?.username ?? null);
  const icon = withPlaces ? <MenuIcon /> : viewer === null ? <SlidersHorizontal /> : <Initial of={viewer.username} />;
  const zones = [
    { value: "local", label: text("shell.zone.local", { name: local }) },
    { value: "utc", label: text("shell.zone.utc") },
    ...(zone === "local" || zone === "utc" ? [] : [{ value: zone, label: zone.replaceAll("_", " ") }]),
  ];
  return (
    <Menu
      side={side}
      align={side === "right" ? "end" : "start"}
      trigger={
        withName ? (
          <button type="button" aria-label={label} className={styles.named}>
            {icon}
            <span className={styles.name}>{viewer?.username ?? label}</span>
          </button>
        ) : (
          <IconButton label={label} icon={icon} />
        )
      }
    >
      {viewer !== null && <Who name={viewer.username} email={viewer.email} role={viewer.role.name} />}
      {withPlaces && (
        <>
          <Places />
          <MenuSeparator />
        </>
      )}
      {viewer !== null && (
        <>
          <MenuLink to={linkTo("profile")} icon={<CircleUser />}>
            {text("shell.profile")}
          </MenuLink>
          {start.managementUrl !== null && viewer.isManagementUser && (
            <MenuLink file to={start.managementUrl} icon={<ExternalLink />}>
              {text("shell.management")}
            </MenuLink>
          )}
          <MenuItem icon={<LogOut />} onSelect={signOut}>
            {text("shell.signout")}
          </MenuItem>
          <MenuSeparator />
        </>
      )}
      <MenuChoice
        label={text("shell.theme")}
        value={theme}
        choices={themes.map((value) => ({ value, label: text(themeTexts[value]) }))}
        onChange={(chosen) => {
          setTheme(chosen);
          chooseTheme(chosen);
        }}
      />
      <MenuSeparator />
      <MenuChoice label={text("shell.zone")} value={zone} choices={zones} onChange={setZone} />
      <MenuItem icon={<Globe />} onSelect={() => openShellDialog("zone")}>
        {text("shell.zone.other")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<CircleHelp />} onSelect={() => openShellDialog("help")}>
        {text("shell.help")}
      </MenuItem>
      <MenuLink file to="docs" icon={<BookOpen />}>
        {text("shell.api.rest")}
      </MenuLink>
      <MenuLink file to="graphql" icon={<Waypoints />}>
        {text("shell.api.graphql")}
      </MenuLink>
      <MenuSeparator />
      <MenuLabel>{text("shell.version", { version: start.version })}</MenuLabel>
    </Menu>
  );
}

/** Mounted, and counted, only while the menu is open. */
function Places() {
  const counts = useNavigationCounts();
  return navigation.map(({ to, label, icon: Icon, count }) => (
    <MenuLink key={to} to={to} icon={<Icon />}>
      {text(label)}
      {count && counts && <span className={styles.count}>{formatCount(counts[count])}</span>}
    </MenuLink>
  ));
}

function labelOf(withPlaces: boolean, name: string | null): string {
  if (withPlaces) return text("shell.menu");
  return name === null ? text("shell.preferences") : text("shell.account", { name });
}

/** The first letter of a name, as it is written. */
function Initial({ of: name }: { readonly of: string }) {
  return (
    <span className={styles.initial} aria-hidden="true">
      {[...name][0]?.toUpperCase()}
    </span>
  );
}

interface WhoProps {
  readonly name: string;
  readonly email: string | null;
  readonly role: string;
}

function Who({ name, email, role }: WhoProps) {
  return (
    <>
      <div className={styles.who}>
        <span className={styles.name}>{name}</span>
        <span className={styles.more}>{email === null ? roleText(role) : `${email} · ${roleText(role)}`}</span>
      </div>
      <MenuSeparator />
    </>
  );
}
