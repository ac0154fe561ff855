// What calls of models cost, summed over those of a block that are alike: rows of `span_block_costs`.

/** Dimensions by which calls are grouped; the position is the code in column `dimension`: append, never reorder. */
export const cellDimensions = ["all", "model", "user", "kind"] as const;
export type CellDimension = (typeof cellDimensions)[number];

export function cellDimensionCode(dimension: CellDimension): number {
  return cellDimensions.indexOf(dimension);
}

/** What is summed, in the order of the columns. Of a kind of token only the first three. */
export const cellAmounts = [
  "cost",
  "tokens",
  "unknown",
  "prompt_cost",
  "completion_cost",
  "prompt_tokens",
  "completion_tokens",
] as const;
export type CellAmount = (typeof cellAmounts)[number];

/** A row of `span_block_costs` without its block. Amounts are whole numbers as text, because they may be beyond 2^53; null where no
 *  call of the cell has one. */
export interface CostCell {
  readonly projectId: number;
  readonly hour: number;
  readonly dimension: number;
  readonly value: string | null;
  /** Whose user is that of its trace; null for a call that names its own. */
  readonly traceId: number | null;
  readonly amounts: readonly (string | null)[];
}

/** Beyond it the databases hold no sum. */
const MAX_AMOUNT = 2n ** 63n - 1n;

/** Sums of cells that are given piece by piece. */
export function createCellSums() {
  const cells = new Map<string, Omit<CostCell, "amounts"> & { readonly sums: (bigint | null)[] }>();
  return {
    add({ amounts, ...cell }: CostCell): void {
      const { projectId, hour, dimension, value, traceId } = cell;
      const key = JSON.stringify([projectId, hour, dimension, value, traceId]);
      let found = cells.get(key);
      if (found === undefined) {
        found = { ...cell, sums: cellAmounts.map(() => null) };
        cells.set(key, found);
      }
      for (const [position, amount] of amounts.entries()) {
        if (amount !== null) found.sums[position] = (found.sums[position] ?? 0n) + BigInt(amount);
      }
    },
    cells(): CostCell[] {
      return [...cells.values()].map(({ sums, ...cell }) => ({
        ...cell,
        amounts: sums.map((sum) => (sum === null ? null : String(sum > MAX_AMOUNT ? MAX_AMOUNT : sum))),
      }));
    },
  };
}
