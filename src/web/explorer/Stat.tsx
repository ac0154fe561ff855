// A figure in the head of a panel: its label above it.
import type { ReactNode } from "react";
import styles from "./Stat.module.css";

export function Stat({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles.stat}>
      <small>{label}</small>
      <b>{children}</b>
    </div>
  );
}
