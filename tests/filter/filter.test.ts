// What a caller learns of a condition before it runs it, and conditions that try to harm a database.

import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { type Filter, parseSessionFilter, parseSpanFilter, parseTraceFilter } from "../../src/filter/filter.ts";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { forEachDriver } from "../support/drivers.ts";
import { incomingSpans } from "../support/filter-data.ts";
import { otlpAttributes } from "../support/otlp-encode.ts";
import { settled } from "../support/settled.ts";
import { openTestStorage } from "../support/storage.ts";
import { openForSuite } from "../support/suite.ts";

describe("a parsed condition says", () => {
  test.each([
    ["name == 'a' and latency_ms > 1 and total_cost > 0", false],
    ["user.id == 'a'", true],
    ["llm.token_count.total > 1", true],
    ["name == 'a' or not (1 < 2 and str(metadata) is None)", true],
  ])("%s reads payloads: %p", (condition, reads) => {
    expect(parseSpanFilter(condition).readsPayloads).toBe(reads);
  });

  test("that traces and sessions read payloads for input, output and attributes only", () => {
    expect(parseTraceFilter("num_spans > 1 and any(s.name == 'a' for s in spans)").readsPayloads).toBe(false);
    expect(parseTraceFilter("'a' in input").readsPayloads).toBe(true);
    expect(parseSessionFilter("num_traces > 1").readsPayloads).toBe(false);
    expect(parseSessionFilter("'a' in any_output").readsPayloads).toBe(true);
  });

  test("that it reads sums over child spans, also inside a comprehension", () => {
    expect(parseSpanFilter("cumulative_token_count.total > 1").readsRollups).toBe(true);
    expect(parseTraceFilter("max(s.cumulative_error_count for s in spans) > 1").readsRollups).toBe(true);
    expect(parseTraceFilter("error_count > 1").readsRollups).toBe(false);
  });

  test("that an empty one matches everything", () => {
    for (const parse of [parseSpanFilter, parseTraceFilter, parseSessionFilter]) {
      expect(parse("").matchesAll).toBe(true);
      expect(parse(" \n").matchesAll).toBe(true);
    }
    expect(parseSpanFilter("name == ''").matchesAll).toBe(false);
  });

  test("whether it selects root spans only", () => {
    expect(parseSpanFilter("parent_id is None").selectsRootSpansOnly).toBe(true);
    expect(parseSpanFilter("name == 'a'").selectsRootSpansOnly).toBe(false);
    expect(parseSpanFilter("").selectsRootSpansOnly).toBe(false);
  });
});

const traceId = "0123456789abcdef0123456789abcdef";
const begin = 1_704_067_200_000_000_000n;
const span = (at: number, attributes: Record<string, unknown>, parent: string | null = null) => ({
  name: `span ${at}`,
  traceId,
  spanId: at.toString(16).padStart(16, "0"),
  ...(parent === null ? {} : { parentSpanId: parent.padStart(16, "0") }),
  startTimeUnixNano: String(begin + BigInt(at) * 1_000_000n),
  endTimeUnixNano: String(begin + BigInt(at) * 1_000_000n + 40_000n),
  attributes: otlpAttributes(attributes),
});
const long = `${"ä€😀 ".repeat(100_000)}The needle Ünï`;

