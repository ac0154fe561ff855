// Text search, slice by slice: the newest rows behind a place, and those among them that contain the text. A slice is read whole,
// so that the search knows how far it has come even where it finds nothing.
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Filter } from "../../../../filter/filter.ts";
import type { Settled } from "../../../../filter/settled.ts";
import { explained, placeOfText, type TextPlace, textPlaces } from "../../../../filter/text-search.ts";
import { type ListPlace, startBehind } from "../../../../kernel/list.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { onwards, sortedBy, type ValueOrder } from "../../../../storage/list.ts";
import type { CallContext } from "../../../../storage/storage.ts";

/** What is searched. */
export interface SearchScope {
  readonly projectId: number;
  /** Words and phrases, which all must occur; at least one. */
  readonly words: readonly string[];
  /** Microseconds; null is unbounded. */
  readonly startUs: number | null;
  readonly endUs: number | null;
  /** Of spans or traces, whichever are searched; null narrows nothing. */
  readonly filter: Settled<Filter> | null;
}

export interface SliceRows {
  /** The row before the slice; null begins at the newest. */
  readonly after: ListPlace | null;
  readonly size: number;
}

/** A row that contains the words: for a span where the first of them is, for a trace the first of its spans that has that one. */
export interface SearchMatch extends ListPlace {
  readonly value: number;
  readonly found: number;
}

export interface Slice {
  /** In the order of the list. */
  readonly matches: readonly SearchMatch[];
  /** Rows that were looked at; fewer than the size at the end of the list. */
  readonly count: number;
  /** The last of them; null when there was none. */
  readonly end: ListPlace | null;
}

interface SearchBounds {
  readonly oldestUs: number;
  readonly newestUs: number;
}

export type SearchedKind = "spans" | "traces";
export type SearchStore = ReturnType<typeof createSearchStore>;

export function createSearchStore(dialect: Dialect) {
  /** Where the first word is, if all are anywhere. */
  function placeOfAll(words: readonly string[]): RawBuilder<number | null> {
    const [first, ...others] = words.map((word) => placeOfText(dialect, word, "spans", "search_payload"));
    if (others.length === 0) return first!;
    const all = others.map((other) => sql`${other} is not null`);
    return sql<number | null>`(case when ${sql.join(all, sql` and `)} then ${first!} end)`;
  }

  /** Of the row of `spans` in the query around it. The limit has the payload read once, before anything looks into it. */
  const placed = (words: readonly string[]) => sql<number | null>`(select ${placeOfAll(words)}
    from (select span_id, has_large, events, ${dialect.unpacked(sql.ref("attributes"))} as attributes
      from span_payloads where span_id = spans.id limit 1) as search_payload)`;

  /** An expression over a row of the slice: null unless it contains the text. */
  function foundIn(kind: SearchedKind, { words, filter }: SearchScope): RawBuilder<number | null> {
    const narrowed = (found: RawBuilder<number | null>, alias: string) =>
      filter === null ? found : sql<number | null>`(case when ${filter.condition(dialect, alias)} then ${found} end)`;
    if (kind === "spans") {
      return sql<number | null>`(select ${narrowed(placed(words), "spans")} from spans where spans.id = slice.id)`;
    }
    // For an annotation of the trace itself its first span is the result.
    const holding = (word: string) => sql`from spans where spans.trace_id = traces.id and (${placed([word])} is not null
      or ${explained(dialect, word, "trace_annotations", sql`trace_id = traces.id`)})`;
    const [word, ...others] = words;
    const all = others.map((other) => sql`exists (select 1 ${holding(other)}) and `);
    const first = sql<number | null>`(select spans.id ${holding(word!)} and ${sql.join([...all, sql`true`], sql``)}
      order by spans.start_us, spans.id limit 1)`;
    return sql<number | null>`(select ${narrowed(first, "traces")} from traces where traces.id = slice.id)`;
  }

  return {
    /** Stopped at the deadline of its context like every slow read. */
    async readSlice(context: CallContext, kind: SearchedKind, scope: SearchScope, rows: SliceRows): Promise<Slice> {
      const { projectId, startUs, endUs } = scope;
      const table = sql.table(kind);
      const start = sql.ref<number>(`${kind}.start_us`);
      const id = sql.ref<number>(`${kind}.id`);
      const order: ValueOrder = { value: start, rowId: id, direction: "desc", nullable: false };
      const conditions: RawBuilder<SqlBool>[] = [sql<SqlBool>`${sql.ref(`${kind}.project_id`)} = ${projectId}`];
      if (kind === "traces") conditions.push(sql<SqlBool>`traces.span_count > 0`);
      if (startUs !== null) conditions.push(sql<SqlBool>`${start} >= ${startUs}`);
      if (endUs !== null) conditions.push(sql<SqlBool>`${start} < ${endUs}`);
      const from = onwards(order, startBehind(rows.after));
      if (from !== null) conditions.push(from);
      // One statement, so that the end of the slice belongs to the same snapshot as its rows.
      const query = sql<{ id: number; startUs: number; found: number | null; count: number | null }>`
        with slice as materialized (
          select ${id} as id, ${start} as start_us from ${table} where ${sql.join(conditions, sql` and `)}
          order by ${sortedBy(order)} limit ${rows.size}
        ), looked as materialized (select id, start_us, ${foundIn(kind, scope)} as found from slice)
        select id, start_us as ${sql.ref("startUs")}, found, null as count from looked where found is not null
        union all
        select id, start_us, null, (select count(*) from slice)
        from (select id, start_us from slice order by start_us, id limit 1) as slice_end`;
      const found = await query.execute(context.database.read(context, "slow"));
      const end = found.rows.find(({ count }) => count !== null);
      const matches = found.rows
        .filter((row) => row.found !== null)
        .map((row) => ({ value: row.startUs, rowId: row.id, found: Number(row.found) }))
        .sort((one, other) => other.value - one.value || other.rowId - one.rowId);
      return {
        matches,
        count: Number(end?.count ?? 0),
        end: end === undefined ? null : { value: end.startUs, rowId: end.id },
      };
    },

    /** Start of the oldest and newest row of the project; null for an empty one. */
    async findBounds(context: CallContext, kind: SearchedKind, projectId: number): Promise<SearchBounds | null> {
      const edge = (way: "min" | "max") =>
        sql<number | null>`(select ${sql.raw(way)}(start_us) from ${sql.table(kind)} where project_id = ${projectId})`;
      const query = sql<{ oldest: number | null; newest: number | null }>`
        select ${edge("min")} as oldest, ${edge("max")} as newest`;
      const [row] = (await query.execute(context.database.read(context, "short"))).rows;
      if (row === undefined || row.oldest === null || row.newest === null) return null;
      return { oldestUs: row.oldest, newestUs: row.newest };
    },

    /** Where each of the spans contains the word. */
    async findPlaces(context: CallContext, spanIds: readonly number[], word: string): Promise<Map<number, TextPlace>> {
      if (spanIds.length === 0) return new Map();
      const query = sql<{ id: number; place: number | null }>`
        select spans.id, ${placed([word])} as place from spans where ${dialect.inList(sql.ref("spans.id"), spanIds)}`;
      const { rows } = await query.execute(context.database.read(context, "slow"));
      return new Map(rows.flatMap(({ id, place }) => (place === null ? [] : [[id, textPlaces[place]!] as const])));
    },
  };
}
