// Lists of conditions: whatever their length, a list is one set in the database.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CompiledQuery, sql } from "kysely";
import { parseSessionFilter, parseSpanFilter, parseTraceFilter } from "../../src/filter/filter.ts";
import { MAX_CONDITION_CHARACTERS, MAX_LIST_MEMBERS, MAX_TERMS } from "../../src/filter/limits.ts";
import { forEachDriver } from "../support/drivers.ts";
import { storeFilterData, vectorData } from "../support/filter-data.ts";
import { settled } from "../support/settled.ts";
import type { TestStorage } from "../support/storage.ts";

const languages = {
  span: parseSpanFilter,
  trace: parseTraceFilter,
  session: parseSessionFilter,
};
type Grain = keyof typeof languages;

const whole = (at: number) => String(at);
const fraction = (at: number) => (at / 4).toFixed(3);
const word = (at: number) => `'word ${at}'`;
const numberLike = (at: number) => `'${at}'`;
const key = (at: number) => `'${at.toString(16).padStart(32, "0")}'`;
const instant = (at: number) => `'${new Date(1_704_067_200_000 + at * 500).toISOString()}'`;
const truth = (at: number) => (at % 2 === 0 ? "True" : "False");

/** A value of each type and place, with what its list holds. */
const lists: readonly [Grain, string, (at: number) => string][] = [
  ["span", "latency_ms", whole],
  ["span", "latency_ms", fraction],
  ["span", "latency_ms * 1.5", fraction],
  ["span", "latency_ms + 1", whole],
  ["span", "llm.token_count.total", whole],
  ["span", "cumulative_token_count.total", whole],
  ["span", "metadata['n']", whole],
  ["span", "attributes['a']['b'] + 1", fraction],
  ["span", "metadata['word']", word],
  ["span", "user.id", word],
  ["span", "llm.model_name", numberLike],
  ["span", "metadata['flag']", truth],
  ["span", "name", word],
  ["span", "span_kind", word],
  ["span", "status_code", word],
  ["span", "context.trace_id", key],
  ["span", "start_time", instant],
  ["trace", "latency_ms", whole],
  ["trace", "total_cost", fraction],
  ["trace", "num_spans", whole],
  ["trace", "metadata['word']", word],
  ["trace", "float(metadata['n'])", whole],
  ["trace", "len([s for s in spans if s.latency_ms > 1])", whole],
  ["trace", "max(s.latency_ms for s in spans)", fraction],
  ["session", "num_traces", whole],
  ["session", "token_count_total", whole],
  ["session", "session_id", word],
  ["session", "user.id", word],
];

const SHORT = 20;
const listOf = (member: (at: number) => string, members: number) =>
  `[${Array.from({ length: members }, (_, at) => member(at)).join(", ")}]`;

/** As many members as a condition may have of them: names such as True are terms of it. */
function longest(member: (at: number) => string): number {
  const characters = member(MAX_LIST_MEMBERS).length + 2;
  const most = Math.floor((MAX_CONDITION_CHARACTERS - 100) / characters);
  return Math.min(most, member === truth ? MAX_TERMS - 100 : MAX_LIST_MEMBERS - 1);
}

forEachDriver("lists of conditions", (driver) => {
  let store: TestStorage;
  beforeAll(async () => {
    store = await storeFilterData(await driver.createDatabase(), vectorData);
  });
  afterAll(() => store.close());

  function queryOf(grain: Grain, condition: string) {
    const where = settled(languages[grain](condition)).condition(store.storage.dialect, `${grain}s`);
    const database = store.storage.handle.read(store.context(), "short");
    const query = sql<{ id: number }>`select id from ${sql.table(`${grain}s`)} where ${where} order by id`;
    return { ...query.compile(database), run: () => query.execute(database) };
  }

  describe.each(["in", "not in"])("with %s", (operator) => {
    test.each(lists)("on %ss: %s asks the same of the database, however long the list is", (grain, value, member) => {
      const of = (members: number) => queryOf(grain, `${value} ${operator} ${listOf(member, members)}`);
      const [short, long] = [of(SHORT), of(longest(member))];
      expect(long.sql).toBe(short.sql);
      expect(long.parameters).toHaveLength(short.parameters.length);
    });

    test.each(lists)("on %ss: %s is answered with the longest list", async (grain, value, member) => {
      const condition = `${value} ${operator} ${listOf(member, longest(member))}`;
      const { rows } = await queryOf(grain, condition).run();
      expect(rows.length).toBeGreaterThanOrEqual(0);
    });
  });

  test("members that are no literals stand beside the set", async () => {
    const { rows } = await queryOf("span", `name in [${Array.from({ length: 50 }, (_, at) => word(at))}, name]`).run();
    const all = await queryOf("span", "name is not None").run();
    expect(rows).toEqual(all.rows);
  });

  if (driver.name === "sqlite")
    test.each(lists)("on %ss: the set of %s is made once and not for every row", async (grain, value, member) => {
      const { sql: text, parameters } = queryOf(grain, `${value} in ${listOf(member, SHORT)}`);
      const { rows } = await store.storage.handle
        .read(store.context(), "short")
        .executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${text}`, [...parameters]));
      expect(rows.map(({ detail }) => detail).join("\n")).not.toContain("CORRELATED LIST");
    });
});
