// The rail at the left: the mark, the navigation, the state of the server, the preferences. Icons alone, or opened with words.
import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import type { ReactElement } from "react";
import { Link, useLocation } from "wouter";
import { classes } from "../kit/classes.ts";
import { Tooltip } from "../kit/Tooltip.tsx";
import { createPreference, usePreference } from "../lib/preferences.ts";
import { text } from "../texts/texts.ts";
import { Mark } from "./Mark.tsx";
import { isCurrent, type NavigationItem, navigation } from "./navigation.ts";
import { PreferencesMenu } from "./PreferencesMenu.tsx";
import styles from "./Sidebar.module.css";
import { StatusDot } from "./StatusDot.tsx";

const openPreference = createPreference("rail.open", false);

export function Sidebar() {
  const [path] = useLocation();
  const [open, setOpen] = usePreference(openPreference);
  /** Words beside the icon make the tooltip needless. */
  const named = (label: string, element: ReactElement) =>
    open ? (
      element
    ) : (
      <Tooltip key={element.key} text={label} side="right">
        {element}
      </Tooltip>
    );
  const entry = (item: NavigationItem) => {
    const { label, to, icon: Icon } = item;
    return named(
      text(label),
      <Link
        key={to}
        href={to}
        aria-label={text(label)}
        className={styles.item}
        {...(isCurrent(path, item) ? { "aria-current": "page" as const } : {})}
      >
        <Icon />
        {open && <span className={styles.word}>{text(label)}</span>}
      </Link>,
    );
  };
  const toggle = text(open ? "shell.rail.close" : "shell.rail.open");
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
      {named(
        toggle,
        <button
          type="button"
          aria-label={toggle}
          aria-expanded={open}
          className={styles.item}
          onClick={() => setOpen(!open)}
        >
          {open ? <PanelLeftClose /> : <PanelLeftOpen />}
          {open && <span className={styles.word}>{toggle}</span>}
        </button>,
      )}
      <PreferencesMenu side="right" withName={open} />
    </nav>
  );
}
