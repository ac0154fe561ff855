// Images and sound of messages.

import { useEffect, useRef } from "react";
import { text } from "../../../texts/texts.ts";
import type { Part } from "../payload/messages.ts";
import { LongText } from "./LongText.tsx";
import styles from "./Media.module.css";
import { Shown } from "./Shown.tsx";
import { useWholeText } from "./whole-text.ts";

/** Larger images come at a click. */
const AT_ONCE_BYTES = 4_000_000;

type MediaPart = Extract<Part, { readonly url: string }>;

export function Media({ media: { type, url, source, transcript } }: { readonly media: MediaPart }) {
  const { whole, loading, problem, load } = useWholeText(source);
  // Of a long one only the beginning is here.
  const isCut = source.wholeBytes !== null && whole === null;
  const comes = isCut && type === "image" && source.wholeBytes <= AT_ONCE_BYTES;
  const asked = useRef(false);
  useEffect(() => {
    if (!comes || asked.current) return;
    asked.current = true;
    load();
  }, [comes, load]);
  return (
    <div className={styles.media}>
      <Shown
        type={type}
        url={whole ?? url}
        alt={text("span.image.alt")}
        {...(isCut ? { onShow: load, loading } : {})}
        shown={whole !== null}
      />
      {problem !== null && <span role="alert">{text("span.text.failed", { message: problem })}</span>}
      {transcript !== null && <LongText excerpt={{ text: transcript, place: null, wholeBytes: null }} />}
    </div>
  );
}
