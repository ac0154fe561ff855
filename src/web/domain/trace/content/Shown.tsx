// An image or a sound. Images that were sent along are shown at once, sounds after a click. Nothing is ever loaded from another server
// by our page: what lies elsewhere opens in a tab of its own.
import { ExternalLink, Image, Volume2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../kit/Button.tsx";
import { text } from "../../../texts/texts.ts";
import styles from "./Media.module.css";
import { hostOf } from "./safe-address.ts";

interface ShownProps {
  readonly type: "image" | "audio";
  readonly url: string;
  readonly alt: string;
  /** What a click does first where not all of it is here; without it all of it is. */
  readonly onShow?: () => void;
  readonly loading?: boolean;
  /** It was clicked on. */
  readonly shown?: boolean;
}

export function Shown({ type, url, alt, onShow, loading = false, shown: shownBefore = false }: ShownProps) {
  const [clicked, setClicked] = useState(false);
  const shown = clicked || shownBefore;
  const isHeld = /^data:(image|audio|video)\//i.test(url);
  const host = hostOf(url);
  const waits = type === "audio" || onShow !== undefined;
  if (isHeld && !shown && waits) {
    return (
      <Button
        icon={type === "image" ? <Image /> : <Volume2 />}
        disabled={loading}
        onClick={onShow ?? (() => setClicked(true))}
      >
        {text(type === "image" ? "span.image.show" : "span.audio.show")}
      </Button>
    );
  }
  if (isHeld && type === "image") return <img className={styles.image} src={url} alt={alt} />;
  if (isHeld) return <audio controls autoPlay src={url} />;
  if (host === null) return <code className={styles.address}>{url.slice(0, 200)}</code>;
  return (
    <a className={styles.remote} href={url} target="_blank" rel="noopener noreferrer" title={url}>
      <ExternalLink aria-hidden="true" />
      {text(type === "image" ? "span.image.remote" : "span.audio.remote", { host })}
    </a>
  );
}
