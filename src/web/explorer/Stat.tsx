// A figure in the head of a panel: it speaks for itself, its label comes on hover and is read aloud.
import type { ReactNode } from "react";
import { Tooltip } from "../kit/Tooltip.tsx";
import styles from "./Stat.module.css";

interface StatProps {
  readonly label: string;
  /** The exact value, behind the label. */
  readonly exact?: string;
  readonly children: ReactNode;
}

export function Stat({ label, exact, children }: StatProps) {
  return (
    <Tooltip text={exact === undefined ? label : `${label}: ${exact}`}>
      <span className={styles.stat}>
        <span className="visually-hidden">{label} </span>
        <b>{children}</b>
      </span>
    </Tooltip>
  );
}
