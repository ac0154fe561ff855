// Images and sound of messages.

import { text } from "../../texts/texts.ts";
import type { Part } from "../payload/messages.ts";
import { LongText } from "./LongText.tsx";
import styles from "./Media.module.css";
import { Shown } from "./Shown.tsx";

type MediaPart = Extract<Part, { readonly url: string }>;

export function Media({ media: { type, url, transcript } }: { readonly media: MediaPart }) {
  return (
    <div className={styles.media}>
      <Shown type={type} url={url} alt={text("span.image.alt")} />
      {transcript !== null && <LongText excerpt={{ text: transcript, place: null, wholeBytes: null }} />}
    </div>
  );
}
