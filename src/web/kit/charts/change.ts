// How a figure changed against the period before.
import { formatShare } from "../../lib/format.ts";

export interface Change {
  readonly direction: "up" | "down" | "same";
  /** How much, without a sign: `12 %`, `×4.2`. */
  readonly words: string;
}

/** Null where there is nothing to compare with. */
export function changeOf(now: number | null | undefined, before: number | null | undefined): Change | null {
  if (now == null || before == null || before <= 0) return null;
  const ratio = now / before;
  if (Math.abs(ratio - 1) < 0.005) return { direction: "same", words: "" };
  const direction = ratio > 1 ? "up" : "down";
  if (ratio >= 3) return { direction, words: `×${ratio >= 10 ? Math.round(ratio) : ratio.toFixed(1)}` };
  return { direction, words: formatShare(Math.abs(ratio - 1)) };
}
