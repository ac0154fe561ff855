// Text with fixed letters: code, stack traces, long outputs. Wrapped or not, copied, and shown in parts when it is long.
import { useState } from "react";
import { formatBytes } from "../lib/format.ts";
import { text } from "../texts/texts.ts";
import styles from "./CodeView.module.css";
import { CopyButton } from "./CopyButton.tsx";
import { classes } from "./classes.ts";

const AT_ONCE = 20_000;

interface CodeViewProps {
  readonly value: string;
  /** Read aloud, because the region can be scrolled. */
  readonly label: string;
  readonly wrap?: boolean;
  readonly copy?: boolean;
  /** As high as the text: the page around it scrolls. */
  readonly high?: boolean;
}

export function CodeView({ value, label, wrap = true, copy = true, high = false }: CodeViewProps) {
  const [whole, setWhole] = useState(false);
  const cut = !whole && value.length > AT_ONCE;
  return (
    <div className={styles.frame}>
      {/* A region that scrolls must be reachable by keys. */}
      <section
        aria-label={label}
        className={classes(styles.scroller, high && styles.high)}
        tabIndex={high ? 0 : undefined}
      >
        <pre className={classes(styles.code, wrap && styles.wrap)}>{cut ? value.slice(0, AT_ONCE) : value}</pre>
        {cut && (
          <button type="button" className={styles.more} onClick={() => setWhole(true)}>
            {text("kit.text.more", { size: formatBytes(value.length) })}
          </button>
        )}
      </section>
      {copy && (
        <div className={styles.copy}>
          <CopyButton value={value} />
        </div>
      )}
    </div>
  );
}
