// Where the plots of a comparison draw, in units of their view box.
export const area = { viewBox: "0 0 360 210", left: 52, right: 350, top: 8, bottom: 186 } as const;

/** Colours of the tokens; after the last one they begin again. */
const COLORS = 8;

export function colorOf(experiment: number): string {
  return `var(--series-${(experiment % COLORS) + 1})`;
}
