// A message of a version: whose it is, above what it says.
import type { ReactNode } from "react";
import styles from "./MessageCard.module.css";

interface MessageCardProps {
  readonly role: string;
  /** At the end of its head. */
  readonly beside?: string;
  readonly children: ReactNode;
}

export function MessageCard({ role, beside, children }: MessageCardProps) {
  return (
    <article className={styles.message}>
      <h3 className={styles.role}>
        {role}
        {beside !== undefined && <span>{beside}</span>}
      </h3>
      {children}
    </article>
  );
}

/** A text as it was written. */
export function MessageText({ children }: { readonly children: ReactNode }) {
  return <p className={styles.text}>{children}</p>;
}
