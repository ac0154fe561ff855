// The rail at the left: the mark, the navigation with its counts, the state of the server, the preferences. Words stand
// below the icons, or beside them where the window is wide or the user wants it so.
import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { Link, useLocation } from "wouter";
import { classes } from "../kit/classes.ts";
import { useWide } from "../kit/media.ts";
import { Tooltip } from "../kit/Tooltip.tsx";
import { formatCompact, formatCount } from "../lib/format.ts";
import { createPreference, usePreference } from "../lib/preferences.ts";
import { text } from "../texts/texts.ts";
import { Mark } from "./Mark.tsx";
import { isCurrent, type NavigationItem, navigation } from "./navigation.ts";
import { useNavigationCounts } from "./navigation-counts.ts";
import { PreferencesMenu } from "./PreferencesMenu.tsx";
import styles from "./Sidebar.module.css";
import { StatusDot } from "./StatusDot.tsx";

/** Null follows the width of the window. */
const openPreference = createPreference<boolean | null>("rail.open", null);

export function Sidebar() {
  const [path] = useLocation();
  const [chosen, setChosen] = usePreference(openPreference);
  const wide = useWide();
  const open = chosen ?? wide;
  const counts = useNavigationCounts();
  const entry = (item: NavigationItem) => {
    const { label, to, icon: Icon } = item;
    const count = item.count && counts?.[item.count];
    return (
      <Link
        key={to}
        href={to}
        className={classes(styles.item, styles.place)}
        {...(isCurrent(path, item) ? { "aria-current": "page" as const } : {})}
      >
        <Icon />
        <span className={styles.word}>{text(label)}</span>
        {count !== undefined && (
          <span className={styles.count} title={formatCount(count)}>
            {" "}
            {formatCompact(count)}
          </span>
        )}
      </Link>
    );
  };
  const toggle = text(open ? "shell.rail.close" : "shell.rail.open");
  const expander = (
    <button
      type="button"
      aria-label={toggle}
      aria-expanded={open}
      className={styles.item}
      onClick={() => setChosen(!open)}
    >
      {open ? <PanelLeftClose /> : <PanelLeftOpen />}
      {open && <span className={styles.word}>{text("shell.rail.close.word")}</span>}
    </button>
  );
  return (
    <nav className={classes(styles.sidebar, open && styles.open)} aria-label={text("shell.navigation")}>
      <Link href="/projects" className={styles.mark} aria-label={text("shell.product")}>
        <Mark />
        {open && <span className={styles.product}>{text("shell.product")}</span>}
      </Link>
      {navigation.filter(({ below }) => below !== true).map(entry)}
      <span className={styles.space} />
      {navigation.filter(({ below }) => below === true).map(entry)}
      <StatusDot withWords={open} />
      {open ? (
        expander
      ) : (
        <Tooltip text={toggle} side="right">
          {expander}
        </Tooltip>
      )}
      <PreferencesMenu side="right" withName={open} />
    </nav>
  );
}
