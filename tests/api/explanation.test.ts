// What explains a selection, and the patterns of a list, over REST and in GraphQL on both databases: the vectors as they are sent, and that
// every condition of an answer selects as many as it counts.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { createExplainedItemsStore } from "../../src/modules/tracing/trace-analysis/explanation/explained-items.store.ts";
import { createExplanationService } from "../../src/modules/tracing/trace-analysis/explanation/explanation.service.ts";
import { createRollupsService } from "../../src/summaries/rollups/rollups.service.ts";
import { vectorRows } from "../analysis/vectors.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { incomingSpan, START_US } from "../support/spans.ts";

const MINUTE_US = 60_000_000;
const TRACES = 200;
const MOST_ALIASES = 40;
const QUOTED = 'it\'s "new" \\ two\nlines';

interface VectorRow {
  readonly items: readonly (Readonly<Record<string, string | boolean>> & { readonly selected: boolean })[];
  readonly values: readonly {
    readonly key: string;
    readonly value: string;
    readonly selected_with: number;
    readonly rest_with: number;
    readonly lift: number;
    readonly p: number;
  }[];
}

interface Value {
  readonly name: string;
  readonly value: string;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly selected_count: number;
  readonly rest_count: number;
  readonly lift: number;
  readonly p: number;
  readonly q: number;
  readonly is_significant: boolean;
  readonly only: string;
  readonly without: string;
}

interface Answer {
  readonly selected_count: number;
  readonly rest_count: number;
  readonly is_complete: boolean;
  readonly is_too_few: boolean;
  readonly values: readonly Value[];
  readonly not_distinguishing: readonly string[];
  readonly too_rare: readonly string[];
}

interface Patterns {
  readonly trace_count: number;
  readonly is_complete: boolean;
  readonly patterns: readonly {
    readonly trace_count: number;
    readonly error_count: number;
    readonly latency_ms_p50: number;
    readonly last_trace_id: string;
    readonly last_good_trace_id: string | null;
    readonly steps: readonly { readonly name: string }[];
  }[];
}

/** Every fifth trace fails, most of those run the new version, call a small model and look up an order; they are slow. Regions do not matter. */
function supportTrace(at: number): IncomingSpan[] {
  const failed = at % 5 === 0;
  const given = { projectName: "support", traceKey: `t${at}`, startUs: START_US + at * MINUTE_US } as const;
  const version = failed ? (at % 25 === 0 ? "1.0" : QUOTED) : at % 40 === 1 ? QUOTED : "1.0";
  const region = ["eu", "us", "ap"][at % 3];
  const step = (name: string, more: Partial<IncomingSpan>) =>
    incomingSpan({
      ...given,
      spanKey: `${name} ${at}`,
      parentKey: `root ${at}`,
      name,
      endUs: given.startUs + 1,
      ...more,
    });
  const root = incomingSpan({
    ...{ ...given, spanKey: `root ${at}`, name: "agent", kind: "AGENT", userKey: `user ${at % 7}` },
    endUs: given.startUs + (failed ? 5_000_123 : 400_000 + at * 1000),
    attributes: JSON.stringify({
      metadata: { region, ...(at % 9 === 0 ? {} : { version }), size: at % 50, note: `note ${at}` },
      input: { value: `question ${at}` },
      user: { id: `user ${at % 7}` },
    }),
  });
  const call = (name: string, model: string) =>
    step(name, {
      ...{ kind: "LLM", model, promptTokens: at % 4 },
      attributes: JSON.stringify({ llm: { model_name: model } }),
    });
  return [
    root,
    call("think", failed || at % 10 === 1 ? "small" : "large"),
    call("think again", "large"),
    ...(failed ? [step("look_up", { kind: "TOOL", status: "ERROR" })] : []),
    ...(at % 6 === 0 ? [step("look_up", { kind: "CHAIN", spanKey: `chain ${at}` })] : []),
  ];
}

const instant = (us: number) => new Date(us / 1000).toISOString();

