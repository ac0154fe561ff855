// A stack trace as it was written: long lines scroll sideways, because what stands where tells who called whom; frames of libraries
// are folded.
import { ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { LongText } from "../../../../domain/trace/content/LongText.tsx";
import type { Excerpt } from "../../../../domain/trace/payload/payload.ts";
import { stackParts } from "../../../../domain/trace/payload/stack.ts";
import { text } from "../../../../texts/texts.ts";
import styles from "./StackTrace.module.css";

/** Characters; longer ones are read like any long text. */
const MOST = 20_000;

export function StackTrace({ excerpt }: { readonly excerpt: Excerpt }) {
  const parts = useMemo(() => stackParts(excerpt.text), [excerpt.text]);
  if (excerpt.wholeBytes !== null || excerpt.text.length > MOST) {
    return (
      <div className={styles.stack}>
        <LongText excerpt={excerpt} mono wrap={false} />
      </div>
    );
  }
  return (
    // A region that scrolls must be reachable by keys.
    <section className={styles.stack} tabIndex={0} aria-label={text("span.stack")} dir="ltr">
      {parts.map((part, index) =>
        part.library ? <LibraryFrames key={index} {...part} /> : <pre key={index}>{part.text}</pre>,
      )}
    </section>
  );
}

function LibraryFrames({ frames, text: lines }: { readonly frames: number; readonly text: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={styles.fold} aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight />
        {text("span.stack.library", { count: frames })}
      </button>
      {open && <pre className={styles.library}>{lines}</pre>}
    </>
  );
}
