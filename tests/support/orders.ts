// Orders in which things can arrive.

/** Every order that the items can have. */
export function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, position) =>
    ordersOf([...items.slice(0, position), ...items.slice(position + 1)]).map((rest) => [item, ...rest]),
  );
}
