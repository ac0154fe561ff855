// Spans that came level by level, as they stand in a tree: each before those below it.

interface Placed {
  readonly key: string;
  readonly parentKey: string | null;
}

/** Siblings keep their order. What is not below the root is left out. */
export function inTreeOrder<Span extends Placed>(
  spans: readonly Span[],
  rootKey: string,
): (Span & { readonly depth: number })[] {
  const byParent = Map.groupBy(spans, ({ parentKey }) => parentKey);
  const ordered: (Span & { readonly depth: number })[] = [];
  // The last pushed comes first.
  const waiting = below(rootKey, 1);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    ordered.push(next);
    waiting.push(...below(next.key, next.depth + 1));
  }
  return ordered;

  function below(key: string, depth: number) {
    const found = byParent.get(key) ?? [];
    // Once taken: a circle of parents ends.
    byParent.delete(key);
    return found.map((span) => ({ ...span, depth })).reverse();
  }
}
