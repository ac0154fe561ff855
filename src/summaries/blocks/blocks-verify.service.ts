// Compares the summaries of blocks with the spans, for `spanlight verify`.
import { Failure, messageOf } from "../../kernel/failure.ts";
import { mayHold, partOf } from "../../model/summaries/blocks/block-filter.ts";
import { type CostCell, cellAmounts, cellDimensions } from "../../model/summaries/blocks/cost-cells.ts";
import { facets } from "../../model/summaries/blocks/facets.ts";
import { RANGES_PART, unpackedRanges } from "../../model/summaries/blocks/number-ranges.ts";
import type { CallContext, Storage } from "../../storage/storage.ts";
import { type CountRow, createBlockSource } from "./block-source.store.ts";
import { createBlocksStore } from "./blocks.store.ts";

interface BlocksReport {
  readonly blocks: number;
  /** One line a difference, each naming its block. */
  readonly differences: readonly string[];
}

/** Differences named of one block. */
const MOST_NAMED = 20;

/** Marked blocks must be counted again: only their filters are looked at, and not where those wait, too. Nothing else may write meanwhile. */
export async function verifyBlocks(storage: Storage, context: CallContext): Promise<BlocksReport> {
  const store = createBlocksStore(storage);
  const source = createBlockSource(storage.dialect);
  const listed = await store.listMarked(context, Number.MAX_SAFE_INTEGER);
  const marked = new Map(listed.map(({ block, hasNewValues }) => [block, hasNewValues]));
  const blocks = await store.countBlocks(context);
  const differences: string[] = [];
  const look = async (block: number): Promise<string[]> => {
    const found: string[] = [];
    if (marked.get(block) === true) return found;
    if (!marked.has(block)) {
      const { rows, costs } = await source.count(context, block);
      found.push(...compareCounts(await store.readCounts(context, block), rows));
      found.push(...compareCosts(await store.readCosts(context, block), costs));
    }
    const stored = await store.readFilter(context, block);
    if (stored === null) return ["it is missing between others"];
    const { filter, ranges } = await source.readFilter(context, block);
    const { slices } = filter;
    for (const [slice, elements] of slices.entries()) {
      if ((stored.unfiltered & (1 << slice)) !== 0) continue;
      const missing = [...elements].filter((element) => {
        const part = stored.parts.get(partOf(element));
        return part === undefined || !mayHold(part, element, slice);
      });
      if (missing.length > 0) found.push(`${missing.length} values of part ${slice} are not in its filter`);
    }
    found.push(...compareRanges(stored.parts.get(RANGES_PART), ranges.build()));
    return found;
  };
  for (let block = 0; block < blocks; block++) {
    let found: string[];
    try {
      found = await look(block);
    } catch (error) {
      // A database that is away says nothing about the block; what it cannot read, it can in other blocks.
      if (error instanceof Failure && error.kind === "unavailable") throw error;
      found = [`it cannot be compared, a payload of its spans cannot be read: ${messageOf(error)}`];
    }
    differences.push(...found.slice(0, MOST_NAMED).map((difference) => `block ${block}: ${difference}`));
  }
  return { blocks, differences };
}

/** What was deleted since may have been lower or higher. */
function compareRanges(stored: Uint8Array | undefined, recomputed: Uint8Array): string[] {
  const known = unpackedRanges(stored);
  if (known === null) return [];
  const found = unpackedRanges(recomputed);
  if (found === null) return ["it has ranges of numbers, and too many paths for them"];
  const narrow = [...found].filter(([path, { low, high }]) => {
    const range = known.get(path);
    return range === undefined || range.low > low || range.high < high;
  });
  return narrow.length === 0 ? [] : [`${narrow.length} ranges of numbers leave numbers out`];
}

type CountKey = readonly [projectId: number, facet: number, hour: number, value: string];

function compareCounts(stored: readonly CountRow[], counted: readonly CountRow[]): string[] {
  const key = ([project, facet, hour, value]: CountRow) => JSON.stringify([project, facet, hour, value]);
  const amounts = new Map(stored.map((row) => [key(row), Number(row[4])]));
  const differences: string[] = [];
  const name = ([project, facet, hour, value]: CountRow) =>
    `${facets[facet]} ${JSON.stringify(value)} of project ${project} in hour ${hour}`;
  for (const row of counted) {
    const amount = amounts.get(key(row)) ?? 0;
    amounts.delete(key(row));
    if (amount !== Number(row[4])) differences.push(`${name(row)} is ${amount}, recomputed ${row[4]}`);
  }
  for (const [left, amount] of amounts) {
    differences.push(`${name([...(JSON.parse(left) as CountKey), 0])} is ${amount}, recomputed 0`);
  }
  return differences;
}

function compareCosts(stored: readonly CostCell[], counted: readonly CostCell[]): string[] {
  const key = ({ amounts: _amounts, ...cell }: CostCell) =>
    JSON.stringify([cell.dimension, cell.projectId, cell.hour, cell.value, cell.traceId]);
  const byKey = new Map(stored.map((cell) => [key(cell), cell]));
  const name = ({ dimension, projectId, hour, value, traceId }: CostCell) =>
    `cost by ${cellDimensions[dimension]} ${JSON.stringify(value ?? (traceId === null ? null : `trace ${traceId}`))} of project ${projectId} in hour ${hour}`;
  const amountsOf = (cell: CostCell | undefined) =>
    cell === undefined
      ? "missing"
      : cellAmounts.map((each, at) => `${each} ${cell.amounts[at] ?? "unknown"}`).join(", ");
  const differences = counted.flatMap((cell) => {
    const found = byKey.get(key(cell));
    byKey.delete(key(cell));
    const [stored, recomputed] = [amountsOf(found), amountsOf(cell)];
    return stored === recomputed ? [] : [`${name(cell)} is ${stored}, recomputed ${recomputed}`];
  });
  return [
    ...differences,
    ...[...byKey.values()].map((cell) => `${name(cell)} is ${amountsOf(cell)}, recomputed missing`),
  ];
}
