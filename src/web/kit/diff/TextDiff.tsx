// Two texts compared by their words: what went is struck out, what came is underlined. It stands inside the paragraph of its caller.
import { useMemo } from "react";
import styles from "./Diff.module.css";
import { haveLittleInCommon, wordChanges } from "./word-changes.ts";

interface TextDiffProps {
  readonly before: string;
  readonly after: string;
  /** One of two columns, or both texts in one. */
  readonly show: "before" | "after" | "both";
  /** Where they have little in common, the text after stands alone, without marks. */
  readonly sparing?: boolean;
}

export function TextDiff({ before, after, show, sparing = false }: TextDiffProps) {
  const changes = useMemo(() => wordChanges(before, after), [before, after]);
  if (sparing && haveLittleInCommon(changes)) return after;
  return changes.map(({ kind, value }, position) => {
    const key = `${position} ${kind}`;
    if (kind === "same") return value;
    if (kind === "gone") {
      return show === "after" ? null : (
        <del key={key} className={styles.gone}>
          {value}
        </del>
      );
    }
    return show === "before" ? null : (
      <ins key={key} className={styles.come}>
        {value}
      </ins>
    );
  });
}
