// How long prices apply: from their start until newer ones of the same names follow.
import type { ListedModel } from "./models.queries.ts";

type Dated = Pick<ListedModel, "id" | "kind" | "provider" | "namePattern" | "startTime">;

/** ISO 8601, by the ids of those that newer prices follow. */
export function endsOf(models: readonly Dated[]): ReadonlyMap<string, string> {
  const sameNames = Map.groupBy(models, ({ kind, provider, namePattern }) =>
    JSON.stringify([kind, provider, namePattern]),
  );
  const ends = new Map<string, string>();
  for (const group of sameNames.values()) {
    const inOrder = group.toSorted((one, other) => startOf(one) - startOf(other));
    for (const [position, { id }] of inOrder.entries()) {
      const next = inOrder[position + 1]?.startTime;
      if (next) ends.set(id, next);
    }
  }
  return ends;
}

function startOf({ startTime }: Dated): number {
  return startTime === null ? Number.NEGATIVE_INFINITY : Date.parse(startTime);
}

/** What to call an address where there is no space for it; null for a text without an address. */
export function hostOf(source: string): string | null {
  return /^https?:/.test(source) && URL.canParse(source) ? new URL(source).host.replace(/^www\./, "") : null;
}
