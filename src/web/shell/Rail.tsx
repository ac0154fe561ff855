// The rail at the left: the mark, the places, the preferences.
import { Link, useLocation } from "wouter";
import { Tooltip } from "../kit/Tooltip.tsx";
import { text } from "../texts/texts.ts";
import { Mark } from "./Mark.tsx";
import { PreferencesMenu } from "./PreferencesMenu.tsx";
import { isAt, type Place, places } from "./places.ts";
import styles from "./Rail.module.css";

export function Rail() {
  const [path] = useLocation();
  const entry = (place: Place) => {
    const { label, to, icon: Icon } = place;
    return (
      <Tooltip key={to} text={text(label)} side="right">
        <Link
          href={to}
          aria-label={text(label)}
          className={styles.place}
          {...(isAt(path, place) ? { "aria-current": "page" as const } : {})}
        >
          <Icon />
        </Link>
      </Tooltip>
    );
  };
  return (
    <nav className={styles.rail} aria-label={text("shell.places")}>
      <Link href="/projects" className={styles.mark} aria-label={text("shell.product")}>
        <Mark />
      </Link>
      {places.filter(({ below }) => below !== true).map(entry)}
      <span className={styles.space} />
      {places.filter(({ below }) => below === true).map(entry)}
      <PreferencesMenu side="right" />
    </nav>
  );
}
