// Time, tokens and cost in words; what is nothing is left out.
import { formatCompact, formatCost, formatDuration } from "../../../../lib/format.ts";
import { text } from "../../../../texts/texts.ts";

export function spentWords(spent: { readonly timeMs: number; readonly tokens: number; readonly cost: number }): string {
  const words = [formatDuration(spent.timeMs)];
  if (spent.tokens > 0) words.push(text("trace.waste.tokens", { tokens: formatCompact(spent.tokens) }));
  if (spent.cost > 0) words.push(formatCost(spent.cost));
  return words.join(" · ");
}
