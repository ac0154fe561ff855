// What tells things that stand side by side apart, such as experiments: a letter on a colour of its own, apart from the colours of kinds
// and states.
import styles from "./SeriesDot.module.css";

/** Colours of the tokens; after the last one they begin again, and the letter goes on. */
const COLORS = 8;

/** `A` for the first, `AA` after `Z`. */
function seriesLetter(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : seriesLetter(Math.floor(index / 26) - 1) + letter;
}

export function SeriesDot({ index }: { readonly index: number }) {
  return (
    <span className={styles.dot} style={{ "--hue": `var(--series-${(index % COLORS) + 1})` }}>
      {seriesLetter(index)}
    </span>
  );
}
