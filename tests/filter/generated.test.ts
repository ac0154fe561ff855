// Generated conditions: SQLite, PostgreSQL and the plain evaluator give the same rows.
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { sql } from "kysely";
import { analyse } from "../../src/filter/analyse.ts";
import { parseSessionFilter, parseSpanFilter, parseTraceFilter } from "../../src/filter/filter.ts";
import { forEachDriver } from "../support/drivers.ts";
import { conditionData } from "../support/filter-condition-data.ts";
import { conditions } from "../support/filter-conditions.ts";
import { storeFilterData } from "../support/filter-data.ts";
import { matching } from "../support/filter-evaluator.ts";
import { evaluatedData, type SessionRow, type SpanRow, type TraceRow } from "../support/filter-rows.ts";
import { settled } from "../support/settled.ts";
import type { TestStorage } from "../support/storage.ts";

const rows = evaluatedData(conditionData);
const languages = {
  span: {
    parse: parseSpanFilter,
    key: sql`span_key || '/' || (select trace_key from traces t where t.id = spans.trace_id)`,
    all: rows.spans,
    named: ({ span }: SpanRow) => `${span.spanKey}/${span.traceKey}`,
  },
  trace: { parse: parseTraceFilter, key: sql`trace_key`, all: rows.traces, named: ({ key }: TraceRow) => key },
  session: {
    parse: parseSessionFilter,
    key: sql`session_key`,
    all: rows.sessions,
    named: ({ key }: SessionRow) => key,
  },
};

/** Together 10,000 under CI, on each database; a tenth of them elsewhere. */
const RUNS = { span: 6_000, trace: 2_500, session: 1_500 };
const SHARE = process.env.CI ? 1 : 0.1;

/** For a machine whose cores are shared. */
const LIMIT_MS = 120_000;

forEachDriver("generated conditions", (driver) => {
  let store: TestStorage;
  beforeAll(async () => {
    store = await storeFilterData(await driver.createDatabase(), conditionData);
    if (driver.name === "postgres") await sql`analyze`.execute(store.storage.handle.write(store.context()));
  });
  afterAll(() => store.close());

  test.each(Object.keys(languages) as (keyof typeof languages)[])(
    "on %ss match the same rows everywhere",
    async (grain) => {
      const { parse, key, all, named } = languages[grain];
      let [some, none] = [0, 0];
      await fc.assert(
        fc.asyncProperty(conditions[grain], async (condition) => {
          const filter = parse(condition);
          const where = settled(filter).condition(store.storage.dialect, `${grain}s`);
          const found = await sql<{
            key: string;
          }>`select ${key} as key from ${sql.table(`${grain}s`)} where ${where}`.execute(
            store.storage.handle.read(store.context(), "short"),
          );
          const expected = matching(analyse(grain, condition), all as readonly SpanRow[], rows).map((row) =>
            named(row as never),
          );
          if (expected.length === 0) none += 1;
          else if (expected.length < all.length) some += 1;
          expect(found.rows.map((row) => row.key).sort()).toEqual(expected.sort());
        }),
        { numRuns: RUNS[grain] * SHARE, interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: true },
      );
      // Conditions that are always or never true would prove nothing.
      expect(some).toBeGreaterThan(RUNS[grain] * SHARE * 0.1);
      expect(none).toBeGreaterThan(0);
    },
    LIMIT_MS + 30_000,
  );
});
