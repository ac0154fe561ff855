// What a person sets for this browser: theme, time zone; and the ways to help and to the API pages.
import { BookOpen, CircleHelp, Globe, Menu as MenuIcon, Settings2, Waypoints } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../kit/Button.tsx";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLink, MenuSeparator } from "../kit/Menu.tsx";
import { usePreference } from "../lib/preferences.ts";
import { start } from "../lib/start.ts";
import { chooseTheme, chosenTheme, type Theme, themes } from "../lib/theme.ts";
import { timeZonePreference } from "../lib/time-zone.ts";
import { text } from "../texts/texts.ts";
import { openShellDialog } from "./dialogs.ts";
import { places } from "./places.ts";

const themeTexts = {
  system: "shell.theme.system",
  light: "shell.theme.light",
  dark: "shell.theme.dark",
} as const satisfies Record<Theme, string>;

/** With `places`, it is the menu of a phone. */
export function PreferencesMenu({ side, withPlaces = false }: { side: "right" | "bottom"; withPlaces?: boolean }) {
  const [theme, setTheme] = useState(chosenTheme);
  const [zone, setZone] = usePreference(timeZonePreference);
  const local = Intl.DateTimeFormat().resolvedOptions().timeZone;
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
        <IconButton
          label={text(withPlaces ? "shell.menu" : "shell.preferences")}
          icon={withPlaces ? <MenuIcon /> : <Settings2 />}
        />
      }
    >
      {withPlaces && (
        <>
          {places.map(({ to, label, icon: Icon }) => (
            <MenuLink key={to} to={to} icon={<Icon />}>
              {text(label)}
            </MenuLink>
          ))}
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
