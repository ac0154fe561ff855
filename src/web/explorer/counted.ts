// How numbers beside a list say that there may be more.
import { formatCount } from "../lib/format.ts";
import { text } from "../texts/texts.ts";

/** How far the search has come whose rows were counted; null for a list without one. */
export type CountedProgress = { readonly complete: boolean } | null | undefined;

/** A count that may be of a part only. */
export function countText(count: number, isAll: boolean): string {
  const shown = formatCount(count);
  return isAll ? shown : text("explorer.atleast", { count: shown });
}

/** Every row of the list was counted. */
export function isAll(progress: CountedProgress): boolean {
  return progress?.complete ?? true;
}
