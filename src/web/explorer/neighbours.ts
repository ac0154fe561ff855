// The rows before and behind the one that is open over a list, also while that one is no row of the list any more.

/** `place`: where the open row is, or was when it was last seen. Null at the ends. */
export function neighbour<Row>(
  rows: readonly Row[],
  isOpen: (row: Row) => boolean,
  place: number,
  step: 1 | -1,
): Row | null {
  const at = rows.findIndex(isOpen);
  const begin = at >= 0 ? at + step : step === 1 ? place : place - 1;
  // Several rows of a list may be of the one that is open.
  for (let index = begin; index >= 0 && index < rows.length; index += step) {
    if (!isOpen(rows[index]!)) return rows[index]!;
  }
  return null;
}