forEachDriver("what explains a selection", (driver) => {
  let api: TestApi;
  let rows: readonly VectorRow[];
  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase());
    rows = (await vectorRows<VectorRow>("explain")).slice(0, 4);
    const ofVectors = rows.flatMap(({ items }, row) =>
      items.map((metadata, at) =>
        incomingSpan({
          ...{ projectName: `vector ${row}`, traceKey: `v${row} ${at}`, spanKey: `v${row} ${at}` },
          attributes: JSON.stringify({ metadata }),
        }),
      ),
    );
    const spans = Array.from({ length: TRACES }, (_, at) => supportTrace(at)).flat();
    await ingestBatch(api.stored.ingest, [...ofVectors, ...spans]);
  });
  afterAll(() => api.close());

  async function ask(project: string, given: Record<string, string>): Promise<Answer> {
    const query = new URLSearchParams({ limit: "100", ...given });
    const response = await send(api.server, `GET /v1/projects/${project}/explanation?${query}`);
    expect([response.status, response.status === 200 ? "" : await response.text()]).toEqual([200, ""]);
    return ((await response.json()) as { data: Answer }).data;
  }

  /** By condition, how many match. */
  async function count(of: "traces" | "spans", conditions: readonly string[]): Promise<number[]> {
    if (conditions.length > MOST_ALIASES) {
      const first = await count(of, conditions.slice(0, MOST_ALIASES));
      return [...first, ...(await count(of, conditions.slice(MOST_ALIASES)))];
    }
    const field = of === "traces" ? "traceFigures" : "recordCount";
    const parts = conditions.map((condition, at) => {
      const call = `${field}(filterCondition: ${JSON.stringify(condition)})`;
      return `c${at}: ${call}${of === "traces" ? " { count }" : ""}`;
    });
    const { project } = await askData<{ project: Record<string, number | { count: number }> }>(
      api,
      `{ project: getProjectByName(name: "support") { ${parts.join(" ")} } }`,
    );
    return conditions.map((_, at) => {
      const found = project[`c${at}`]!;
      return typeof found === "number" ? found : found.count;
    });
  }

  async function expectConditionsCount(of: "traces" | "spans", { values, ...all }: Answer): Promise<void> {
    expect(values.length).toBeGreaterThan(5);
    const counts = await count(
      of,
      values.flatMap(({ only, without }) => [only, without]),
    );
    const total = all.selected_count + all.rest_count;
    const expected = values.flatMap(({ selected_count: here, rest_count: rest }) => [here + rest, total - here - rest]);
    expect(counts).toEqual(expected);
  }

  test("the vectors, sent as traces and asked for over the wire", async () => {
    for (const [row, { items, values }] of rows.entries()) {
      for (const of of ["traces", "spans"]) {
        const found = await ask(`vector%20${row}`, { of, filter: "metadata['selected'] == 'true'" });
        expect(found.selected_count).toBe(items.filter(({ selected }) => selected).length);
        const byName = new Map(found.values.map((each) => [`${each.name}=${each.value}`, each]));
        for (const { key, value, selected_with, rest_with, lift, p } of values) {
          const each = byName.get(`metadata['${key}']=${value}`)!;
          expect([key, each.selected_count, each.rest_count]).toEqual([key, selected_with, rest_with]);
          expect(Math.abs(each.lift - lift) + Math.abs(each.p - p)).toBeLessThan(1e-9);
        }
        expect(found.values.some(({ name }) => name === "metadata['selected']")).toBe(false);
      }
    }
  });

  test("finds what failed traces have in common, and each condition selects what it counts", async () => {
    const found = await ask("support", { filter: "error_count > 0" });
    expect([found.selected_count, found.rest_count, found.is_complete, found.is_too_few]).toEqual([
      TRACES / 5,
      TRACES - TRACES / 5,
      true,
      false,
    ]);
    const significant = found.values.filter((each) => each.is_significant);
    const named = (name: string) => significant.filter((each) => each.name === name).map(({ value }) => value);
    expect(named("tool")).toEqual(["look_up"]);
    expect(named("model")).toEqual(["small"]);
    expect(named("metadata['version']")).toEqual([QUOTED]);
    // The highest range ends nowhere.
    const slow = significant.find(({ name }) => name === "latency_ms")!;
    expect(slow.maximum).toBeNull();
    expect([slow.selected_count, slow.rest_count]).toEqual([TRACES / 5, 0]);
    expect(found.not_distinguishing).toContain("metadata['region']");
    expect(found.not_distinguishing).toContain("user.id");
    // What the condition reads, and texts that are all different, are no explanation.
    const names = found.values.map(({ name }) => name);
    expect(names).not.toContain("status");
    expect(names).not.toContain("metadata['note']");
    const tool = significant.find(({ name }) => name === "tool")!;
    expect(tool.only).toBe("any(s.span_kind == 'TOOL' and s.name == 'look_up' for s in spans)");
    expect(tool.lift).toBe(5);
    await expectConditionsCount("traces", found);
  });

  test("of spans by their own properties", async () => {
    const found = await ask("support", { of: "spans", filter: "status_code == 'ERROR'" });
    expect(found.selected_count).toBe(TRACES / 5);
    const significant = found.values.filter((each) => each.is_significant).map(({ name, value }) => `${name}=${value}`);
    expect(significant).toContain("span_kind=TOOL");
    expect(significant).toContain("name=look_up");
    await expectConditionsCount("spans", found);
  });

  test("of a part of the range against the rest of it", async () => {
    const [from, to] = [START_US + 20 * MINUTE_US, START_US + 60 * MINUTE_US];
    const within = { selected_start_time: instant(from), selected_end_time: instant(to) };
    const whole = await ask("support", within);
    expect([whole.selected_count, whole.rest_count]).toEqual([40, TRACES - 40]);
    const narrow = { ...within, start_time: instant(START_US), end_time: instant(START_US + 100 * MINUTE_US) };
    const failed = await ask("support", { ...narrow, filter: "error_count > 0" });
    expect([failed.selected_count, failed.rest_count]).toEqual([8, 92]);
    const few = await ask("support", { ...within, filter: "trace_id in ['t21', 't22']" });
    expect([few.selected_count, few.is_too_few, few.values.some((each) => each.is_significant)]).toEqual([
      2,
      true,
      false,
    ]);
  });

  test("is the same in GraphQL", async () => {
    const { values, ...rest } = await ask("support", { filter: "error_count > 0", limit: "7" });
    const { project } = await askData<{ project: { explanation: Answer } }>(
      api,
      `{ project: getProjectByName(name: "support") { explanation(filterCondition: "error_count > 0") {
        selected_count: selectedCount rest_count: restCount is_complete: isComplete is_too_few: isTooFew
        values(first: 7) { name value minimum maximum selected_count: selectedCount rest_count: restCount lift p q
          is_significant: isSignificant only without }
        not_distinguishing: notDistinguishing too_rare: tooRare incomplete } } }`,
    );
    expect(project.explanation).toEqual({ values, ...rest } as never);
  });

  test("compares the newest where there are too many, and says so", async () => {
    const { dialect } = api.stored.storage;
    const explanations = createExplanationService({
      store: createExplainedItemsStore(dialect),
      vocabulary: { observe: async () => [] },
      rollups: createRollupsService(api.stored.storage),
      limits: { selected: 10, rest: 50, spans: 100 },
    });
    const { id } = await api.projects.getProject(api.context(), "support");
    const request = {
      ...{ projectId: id, of: "traces" as const, range: { startUs: null, endUs: null }, selectedRange: null },
      condition: "error_count > 0",
    } as const;
    const found = await explanations.explain(api.context(), request);
    // Of the rest, those whose spans are a hundred at most.
    expect([found.isComplete, found.selected, found.rest < 50, found.rest > 25]).toEqual([false, 10, true, true]);
  });

  test("groups the traces by the sequence of their steps", async () => {
    const read = async (query: string) => {
      const response = await send(api.server, `GET /v1/projects/support/trace_patterns?${query}`);
      return ((await response.json()) as { data: Patterns }).data;
    };
    const all = await read("");
    expect([all.trace_count, all.is_complete]).toEqual([TRACES, true]);
    // Of every 30 traces one fails with both, five fail with the tool alone, four have the other step alone.
    expect(all.patterns.map((each) => [each.trace_count, each.error_count])).toEqual([
      [133, 0],
      [33, 33],
      [27, 0],
      [7, 7],
    ]);
    const [good, failed] = all.patterns;
    const steps = (pattern: typeof good) => pattern!.steps.map(({ name }) => name);
    expect([steps(good)[0], steps(good).toSorted()]).toEqual(["agent", ["agent", "think", "think again"]]);
    expect(steps(failed)).toContain("look_up");
    expect([failed!.latency_ms_p50, failed!.last_trace_id, failed!.last_good_trace_id]).toEqual([
      5000.123,
      "t195",
      null,
    ]);
    const few = await read("filter=error_count%20%3E%200&limit=1");
    expect([few.trace_count, few.patterns.length]).toEqual([TRACES / 5, 1]);
    const { project } = await askData<{ project: { tracePatterns: unknown } }>(
      api,
      `{ project: getProjectByName(name: "support") { tracePatterns { trace_count: traceCount is_complete: isComplete
        patterns { id: patternId trace_count: traceCount error_count: errorCount latency_ms_p50: latencyMsP50
          latency_ms_p99: latencyMsP99 cost last_trace_id: lastTraceId last_good_trace_id: lastGoodTraceId
          steps { span_kind: spanKind name depth times } } } } }`,
    );
    // Kinds are lower case there.
    const lowerKinds = (text: string, key: string, kind: string) =>
      text.replaceAll(key + kind, key + kind.toLowerCase());
    const expected = ["AGENT", "LLM", "TOOL", "CHAIN"].reduce(
      (text, kind) => lowerKinds(text, '"span_kind":"', kind),
      JSON.stringify(all),
    );
    expect(JSON.stringify(project.tracePatterns)).toBe(expected);
  });

  test("refuses what it cannot read", async () => {
    const status = async (project: string, query: string) =>
      (await send(api.server, `GET /v1/projects/${project}/explanation?${query}`)).status;
    expect(await status("support", "filter=nothing%20==%201")).toBe(400);
    expect(await status("support", "of=sessions")).toBe(422);
    expect(await status("absent", "")).toBe(404);
  });
});
