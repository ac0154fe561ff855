// What something costs as text.
import { formatCost, NOTHING } from "../../lib/format.ts";
import { text } from "../../texts/texts.ts";

export interface KnownCost {
  /** US dollars; null where nothing of it is known. */
  readonly cost: number | null;
  /** It has model calls of unknown cost. */
  readonly unknown: boolean;
}

/** Of what calls no model it is empty; a sum that lacks calls of unknown cost is marked. */
export function costText({ cost, unknown }: KnownCost): string {
  if (cost === null) return unknown ? NOTHING : "";
  return unknown ? text("costs.partly", { cost: formatCost(cost) }) : formatCost(cost);
}
