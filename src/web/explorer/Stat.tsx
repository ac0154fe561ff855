// A figure in the head of a panel: it speaks for itself, its label comes on hover and is read aloud.
import type { ReactNode } from "react";
import { Tooltip } from "../kit/Tooltip.tsx";
import styles from "./Stat.module.css";

interface StatProps {
  readonly label: string;
  /** The exact value, behind the label. */
  readonly exact?: string;
  /** What it shows opens something of its own: no label lies over it. */
  readonly opens?: boolean;
  readonly children: ReactNode;
}

export function Stat({ label, exact, opens = false, children }: StatProps) {
  const shown = (
    <span className={styles.stat}>
      <span className="visually-hidden">{label} </span>
      <b>{children}</b>
    </span>
  );
  return opens ? shown : <Tooltip text={exact === undefined ? label : `${label}: ${exact}`}>{shown}</Tooltip>;
}
