// Buttons and links that look like them. `main` is for the one main action of a page, `danger` for what destroys.
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from "react";
import { Link } from "wouter";
import styles from "./Button.module.css";
import { classes } from "./classes.ts";
import { Tooltip } from "./Tooltip.tsx";

type Look = "plain" | "main" | "danger" | "quiet";

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className" | "style"> {
  readonly look?: Look;
  /** Before the text. */
  readonly icon?: ReactNode;
  /** A key that does the same, shown behind the text. */
  readonly shortcut?: string;
  readonly pressed?: boolean;
}

export function Button({ look = "plain", icon, shortcut, pressed, children, type = "button", ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={classes(styles.button, styles[look])}
      {...(pressed === undefined ? {} : { "aria-pressed": pressed })}
    >
      {icon}
      {children !== undefined && <span className={styles.label}>{children}</span>}
      {shortcut !== undefined && <kbd className={styles.shortcut}>{shortcut}</kbd>}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className" | "style" | "children"> {
  /** Read aloud, and shown in the tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly small?: boolean;
  readonly pressed?: boolean;
}

export function IconButton({ label, icon, small = false, pressed, type = "button", ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        {...rest}
        type={type}
        aria-label={label}
        className={classes(styles.icon, small && styles.small)}
        {...(pressed === undefined ? {} : { "aria-pressed": pressed })}
      >
        {icon}
      </button>
    </Tooltip>
  );
}

interface LinkButtonProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "className" | "style" | "href"> {
  /** An address of ours, below the root path. */
  readonly to: string;
  readonly look?: Look;
  readonly icon?: ReactNode;
}

export function LinkButton({ to, look = "plain", icon, children, ...rest }: LinkButtonProps) {
  return (
    <Link {...rest} href={to} className={classes(styles.button, styles[look])}>
      {icon}
      {children !== undefined && <span className={styles.label}>{children}</span>}
    </Link>
  );
}

/** A link that leaves the pages for an address of the server, relative to the root path. */
export function ServerLinkButton({ to, look = "plain", icon, children, ...rest }: LinkButtonProps) {
  return (
    <a {...rest} href={to} className={classes(styles.button, styles[look])}>
      {icon}
      {children !== undefined && <span className={styles.label}>{children}</span>}
    </a>
  );
}
