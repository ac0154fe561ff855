// Keys in the picture: along the edges, to the steps beside, into an open box and out of it.
import type { GraphCard, GraphLayout } from "./graph-layout.ts";

export type GraphKey = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" | "Home" | "End";
export const graphKeys: ReadonlySet<string> = new Set<GraphKey>([
  "ArrowLeft",
  "ArrowRight",
  "ArrowUp",
  "ArrowDown",
  "Home",
  "End",
]);

/** The id of the card that a key leads to; null where it leads nowhere. */
export function walkGraph({ cards, lines }: GraphLayout, id: string, key: GraphKey): string | null {
  const card = cards.find((each) => each.id === id);
  if (card === undefined || key === "Home") return cards[0]?.id ?? null;
  if (key === "End") return cards.at(-1)!.id;
  if (key === "ArrowRight" || key === "ArrowLeft") {
    const [near, far] = key === "ArrowRight" ? (["from", "to"] as const) : (["to", "from"] as const);
    const along = lines.filter((line) => line[near] === id && cards.some((each) => each.id === line[far]));
    // Forwards before back, then where most calls go.
    const ways = along.toSorted(
      (one, other) => Number(one.edge.isBack) - Number(other.edge.isBack) || other.edge.times - one.edge.times,
    );
    return ways.find(({ edge }) => edge.from !== edge.to)?.[far] ?? (key === "ArrowLeft" ? boxOf(cards, card) : null);
  }
  if (key === "ArrowDown" && card.isOpen === true) return cards.find(({ parent }) => parent === id)?.id ?? null;
  const beside = cards.filter(({ parent, column }) => parent === card.parent && column === card.column);
  const next = beside[beside.indexOf(card) + (key === "ArrowDown" ? 1 : -1)];
  return next?.id ?? (key === "ArrowUp" ? boxOf(cards, card) : null);
}

function boxOf(cards: readonly GraphCard[], { parent }: GraphCard): string | null {
  return cards.some(({ id }) => id === parent) ? parent : null;
}
