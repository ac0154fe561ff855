// Sessions on their page, without a browser: conditions of facets, questions for several turns at once, what a turn shows.
import { describe, expect, test } from "bun:test";
import { parseSessionFilter } from "../../src/filter/filter.ts";
import { sessionFacetGroups } from "../../src/web/pages/sessions/session-facets.tsx";
import type { TurnAnswer } from "../../src/web/pages/sessions/sessions.queries.ts";
import { BATCH, batchOf, contentOf } from "../../src/web/pages/sessions/turn-content.ts";
import type { Turn } from "../../src/web/pages/sessions/use-turns.ts";

describe("facets", () => {
  const groups = sessionFacetGroups({
    count: 10,
    errorCount: 3,
    turns: [
      { min: 0, max: 2, count: 4 },
      { min: 2, max: 6, count: 6 },
      { min: 6, max: 21, count: 0 },
      { min: 21, max: null, count: 1 },
    ],
    durations: [
      { min: 0, max: 10_000, count: 4 },
      { min: 3_600_000, max: null, count: 6 },
    ],
  });

  test("name their bands in words, without those that are empty", () => {
    expect(groups.map(({ values }) => values?.map(({ label, count }) => `${label}: ${count}`))).toEqual([
      ["With errors: 3", "Without errors: 7"],
      ["1: 4", "2 – 5: 6", "≥ 21: 1"],
      ["< 10 s: 4", "≥ 1 h: 6"],
    ]);
  });

  test("write conditions that the server takes, and take them back", () => {
    for (const { facet, values = [] } of groups) {
      for (const { value } of values) {
        for (const how of ["included", "excluded"] as const) {
          const condition = facet.toggle("user.id == 'ada'", value, how);
          expect(parseSessionFilter(condition).matchesAll).toBe(false);
          expect(facet.stateOf(condition, value)).toBe(how);
          expect(facet.toggle(condition, value, how)).toBe("user.id == 'ada'");
        }
      }
    }
  });

  test("have nothing to say while they are counted, and nothing to offer without sessions", () => {
    expect(sessionFacetGroups(undefined).map(({ values }) => values)).toEqual([undefined, undefined, undefined]);
    expect(sessionFacetGroups(null).map(({ values }) => values)).toEqual([[], [], []]);
  });
});

describe("contents of turns", () => {
  const turns = Array.from({ length: 3 * BATCH }, (_, at) => ({
    id: `t${at}`,
    cursor: `c${at}`,
    numSpans: 5,
    errorCount: 0,
  }));
  const keyOf = (position: number, of: readonly object[] = turns) =>
    JSON.stringify(batchOf("s", of as readonly Turn[], position));

  test("are asked for together, from the place before the first", () => {
    expect(keyOf(0)).toBe(keyOf(BATCH - 1));
    expect(keyOf(BATCH)).not.toBe(keyOf(BATCH - 1));
    expect(keyOf(BATCH)).toContain(`"after":"c${BATCH - 1}"`);
    expect(keyOf(0)).toContain('"after":null');
  });

  test("are asked for again when a turn among them has grown, the others are not", () => {
    const grown = turns.map((turn, at) => (at === 3 ? { ...turn, numSpans: 6 } : turn));
    expect(keyOf(0, grown)).not.toBe(keyOf(0));
    expect(keyOf(BATCH, grown)).toBe(keyOf(BATCH));
  });
});

