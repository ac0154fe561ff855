// Every vector gives its rows on both databases and in the plain evaluator.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { analyse, type LanguageGrain } from "../../src/filter/analyse.ts";
import { type Filter, parseSessionFilter, parseSpanFilter, parseTraceFilter } from "../../src/filter/filter.ts";
import { forEachDriver } from "../support/drivers.ts";
import { additionData, type FilterData, storeFilterData, vectorData } from "../support/filter-data.ts";
import { matching } from "../support/filter-evaluator.ts";
import { type EvaluatedData, evaluatedData, type SpanRow, type TraceRow } from "../support/filter-rows.ts";
import { settled } from "../support/settled.ts";
import type { TestStorage } from "../support/storage.ts";
import {
  additionVectors,
  corrections,
  type FilterVector,
  sessionVectors,
  spanVectors,
  traceVectors,
} from "./vectors.ts";

interface Suite {
  readonly name: string;
  readonly grain: Exclude<LanguageGrain, "run">;
  readonly data: FilterData;
  readonly vectors: readonly FilterVector[];
  readonly parse: (text: string) => Filter;
  /** What the vectors call a row, in the database and in the evaluator. */
  readonly select: string;
  readonly named: (row: never) => string;
}

const root = `(select s.name from spans s where s.trace_id = traces.id and not exists
  (select 1 from spans p where p.trace_id = s.trace_id and p.span_key = s.parent_key) order by s.start_us, s.id desc limit 1)`;

const suites: readonly Suite[] = [
  {
    name: "spans",
    grain: "span",
    data: vectorData,
    vectors: spanVectors,
    parse: parseSpanFilter,
    select: "name from spans",
    named: ({ span }: SpanRow) => span.name,
  },
  {
    name: "traces",
    grain: "trace",
    data: vectorData,
    vectors: traceVectors,
    parse: parseTraceFilter,
    select: `${root} as name from traces`,
    named: ({ spans }: TraceRow) => rootOf(spans),
  },
  {
    name: "sessions",
    grain: "session",
    data: vectorData,
    vectors: sessionVectors,
    parse: parseSessionFilter,
    select: "session_key as name from sessions",
    named: ({ key }: { key: string }) => key,
  },
  {
    name: "spans of the additions",
    grain: "span",
    data: additionData,
    vectors: additionVectors,
    parse: parseSpanFilter,
    select: "span_key as name from spans",
    named: ({ span }: SpanRow) => span.spanKey,
  },
];

function rootOf(spans: readonly SpanRow[]): string {
  return spans.find(({ span }) => !spans.some((other) => other.span.spanKey === span.parentKey))!.span.name;
}

const evaluated = new Map<FilterData, EvaluatedData>(
  [vectorData, additionData].map((data) => [data, evaluatedData(data)]),
);

function evaluate({ grain, data, named }: Suite, condition: string): string[] {
  const rows = evaluated.get(data)!;
  const all = { span: rows.spans, trace: rows.traces, session: rows.sessions }[grain];
  return matching<SpanRow>(analyse(grain, condition), all as readonly SpanRow[], rows)
    .map((row) => named(row as never))
    .sort();
}

/** What the vector expects, or null where anything goes. */
function expectation(suite: Suite, { condition, expect: expected, free }: FilterVector): string[] | null {
  if (free !== undefined) return null;
  if (suite.grain === "span" && Object.hasOwn(corrections, condition)) return [...corrections[condition]!];
  if (expected.all) return evaluate(suite, "");
  return (expected.names ?? expected.spans!.map((digits) => digits.padStart(16, "0"))).toSorted();
}

const matched = (suite: Suite) => suite.vectors.filter(({ expect: expected }) => expected.error === undefined);
const shown = ({ condition }: FilterVector) => condition.slice(0, 120);

describe.each(suites.map((suite) => [suite.name, suite] as const))(
  "in the evaluator, conditions on %s match",
  (_, suite) => {
    test.each(matched(suite).map((vector) => [shown(vector), vector] as const))("%s", (_text, vector) => {
      const rows = evaluate(suite, vector.condition);
      const expected = expectation(suite, vector);
      if (expected !== null) expect(rows).toEqual(expected);
    });
  },
);

forEachDriver("filter vectors", (driver) => {
  const stores = new Map<FilterData, TestStorage>();
  beforeAll(async () => {
    for (const data of [vectorData, additionData])
      stores.set(data, await storeFilterData(await driver.createDatabase(), data));
  });
  afterAll(async () => {
    for (const store of stores.values()) await store.close();
  });

  async function stored({ grain, data, select }: Suite, filter: Filter, joined: boolean): Promise<string[]> {
    const store = stores.get(data)!;
    const context = store.context();
    const join = joined ? sql` join span_payloads as p on p.span_id = spans.id` : sql``;
    const condition = settled(filter as ReturnType<typeof parseSpanFilter>).condition(
      store.storage.dialect,
      `${grain}s`,
      joined ? "p" : undefined,
    );
    const { rows } = await sql<{
      name: string;
    }>`select ${sql.raw(select)}${join} where ${condition}`.execute(store.storage.handle.read(context, "slow"));
    return rows.map(({ name }) => name).sort();
  }

  describe.each(suites.map((suite) => [suite.name, suite] as const))("conditions on %s match", (_, suite) => {
    test.each(matched(suite).map((vector) => [shown(vector), vector] as const))("%s", async (_text, vector) => {
      const filter = suite.parse(vector.condition);
      const rows = await stored(suite, filter, false);
      const expected = expectation(suite, vector);
      if (expected !== null) expect(rows).toEqual(expected);
      expect(rows, "the evaluator").toEqual(evaluate(suite, vector.condition));
      if (suite.grain === "span" && filter.readsPayloads) expect(await stored(suite, filter, true)).toEqual(rows);
    });
  });
});

test("every correction is of a vector that says otherwise", () => {
  for (const [condition, rows] of Object.entries(corrections)) {
    const vector = spanVectors.find((each) => each.condition === condition);
    expect(vector?.expect.names?.toSorted()).toBeArray();
    expect(vector?.expect.names?.toSorted()).not.toEqual(rows.toSorted());
  }
});
