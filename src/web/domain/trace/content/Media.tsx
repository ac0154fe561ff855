// Images and sound of messages.

import { text } from "../../../texts/texts.ts";
import type { Part } from "../payload/messages.ts";
import { LongText } from "./LongText.tsx";
import styles from "./Media.module.css";
import { Shown } from "./Shown.tsx";
import { useWholeText } from "./whole-text.ts";

type MediaPart = Extract<Part, { readonly url: string }>;

export function Media({ media: { type, url, source, transcript } }: { readonly media: MediaPart }) {
  const { whole, loading, problem, load } = useWholeText(source);
  // Of a long one only the beginning is here.
  const isCut = source.wholeBytes !== null && whole === null;
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
