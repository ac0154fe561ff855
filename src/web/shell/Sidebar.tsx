// The sidebar at the left: the mark, the navigation, the preferences.
import { Link, useLocation } from "wouter";
import { Tooltip } from "../kit/Tooltip.tsx";
import { text } from "../texts/texts.ts";
import { Mark } from "./Mark.tsx";
import { isCurrent, type NavigationItem, navigation } from "./navigation.ts";
import { PreferencesMenu } from "./PreferencesMenu.tsx";
import styles from "./Sidebar.module.css";

export function Sidebar() {
  const [path] = useLocation();
  const entry = (item: NavigationItem) => {
    const { label, to, icon: Icon } = item;
    return (
      <Tooltip key={to} text={text(label)} side="right">
        <Link
          href={to}
          aria-label={text(label)}
          className={styles.item}
          {...(isCurrent(path, item) ? { "aria-current": "page" as const } : {})}
        >
          <Icon />
        </Link>
      </Tooltip>
    );
  };
  return (
    <nav className={styles.sidebar} aria-label={text("shell.navigation")}>
      <Link href="/projects" className={styles.mark} aria-label={text("shell.product")}>
        <Mark />
      </Link>
      {navigation.filter(({ below }) => below !== true).map(entry)}
      <span className={styles.space} />
      {navigation.filter(({ below }) => below === true).map(entry)}
      <PreferencesMenu side="right" />
    </nav>
  );
}
