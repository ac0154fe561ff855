// Long texts that do not stand in the way: a few lines with their size, or one line with a name; all of it at a click. What is found
// by a search is open.
import { ChevronDown, ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { formatBytes } from "../lib/format.ts";
import { text } from "../texts/texts.ts";
import styles from "./FoldedText.module.css";
import { holdsFound, useFoundWords } from "./found.ts";

/** Characters of a line, roughly, where a text has few line breaks. */
const LINE_CHARACTERS = 90;

export interface Size {
  /** In UTF-8. */
  readonly bytes: number;
  /** Null where not all of the text is known. */
  readonly lines: number | null;
}

/** `21 kB · 160 lines` */
export function sizeText({ bytes, lines }: Size): string {
  const size = formatBytes(bytes);
  return lines === null || lines < 2 ? size : `${size} · ${text("kit.lines", { count: lines })}`;
}

interface FoldedTextProps {
  /** What is known of it. */
  readonly value: string;
  readonly size: Size;
  /** Shown while it is folded; a text that is hardly longer is not folded. */
  readonly lines?: number;
  /** The whole, as it is shown unfolded. */
  readonly children: ReactNode;
}

export function FoldedText({ value, size, lines = 3, children }: FoldedTextProps) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const words = useFoundWords();
  const isLong = (size.lines ?? lines) > lines * 1.5 || value.length > lines * 1.5 * LINE_CHARACTERS;
  if (!isLong) return children;
  const open = chosen ?? holdsFound(value, words);
  return (
    <div className={styles.folded}>
      {open ? (
        children
      ) : (
        <p dir="auto" className={styles.head} style={{ WebkitLineClamp: lines }}>
          {value.slice(0, lines * LINE_CHARACTERS * 4)}
        </p>
      )}
      <button type="button" className={styles.show} aria-expanded={open} onClick={() => setChosen(!open)}>
        {open ? text("kit.fold.less") : text("kit.fold.show", { size: sizeText(size) })}
      </button>
    </div>
  );
}

interface FoldedLineProps {
  readonly title: string;
  /** Behind the title: sizes, counts. */
  readonly note: string;
  /** The beginning, as far as there is space. */
  readonly preview?: string;
  /** All text of it, in which a search may find something. */
  readonly searched?: string;
  readonly children: ReactNode;
}

export function FoldedLine({ title, note, preview, searched = "", children }: FoldedLineProps) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const words = useFoundWords();
  const body = useId();
  const open = chosen ?? holdsFound(searched, words);
  return (
    <div>
      <button
        type="button"
        className={styles.line}
        aria-expanded={open}
        aria-controls={body}
        onClick={() => setChosen(!open)}
      >
        {open ? <ChevronDown /> : <ChevronRight />}
        <b>{title}</b>
        <span className={styles.note}>{note}</span>
        {!open && preview !== undefined && (
          <span className={styles.preview} aria-hidden="true">
            {preview}
          </span>
        )}
      </button>
      <div id={body} hidden={!open}>
        {open && children}
      </div>
    </div>
  );
}

/** Of a text that is here as a whole. */
export function sizeOf(value: string): Size {
  let lines = 1;
  for (let at = value.indexOf("\n"); at >= 0; at = value.indexOf("\n", at + 1)) lines++;
  return { bytes: new TextEncoder().encode(value).length, lines };
}
