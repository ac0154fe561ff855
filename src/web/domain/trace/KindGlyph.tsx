// The glyph of a span kind in its ink, or on its hue where the bars of the tree repeat it; its word is read aloud and stands in the
// title.
import { classes } from "../../kit/classes.ts";
import { text } from "../../texts/texts.ts";
import styles from "./KindGlyph.module.css";
import { kindLooks } from "./kinds.ts";
import type { SpanKind } from "./trace-span.ts";

interface KindGlyphProps {
  readonly kind: SpanKind;
  readonly large?: boolean;
  /** Only in the tree: elsewhere nothing but a failure is saturated. */
  readonly filled?: boolean;
}

export function KindGlyph({ kind, large = false, filled = false }: KindGlyphProps) {
  const { label, hue, glyph } = kindLooks[kind];
  return (
    <span
      role="img"
      aria-label={text(label)}
      title={text(label)}
      className={classes(styles.glyph, large && styles.large, filled && styles.filled)}
      style={filled ? { background: hue } : { color: hue }}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={glyph} />
      </svg>
    </span>
  );
}
