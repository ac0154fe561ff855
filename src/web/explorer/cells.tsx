// Cells that the lists of a project have in common.
import type { ReactNode } from "react";
import { readablePreview } from "../domain/trace/payload/preview.ts";
import { classes } from "../kit/classes.ts";
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

interface PreviewProps {
  readonly value: { readonly truncatedValue: string } | null | undefined;
  readonly side: "input" | "output";
}

export function Preview({ value, side }: PreviewProps) {
  return <span className={styles.preview}>{readablePreview(value?.truncatedValue ?? "", side)}</span>;
}

interface FailureProps {
  readonly words: string | null;
  /** Few words, which do not give way to those before them. */
  readonly whole?: boolean;
}

export function Failure({ words, whole = false }: FailureProps) {
  return words === null ? null : <span className={classes(styles.failure, whole && styles.whole)}>{words}</span>;
}
