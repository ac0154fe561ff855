// Cells that the lists of a project have in common.
import type { ReactNode } from "react";
import { plainLine, readablePreview } from "../domain/trace/payload/preview.ts";
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
      <span className={styles.words} dir="auto">
        {words}
      </span>
      {children}
    </span>
  );
}

interface PreviewProps {
  /** As the server shortened it. */
  readonly value: string | null | undefined;
  readonly side: "input" | "output";
}

export function Preview({ value, side }: PreviewProps) {
  return (
    <span className={styles.preview} dir="auto">
      {shortText(value, side)}
    </span>
  );
}

export function shortText(text: string | null | undefined, side: "input" | "output"): string {
  return plainLine(readablePreview(text ?? "", side));
}

interface InputToOutputProps {
  /** The kind, where no column of names shows it. */
  readonly mark?: ReactNode;
  readonly failure: string | null;
  /** As the server shortened them. */
  readonly input: string | null | undefined;
  readonly output: string | null | undefined;
}

/** Question → answer. */
export function InputToOutput({ mark, failure, input, output }: InputToOutputProps) {
  const asked = shortText(input, "input");
  const answered = shortText(output, "output");
  return (
    <span className={styles.inputToOutput}>
      {mark}
      <Failure words={failure} />
      {asked !== "" && (
        <span className={styles.asked} dir="auto" data-alone={answered === "" || undefined}>
          {asked}
        </span>
      )}
      {answered !== "" && (
        <>
          <span className={styles.arrow}>→</span>
          <span className={styles.answered} dir="auto">
            {answered}
          </span>
        </>
      )}
    </span>
  );
}

/** A text from a user, in its own reading direction. */
export function Words({ children }: { readonly children: string | null | undefined }) {
  return children ? <span dir="auto">{children}</span> : null;
}

interface FailureProps {
  readonly words: string | null;
  /** Few words, which do not give way to those before them. */
  readonly whole?: boolean;
}

export function Failure({ words, whole = false }: FailureProps) {
  return words === null ? null : (
    <span className={classes(styles.failure, whole && styles.whole)} dir="auto">
      {words}
    </span>
  );
}
