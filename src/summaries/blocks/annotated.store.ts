// Rows that have the annotations which a condition requires: their ids where they are few; else, of spans, the sixteenths of blocks
// that hold them.
import { type RawBuilder, sql } from "kysely";
import { BLOCK_SPANS, blockOf, firstOfBlock, SLICE_SPANS } from "../../model/summaries/blocks/block.ts";
import type { Dialect } from "../../storage/dialect.ts";
import type { Range } from "../../storage/period.ts";
import type { CallContext } from "../../storage/storage.ts";
import { type CandidateRange, placesIn, WORTHWHILE } from "./candidate-ranges.store.ts";

/** Annotations whose rows are named one by one. */
const MOST_NAMED = 20_000;
/** Annotations that are looked through for the places of their rows. */
const MOST_PLACED = 500_000;

/** A query of row ids as `id`, perhaps more than once (`Filter.annotated`). */
type AnnotatedRows = (dialect: Dialect) => RawBuilder<number>;

/** Span ids, both ends included. */
interface IdRange {
  readonly lowest: number;
  readonly highest: number;
}

export function createAnnotatedStore(dialect: Dialect) {
  /** In order, each once; null when there are too many. */
  async function findIds(context: CallContext, rows: AnnotatedRows): Promise<number[] | null> {
    const database = context.database.read(context, "slow");
    const found = await sql<{ id: number }>`select id from (${rows(dialect)}) as annotated
      limit ${sql.lit(MOST_NAMED + 1)}`.execute(database);
    if (found.rows.length > MOST_NAMED) return null;
    return [...new Set(found.rows.map(({ id }) => id))].sort((one, other) => one - other);
  }

  /** Of rows that are spans, in order; null when there are too many annotations to look through. */
  async function findRanges(context: CallContext, rows: AnnotatedRows): Promise<IdRange[] | null> {
    const database = context.database.read(context, "slow");
    const found = await sql<{ slice: number; annotations: number }>`
      select id / ${sql.lit(SLICE_SPANS)} as slice, count(*) as annotations
      from (select id from (${rows(dialect)}) as annotated limit ${sql.lit(MOST_PLACED + 1)}) as placed
      group by 1 order by 1`.execute(database);
    const annotations = found.rows.reduce((sum, row) => sum + Number(row.annotations), 0);
    if (annotations > MOST_PLACED) return null;
    const ids = annotations > MOST_NAMED ? null : await findIds(context, rows);
    if (ids !== null) return rangesOf(ids.map((id) => ({ lowest: id, highest: id })));
    return rangesOf(
      found.rows.map(({ slice }) => ({
        lowest: Number(slice) * SLICE_SPANS,
        highest: (Number(slice) + 1) * SLICE_SPANS - 1,
      })),
    );
  }

  return {
    findIds,

    /** Spans that start in the range, among those that have annotations; null where they are too many. `inOrder`: the list ends
     *  where its page is full, so that it does not matter how many follow. */
    async findCandidates(
      context: CallContext,
      rows: AnnotatedRows,
      { inOrder, ...range }: Range & { readonly inOrder: boolean },
    ): Promise<CandidateRange[] | null> {
      const found = await findRanges(context, rows);
      if (found === null) return null;
      const [tail, ...blocks] = await placesIn(context, range);
      const spans = found.reduce((sum, each) => sum + each.highest - each.lowest + 1, 0);
      const mostSpans = Math.max(MOST_NAMED, (blocks.length * BLOCK_SPANS) / WORTHWHILE);
      if (!inOrder && spans > mostSpans) return null;
      const bounds = new Map(blocks.map((block) => [blockOf(block.lowest), block]));
      return found.flatMap(({ lowest, highest }) => {
        const block = lowest >= tail!.lowest ? tail : bounds.get(blockOf(lowest));
        return block === undefined ? [] : [{ ...block, lowest, highest }];
      });
    },
  };
}

/** Those next to each other are one, but never beyond a block. */
function rangesOf(parts: readonly IdRange[]): IdRange[] {
  const ranges: { lowest: number; highest: number }[] = [];
  for (const { lowest, highest } of parts) {
    const last = ranges.at(-1);
    if (last !== undefined && last.highest === lowest - 1 && lowest !== firstOfBlock(blockOf(lowest)))
      last.highest = highest;
    else ranges.push({ lowest, highest });
  }
  return ranges;
}
