// The parts of a cost, from what the server says to what a split shows.
import { tokenKindHue, tokenKindPlace, tokenKindWord } from "./token-kinds.ts";

interface CostEntry {
  readonly tokenType: string;
  readonly isPrompt: boolean;
  readonly value: { readonly tokens: number | null; readonly cost: number | null };
}

interface CostPart {
  readonly key: string;
  readonly word: string;
  /** Name of a colour. */
  readonly hue: string;
  readonly tokens: number | null;
  /** US dollars; null if unknown. */
  readonly cost: number | null;
  /** Of the total, 0 to 1. */
  readonly share: number;
}

/** What rounding leaves of a total, as a share of it. */
const ROUNDING = 1e-9;

/** A part for each kind of token, and what of the total they do not say: amounts that came without kinds. */
export function costParts(entries: readonly CostEntry[], total: number | null): readonly CostPart[] {
  const sorted = entries.toSorted((one, other) => tokenKindPlace(one) - tokenKindPlace(other));
  return sorted.map(({ tokenType, isPrompt, value: { tokens, cost } }) => ({
    key: `${isPrompt ? "in" : "out"} ${tokenType}`,
    word: tokenKindWord({ tokenType, isPrompt }),
    hue: tokenKindHue({ tokenType, isPrompt }),
    tokens,
    cost,
    share: cost !== null && total !== null && total > 0 ? cost / total : 0,
  }));
}

/** US dollars of the total that its parts do not hold; 0 where they hold all of it. */
export function unsplitCost(parts: number, total: number | null): number {
  if (total === null) return 0;
  const rest = total - parts;
  return rest > total * ROUNDING ? rest : 0;
}

export function sumOfEntries(entries: readonly CostEntry[]): number {
  return entries.reduce((sum, { value }) => sum + (value.cost ?? 0), 0);
}