forEachDriver("filters", (driver) => {
  const store = openForSuite(async () => openTestStorage(await driver.createDatabase()));
  beforeAll(async () => {
    const spans = incomingSpans("default", [
      span(1, { "input.value": long, "session.id": "one" }),
      span(2, { x: "a".repeat(5_000), "input.value": "short" }, "1"),
      // Points at itself.
      span(3, { x: "b" }, "3"),
      // Two that point at each other.
      span(4, { x: "c" }, "5"),
      span(5, { x: "d" }, "4"),
      span(6, { x: "\u212Aelvin in \u0130stanbul", "user.id": " padded ", "llm.model_name": "m" }, "1"),
      span(7, { x: "e", "user.id": "padded", "llm.model_name": " m" }, "1"),
      span(8, { "user.id": 1e-7, "llm.model_name": true }, "1"),
      span(9, { "user.id": "", "llm.model_name": ["m"] }, "1"),
    ]);
    await ingestBatch(store.ingest, spans);
  });

  async function names(filter: Filter, table: "spans" | "traces" | "sessions" = "spans"): Promise<string[]> {
    const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)}
      where ${settled(filter).condition(store.storage.dialect, table)} order by id`.execute(
      store.storage.handle.read(store.context(), "short"),
    );
    return rows.map(({ id }) => String(id));
  }

  test("a text of megabytes is searched and compared as a whole", async () => {
    expect(await names(parseSpanFilter("'NEEDLE ünï' in input.value"))).toEqual(["1"]);
    expect(await names(parseSpanFilter("'€😀 ä€😀' in attributes['input']['value']"))).toEqual(["1"]);
    expect(await names(parseTraceFilter("'needle ünï' in input"))).toEqual(["1"]);
    expect(await names(parseSessionFilter("'needle' in any_input and 'needle' in first_input"), "sessions")).toEqual([
      "1",
    ]);
    expect(await names(parseSpanFilter(`input.value == '${long.slice(0, 1000)}'`))).toEqual([]);
    expect(await names(parseSpanFilter("input.value == 'short'"))).toEqual(["2"]);
    expect(await names(parseSpanFilter(`x == '${"a".repeat(5_000)}'`))).toEqual(["2"]);
  });

  test("spans that point at themselves or at each other have a parent", async () => {
    expect(await names(parseSpanFilter("parent_span is None"))).toEqual(["1"]);
    expect(await names(parseTraceFilter("any(s.parent_span.name == s.name for s in spans)"), "traces")).toEqual(["1"]);
    expect(
      await names(parseTraceFilter("any(any(c.name == s.name for c in s.children) for s in spans)"), "traces"),
    ).toEqual(["1"]);
  });

  test("letters beyond ASCII are found by their small ASCII forms", async () => {
    for (const needle of ["kelvin", "KELVIN", "n in i", "stanbul"])
      expect(await names(parseSpanFilter(`'${needle}' in x`))).toEqual(["6"]);
    expect(await names(parseSpanFilter("'kelvin is' in x"))).toEqual([]);
  });

  test("users and models are what the attribute says, though their columns are trimmed", async () => {
    const found = (condition: string) => names(parseSpanFilter(condition));
    expect(await found("user.id == 'padded'")).toEqual(["7"]);
    expect(await found("user.id == ' padded '")).toEqual(["6"]);
    expect(await found("user.id in ['padded', ' padded ']")).toEqual(["6", "7"]);
    expect(await found("user.id == ''")).toEqual(["9"]);
    expect(await found("user.id == '0.0000001'")).toEqual(["8"]);
    expect(await found("llm.model_name in ['m', 'true', '[\"m\"]']")).toEqual(["6", "8", "9"]);
    expect(await found("not (user.id == 'padded')")).toEqual(["6", "8", "9"]);
    expect(await found("(user.id == 'padded') is None")).toEqual(["1", "2", "3", "4", "5"]);
    expect(await found("(llm.model_name == 'm') == False")).toEqual(["7", "8", "9"]);
  });

  test("a quote in a literal or key stays in it", async () => {
    const hostile = `'; drop table spans; --" \\ $1 ? {} %`;
    const literal = JSON.stringify(hostile);
    for (const condition of [
      `name == ${literal}`,
      `${literal} in name`,
      `attributes[${literal}] == 1`,
      `name in [${literal}]`,
    ])
      expect(await names(parseSpanFilter(condition))).toEqual([]);
    expect(await names(parseTraceFilter(`attributes[${literal}] == 'x' or trace_id == ${literal}`), "traces")).toEqual(
      [],
    );
  });

  const nested = (inner: string, left: string, right: string, times: number) =>
    left.repeat(times) + inner + right.repeat(times);
  test.each([
    ["forty-eight negations", parseSpanFilter, `${"not ".repeat(48)}name == 'a'`],
    ["forty-eight sums in each other", parseSpanFilter, `${nested("x", "(1 + ", ")", 48)} > 1`],
    ["forty-eight products in each other", parseSpanFilter, `${nested("x", "(", " * float(x))", 48)} > 1`],
    ["forty-eight remainders in each other", parseSpanFilter, `${nested("float(x)", "(7 % ", ")", 48)} > 1`],
    [
      "forty-eight ands and ors in each other",
      parseSpanFilter,
      nested("name == 'a'", "(x == 'a' and (name != 'b' or ", "))", 23),
    ],
    ["a thousand alternatives", parseSpanFilter, Array.from({ length: 990 }, (_, at) => `x == 'v${at}'`).join(" or ")],
    [
      "five thousand members",
      parseSpanFilter,
      `x in [${Array.from({ length: 5_000 }, (_, at) => `'${at}'`).join(",")}]`,
    ],
    ["a path of 32 keys", parseTraceFilter, `attributes['${"a.".repeat(31)}a'] == 1`],
    ["a path beyond any list", parseSpanFilter, "attributes['x'][99999999999999999999] == 1"],
    ["a needle full of wildcards", parseSpanFilter, `'${"%_*a?[".repeat(5_000)}' in input.value`],
    [
      "twenty comprehensions over all pairs",
      parseTraceFilter,
      Array.from({ length: 10 }, () => "any(any(c.latency_ms > s.latency_ms for c in spans) for s in spans)").join(
        " or ",
      ),
    ],
    [
      "numbers beyond every column",
      parseSpanFilter,
      `latency_ms < ${"9".repeat(300)} and total_cost > -${"9".repeat(300)} and latency_ms > 1e-300`,
    ],
    [
      "a sum over the most names of annotations",
      parseSpanFilter,
      `${Array.from({ length: 32 }, (_, at) => `annotations['a${at}'].score`).join(" + ")} > 1`,
    ],
    [
      "missing rows of the most names of annotations",
      parseTraceFilter,
      `not (${Array.from({ length: 32 }, (_, at) => `trace_annotations['a${at}'].label is not None`).join(" and ")})`,
    ],
    [
      "instants beyond the calendar",
      parseSpanFilter,
      "start_time < '9999-12-31T23:59:59-23:59' and start_time > '0001-01-01T00:00:00Z'",
    ],
  ] as const)("%s run and end soon", async (_name, parse, condition) => {
    const filter = parse(condition);
    await names(filter, parse === parseTraceFilter ? "traces" : "spans");
  });
});
