// A text of any length: whole where it is short, its beginning where it is long, the rest at a click or as a file. Direction
// follows the writing.
import { useState } from "react";
import { Button } from "../../../kit/Button.tsx";
import { classes } from "../../../kit/classes.ts";
import { holdsFound, useFoundWords } from "../../../kit/found.ts";
import { formatBytes } from "../../../lib/format.ts";
import { Late, late } from "../../../lib/late.tsx";
import { saveText } from "../../../lib/save.ts";
import { text } from "../../../texts/texts.ts";
import type { Excerpt } from "../payload/payload.ts";
import styles from "./LongText.module.css";
import { looksLikeMarkdown } from "./markdown/looks-like-markdown.ts";
import { addressOfValue, useSpan } from "./span-context.ts";
import { useWholeText, type WholeText } from "./whole-text.ts";

const { Part: Markdown } = late(() => import("./markdown/Markdown.tsx"));

/** Characters that are shown at once. */
const AT_ONCE = 20_000;
/** Larger texts are only offered as a file: laying them out would take the browser seconds. */
const MOST_SHOWN_BYTES = 12_000_000;
/** Characters of one block: browsers lay out only the blocks that can be seen. */
const BLOCK = 20_000;

interface LongTextProps {
  readonly excerpt: Excerpt;
  /** As Markdown where it looks like it. */
  readonly formatted?: boolean;
  readonly mono?: boolean;
  readonly wrap?: boolean;
  /** Where the caller has the whole text, too. */
  readonly whole?: WholeText;
}

export function LongText({ excerpt, formatted = false, mono = false, wrap = true, whole: given }: LongTextProps) {
  const { spanId, atOnce = AT_ONCE } = useSpan();
  const own = useWholeText(excerpt);
  const { whole, loading, problem, load } = given ?? own;
  const [all, setAll] = useState(false);
  const known = whole ?? excerpt.text;
  const words = useFoundWords();
  const isWhole = all || whole !== null || known.length <= atOnce || holdsFound(known.slice(atOnce), words);
  const shown = isWhole ? known : head(known, atOnce);
  const missing = whole === null ? excerpt.wholeBytes : null;
  const address = missing !== null && excerpt.place !== null ? addressOfValue(spanId, excerpt.place) : null;
  const size = formatBytes(missing ?? known.length);

  const isPart = missing !== null || shown.length < known.length;
  return (
    <div className={styles.frame}>
      {formatted && shown.length <= AT_ONCE && looksLikeMarkdown(shown) ? (
        <Late fallback={<Plain value={shown} mono={false} wrap />}>
          <Markdown source={shown} />
        </Late>
      ) : (
        <Plain value={shown} mono={mono} wrap={wrap} />
      )}
      {isPart && (
        <div className={styles.more}>
          {(missing ?? 0) <= MOST_SHOWN_BYTES ? (
            <Button disabled={loading} onClick={() => (address === null ? setAll(true) : load())}>
              {text(loading ? "span.text.loading" : address === null ? "span.text.show" : "span.text.more", { size })}
            </Button>
          ) : (
            <span>{text("span.text.too.long", { size })}</span>
          )}
          {address === null ? (
            <Button look="quiet" onClick={() => saveText("value.txt", known)}>
              {text("span.text.download")}
            </Button>
          ) : (
            <a href={address} download="value.txt" className={styles.download}>
              {text("span.text.download")}
            </a>
          )}
          {problem !== null && <span role="alert">{text("span.text.failed", { message: problem })}</span>}
        </div>
      )}
    </div>
  );
}

interface PlainProps {
  readonly value: string;
  readonly mono: boolean;
  readonly wrap: boolean;
}

function Plain({ value, mono, wrap }: PlainProps) {
  const look = classes(styles.text, mono && styles.mono, !wrap && styles.long);
  if (value.length <= BLOCK * 2) {
    return (
      <p dir="auto" className={look}>
        {value}
      </p>
    );
  }
  return (
    <div dir="auto" className={look}>
      {blocksOf(value).map((block, index) => (
        <div key={index} className={styles.block}>
          {block}
        </div>
      ))}
    </div>
  );
}

/** Cut at the ends of lines, so that nothing shows where one ends and the next begins. */
function blocksOf(value: string): string[] {
  const blocks: string[] = [];
  for (let start = 0; start < value.length; ) {
    let end = Math.min(value.length, start + BLOCK);
    const line = value.lastIndexOf("\n", end);
    if (end < value.length && line > start) end = line;
    else if (end < value.length && isLowSurrogate(value, end)) end++;
    blocks.push(value.slice(start, end));
    start = value[end] === "\n" ? end + 1 : end;
  }
  return blocks;
}

function head(value: string, length: number): string {
  return value.slice(0, isLowSurrogate(value, length) ? length - 1 : length);
}

function isLowSurrogate(value: string, at: number): boolean {
  const unit = value.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
