// Counts of spans by a value, from the counts of blocks and the spans that they do not cover: the hours at the edges of a range,
// marked blocks, and the spans above the last block. One statement, so that everything is counted in the same snapshot.
import { type RawBuilder, sql } from "kysely";
import { parseJson } from "../../kernel/json.ts";
import { exceptionTypeOf, type Facet, facetCode, shortened } from "../../model/summaries/blocks/facets.ts";
import type { Dialect } from "../../storage/dialect.ts";
import type { Range } from "../../storage/period.ts";
import type { CallContext } from "../../storage/storage.ts";
import { facetSql } from "./facet-sql.store.ts";
import {
  marksBelow,
  readSummarisedBlocks,
  type SpanColumn,
  type SummarisedBlocks,
  type SummaryRows,
  summarisedParts,
} from "./summarised-range.store.ts";

/** `hour` counts from 1970; 0 when hours were not asked for. */
export interface FacetCount {
  readonly projectId: number;
  readonly hour: number;
  readonly value: string;
  readonly amount: number;
}

interface Row {
  readonly project: number;
  readonly hour: number;
  readonly value: string | null;
  readonly amount: number;
  /** 1: the value is not spelled yet (facet-sql.store.ts); 2: a row that was asked for beside the counts. */
  readonly raw: number;
}

const BESIDE = 2;

/** Counts, and what was asked for beside them: of the same snapshot. */
interface CountsBeside {
  readonly counts: readonly FacetCount[];
  readonly beside: readonly Omit<FacetCount, "hour">[];
}

export type FacetCountsStore = ReturnType<typeof createFacetCountsStore>;

/** In place of a project: the number of marks. */
const MARKS = -1;

export function createFacetCountsStore(dialect: Dialect) {
  /** Null when marks came that were not reckoned with. Without any, the planner need not guess how many blocks they take away. */
  async function countSummarised(
    context: CallContext,
    summarised: SummarisedBlocks,
    { projectIds, facet, range, byHour, beside }: FacetQuestion,
  ): Promise<CountsBeside | null> {
    const { value, amount, where } = facetSql(dialect, facet);
    const hourOf = dialect.timeBin(sql.ref("spans.start_us"), { scale: "HOUR", offsetMinutes: 0 });
    const hour = byHour ? hourOf : sql<number>`0`;
    const isRaw = sql.lit(facet === "errorType" ? 1 : 0);
    const group = sql.raw(byHour ? "1, 2, 3" : "1, 3");
    const sum = (of: RawBuilder<unknown>) => sql`cast(sum(${of}) as bigint)`;
    const fromSpans = (from: RawBuilder<unknown>, condition: RawBuilder<unknown>, column: SpanColumn) => sql`
      select spans.project_id as project, ${hour} as hour, ${value} as value, ${sum(amount)} as amount, ${isRaw} as raw
      from ${from} where ${dialect.inList(column("project_id"), projectIds)} and ${where} and ${condition}
      group by ${group}`;
    const counts = ({ isReady, hours }: SummaryRows) => sql`
      select counts.project_id as project, ${byHour ? sql.ref("counts.hour") : sql`0`} as hour,
        counts.value as value, ${sum(sql.ref("counts.amount"))} as amount, 0 as raw
      from span_blocks as ready cross join span_block_counts as counts
      where ${isReady} and counts.block = ready.block and ${dialect.inList(sql.ref("counts.project_id"), projectIds)}
        and counts.facet = ${sql.lit(facetCode(facet))} ${hours(sql.ref("counts.hour"))} group by ${group}`;
    const marks = sql`
      select ${sql.lit(MARKS)} as project, 0 as hour, cast('' as text) as value, ${marksBelow(summarised)} as amount, 0 as raw`;
    const parts = [...summarisedParts(summarised, range, counts, fromSpans), marks];
    const { rows } = await sql<Row>`
      select project, hour, value, ${sum(sql.ref("amount"))} as amount, raw
      from (${sql.join([...parts, ...beside], sql` union all `)}) as counted group by project, hour, value, raw`.execute(
      context.database.read(context, "slow"),
    );
    const found = rows.find(({ project }) => project === MARKS)?.amount ?? 0;
    if (Number(found) > 0 && !summarised.anyMarks) return null;
    return {
      counts: spelled(rows.filter(({ project, raw }) => project !== MARKS && raw !== BESIDE)),
      beside: rows.flatMap(({ project, value, amount, raw }) =>
        raw === BESIDE ? [{ projectId: project, value: value!, amount: Number(amount) }] : [],
      ),
    };
  }

  async function ask(context: CallContext, question: FacetQuestion): Promise<CountsBeside> {
    const summarised = await readSummarisedBlocks(context);
    const found = await countSummarised(context, summarised, question);
    return found ?? (await countSummarised(context, { ...summarised, anyMarks: true }, question))!;
  }

  return {
    /** Of the spans of the projects that start in the range; with `byHour` by the hour of their start, too. */
    async count(
      context: CallContext,
      projectIds: readonly number[],
      facet: Facet,
      range: Range,
      byHour: boolean,
    ): Promise<FacetCount[]> {
      return [...(await ask(context, { projectIds, facet, range, byHour, beside: [] })).counts];
    },

    /** The same without hours, with the rows (`project`, `value`) of further selects that the same statement reads. */
    async countBeside(
      context: CallContext,
      projectIds: readonly number[],
      facet: Facet,
      range: Range,
      selects: readonly RawBuilder<unknown>[],
    ): Promise<CountsBeside> {
      const beside = selects.map(
        (select) =>
          sql`select project, 0 as hour, value, 1 as amount, ${sql.lit(BESIDE)} as raw from (${select}) as beside`,
      );
      return ask(context, { projectIds, facet, range, byHour: false, beside });
    },
  };
}

interface FacetQuestion {
  readonly projectIds: readonly number[];
  readonly facet: Facet;
  readonly range: Range;
  readonly byHour: boolean;
  /** Further parts of the statement, in the form of the others. */
  readonly beside: readonly RawBuilder<unknown>[];
}

function spelled(rows: readonly Row[]): FacetCount[] {
  const counts = new Map<string, FacetCount>();
  for (const { project, hour, value, amount, raw } of rows) {
    const name = raw === 0 || value === null ? value : shortenedOrNull(exceptionTypeOf(parseJson(value)));
    if (name === null) continue;
    const key = `${project} ${hour} ${name}`;
    const sum = (counts.get(key)?.amount ?? 0) + Number(amount);
    counts.set(key, { projectId: project, hour, value: name, amount: sum });
  }
  return [...counts.values()];
}

function shortenedOrNull(text: string | null): string | null {
  return text === null ? null : shortened(text);
}
