// One page: its bar with the trail and the actions, its title for the browser, and its content. Every page is wrapped in it.
import { ChevronLeft, Search } from "lucide-react";
import { Fragment, type ReactNode, useEffect } from "react";
import { Link } from "wouter";
import { Button } from "../kit/Button.tsx";
import { shownKey } from "../kit/keys.ts";
import { text } from "../texts/texts.ts";
import { openShellDialog } from "./dialogs.ts";
import styles from "./Page.module.css";
import { PreferencesMenu } from "./PreferencesMenu.tsx";
import { StatusDot } from "./StatusDot.tsx";

interface TrailPart {
  readonly label: string;
  readonly to: string;
  /** Leads to others of its kind. */
  readonly switcher?: ReactNode;
}

interface PageProps {
  /** The last part of the trail, the heading for screen readers, and the title of the window. */
  readonly title: string;
  /** From the place down to the page above. */
  readonly trail?: readonly TrailPart[];
  /** At the end of the bar; at most three controls. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, trail = [], actions, children }: PageProps) {
  useEffect(() => {
    document.title = [title, ...trail.map(({ label }) => label).reverse(), text("shell.product")].join(" · ");
  }, [title, trail]);
  const parent = trail.at(-1);
  return (
    <>
      <header className={styles.bar}>
        <span className={styles.menu}>
          <PreferencesMenu side="bottom" withPlaces />
          <StatusDot side="bottom" />
        </span>
        {parent !== undefined && (
          <Link href={parent.to} aria-label={parent.label} className={styles.back}>
            <ChevronLeft />
          </Link>
        )}
        <nav aria-label={text("shell.trail")} className={styles.trail}>
          {trail.map(({ label, to, switcher }) => (
            <Fragment key={to}>
              <Link href={to} className={styles.part}>
                {label}
              </Link>
              {switcher !== undefined && <span className={styles.switcher}>{switcher}</span>}
              <span aria-hidden="true" className={styles.part}>
                /
              </span>
            </Fragment>
          ))}
          <h1 className={styles.title}>{title}</h1>
        </nav>
        <span className={styles.space} />
        <span className={styles.search}>
          <Button icon={<Search />} shortcut={shownKey("mod+k")} onClick={() => openShellDialog("palette")}>
            {text("shell.search")}
          </Button>
        </span>
        {actions}
      </header>
      <main id="content" tabIndex={-1} className={styles.content}>
        {children}
      </main>
    </>
  );
}
