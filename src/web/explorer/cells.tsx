// Cells that the lists of a project have in common.
import type { ReactNode } from "react";
import styles from "./cells.module.css";

interface TitleProps {
  readonly mark?: ReactNode;
  readonly words: string;
  /** Behind the words, such as a failure. */
  readonly children?: ReactNode;
}

export function Title({ mark, words, children }: TitleProps) {
  return (
    <span className={styles.name}>
      {mark}
      <span className={styles.words}>{words}</span>
      {children}
    </span>
  );
}

export function Preview({ value }: { readonly value: { readonly truncatedValue: string } | null | undefined }) {
  return <span className={styles.preview}>{value?.truncatedValue ?? ""}</span>;
}

export function Failure({ words }: { readonly words: string | null }) {
  return words === null ? null : <span className={styles.failure}>{words}</span>;
}