describe("a turn", () => {
  type Span = TurnAnswer["keySpans"]["spans"][number];
  const span = (id: string, given: Partial<Span> = {}): Span => ({
    id,
    name: id,
    spanKind: "tool",
    statusCode: "OK",
    errorHead: null,
    latencyMs: 5,
    modelName: null,
    input: null,
    output: null,
    ...given,
  });
  type Root = TurnAnswer["spans"]["edges"][number]["node"];
  const root = (
    given: Partial<Root> = {},
    attributes: object = { input: { value: "Why?" }, output: { value: "So." } },
  ) => ({
    edges: [
      {
        node: {
          id: "root",
          name: "agent",
          parentId: null,
          spanKind: "agent" as const,
          statusCode: "OK" as const,
          errorHead: null,
          payload: { attributes: JSON.stringify(attributes), cut: [] },
          ...given,
        },
      },
    ],
  });
  const answer = (given: Partial<TurnAnswer>): TurnAnswer => ({
    id: "t",
    errorsByType: [],
    spans: root(),
    keySpans: { count: 0, spans: [] },
    ...given,
  });

  test("shows its spans without the span that stands for it, and counts wrappers", () => {
    const content = contentOf(answer({ keySpans: { count: 2, spans: [span("a"), span("b")] } }), 6);
    expect(content.spans.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(content).toMatchObject({ wrappers: 3, moreSpans: 0, failure: null, firstInput: null, lastOutput: null });
  });

  test("that is one model call shows it as its span", () => {
    const spans = root({ spanKind: "llm" });
    const content = contentOf(answer({ spans, keySpans: { count: 1, spans: [span("root", { spanKind: "llm" })] } }), 1);
    expect(content.spans.map(({ name }) => name)).toEqual(["root"]);
    expect(content.wrappers).toBe(0);
  });

  test("that failed says with what, in place of an answer", () => {
    const failed = { statusCode: "ERROR", errorHead: "TimeoutError: slow" } as const;
    const spans = root(failed, { input: { value: "Why?" } });
    const keySpans = { count: 2, spans: [span("root", { spanKind: "agent", ...failed }), span("a", failed)] };
    const content = contentOf(answer({ spans, keySpans }), 4);
    expect(content).toMatchObject({ failure: "TimeoutError: slow", wrappers: 2 });
    expect(content.spans.map(({ name, failed: is }) => [name, is])).toEqual([["a", true]]);
  });

  test("that failed and answered all the same shows the answer", () => {
    expect(contentOf(answer({ spans: root({ statusCode: "ERROR" }) }), 1).failure).toBeNull();
  });

  test("takes the type from its exceptions where the message says none, and there is one type only", () => {
    const keySpans = { count: 1, spans: [span("a", { statusCode: "ERROR", errorHead: "" })] };
    const type = (...types: string[]) =>
      contentOf(answer({ keySpans, errorsByType: types.map((exceptionType) => ({ exceptionType, count: 1 })) }), 2)
        .spans[0]!.error;
    expect(type("KeyError")).toBe("KeyError");
    expect(type("KeyError", "ValueError")).toBeNull();
  });

  test("whose root never arrived speaks through its spans", () => {
    const spans = root({ parentId: "gone", name: "wrapper" }, {});
    const keySpans = {
      count: 3,
      spans: [
        span("a", { input: { truncatedValue: "" } }),
        span("b", { input: { truncatedValue: "Why?" }, output: { truncatedValue: "Documents" } }),
        span("c", { input: { truncatedValue: "Why? Documents" }, output: { truncatedValue: "So." } }),
      ],
    };
    expect(contentOf(answer({ spans, keySpans }), 4)).toMatchObject({
      root: { name: "wrapper", arrived: false },
      input: null,
      firstInput: "Why?",
      lastOutput: "So.",
      wrappers: 0,
    });
  });

  test("that begins with an agent whose parent never arrived counts it once", () => {
    const spans = root({ parentId: "gone", spanKind: "agent" });
    const keySpans = { count: 2, spans: [span("root", { spanKind: "agent" }), span("a")] };
    const content = contentOf(answer({ spans, keySpans }), 3);
    expect(content.spans.map(({ name }) => name)).toEqual(["a"]);
    expect(content.wrappers).toBe(1);
  });

  test("whose spans stand in a circle still shows its spans", () => {
    const content = contentOf(answer({ spans: { edges: [] }, keySpans: { count: 1, spans: [span("a")] } }), 2);
    expect(content).toMatchObject({ root: null, wrappers: 1 });
    expect(content.spans).toHaveLength(1);
  });
});
