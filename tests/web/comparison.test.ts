// What the comparison of experiments makes of their figures and outputs.
import { describe, expect, test } from "bun:test";
import { parseJson } from "../../src/kernel/json.ts";
import {
  arranged,
  differenceOf,
  type Figures,
  type MeasuredExample,
  measuresOf,
  nothingMeasured,
  tallyOf,
} from "../../src/web/pages/datasets/comparison/measures.ts";
import {
  againstBase,
  againstMeasure,
  distributionOf,
  rangeOf,
} from "../../src/web/pages/datasets/comparison/plots/plot-data.ts";
import { comparable, expectedBeside, readable, textIn } from "../../src/web/pages/datasets/comparison/readable.ts";
import { figuresOfRun, leadingRun } from "../../src/web/pages/datasets/comparison/repetitions.ts";

const none = new Map<string, never>();
const figures = (scores: Record<string, number>, rest: Partial<Figures> = {}): Figures => ({
  ...nothingMeasured,
  ...rest,
  scores,
});
const measureOf = (key: string, chosen = none as ReadonlyMap<string, "higher" | "lower">) =>
  measuresOf(["right", "toxic", "latency"], new Map([["score toxic", "lower"]]), chosen).find(
    (each) => each.key === key,
  )!;

describe("measures", () => {
  test("are the evaluations by name, then latency, tokens, cost and failed runs; an evaluation may have one of their names", () => {
    const found = measuresOf(["right", "latency", "right"], none, none);
    expect(found.map(({ key }) => key)).toEqual([
      "score latency",
      "score right",
      "latency",
      "tokens",
      "cost",
      "errors",
    ]);
  });

  test("know what is better from the server, else by habit, and do as this view says", () => {
    expect(measureOf("score toxic").better).toBe("lower");
    expect(measureOf("score right").better).toBe("higher");
    expect(measureOf("latency").better).toBe("lower");
    expect(measureOf("score latency").better).toBe("higher");
    expect(measureOf("score toxic", new Map([["score toxic", "higher"]]))).toMatchObject({
      better: "higher",
      usual: "lower",
    });
  });
});

describe("a difference", () => {
  test("is better or worse by the direction of its measure, equal but for rounding, unknown without a value", () => {
    const right = measureOf("score right");
    expect(differenceOf(right, figures({ right: 0.5 }), figures({ right: 0.75 }))).toEqual({
      outcome: "improved",
      value: 0.25,
    });
    expect(differenceOf(right, figures({ right: 0.1 + 0.2 }), figures({ right: 0.3 })).outcome).toBe("equal");
    expect(differenceOf(right, figures({ right: 1 }), figures({})).outcome).toBe("unknown");
    const slower = [figures({}, { latency: 100 }), figures({}, { latency: 300 })] as const;
    expect(differenceOf(measureOf("latency"), ...slower)).toEqual({ outcome: "regressed", value: 200 });
    expect(differenceOf(measureOf("latency", new Map([["latency", "higher"]])), ...slower).outcome).toBe("improved");
  });

  test("of scores is equal up to the threshold, and keeps its value", () => {
    const [right, , latency] = measuresOf(["right", "toxic"], none, none, 0.1);
    expect(differenceOf(right!, figures({ right: 0.5 }), figures({ right: 0.4 }))).toMatchObject({ outcome: "equal" });
    expect(differenceOf(right!, figures({ right: 0.5 }), figures({ right: 0.35 })).outcome).toBe("regressed");
    expect(differenceOf(right!, figures({ right: 0.5 }), figures({ right: 0.6 })).value).toBeCloseTo(0.1);
    const faster = [figures({}, { latency: 100 }), figures({}, { latency: 99.95 })] as const;
    expect(differenceOf(latency!, ...faster).outcome).toBe("improved");
  });

  test("is counted for every example", () => {
    const pair = (before: Record<string, number>, after: Record<string, number>) =>
      [figures(before), figures(after)] as const;
    const pairs = [
      pair({ right: 0 }, { right: 1 }),
      pair({ right: 1 }, { right: 0 }),
      pair({ right: 1 }, { right: 1 }),
      pair({}, {}),
    ];
    expect(tallyOf(measureOf("score right"), pairs)).toEqual({ improved: 1, regressed: 1, equal: 1, unknown: 1 });
  });
});

describe("examples", () => {
  const example = (id: string, scores: (number | null)[], failed: boolean[] = []): MeasuredExample => ({
    id,
    figures: scores.map((right) => figures(right === null ? {} : { right })),
    failed: scores.map((_, at) => failed[at] === true),
  });
  const examples = [
    example("better", [0, 1, 0]),
    example("worse", [1, 0, 1]),
    example("same", [1, 1, 1], [false, true]),
    example("worse in the third", [0.5, 0.5, 0.25]),
    example("unknown", [1, null, null]),
  ];
  const of = (rest: Partial<Parameters<typeof arranged>[1]>) =>
    arranged(examples, { measure: measureOf("score right"), show: "all", order: "example", among: [1, 2], ...rest });

  test("are narrowed to those that regressed, improved, stayed or failed, in one experiment or any", () => {
    expect(of({})).toEqual(["better", "worse", "same", "worse in the third", "unknown"]);
    expect(of({ show: "regressed" })).toEqual(["worse", "worse in the third"]);
    expect(of({ show: "regressed", among: [1] })).toEqual(["worse"]);
    expect(of({ show: "improved" })).toEqual(["better"]);
    expect(of({ show: "equal", among: [1] })).toEqual(["same", "worse in the third"]);
    expect(of({ show: "failed" })).toEqual(["same"]);
  });

  test("are sorted by their difference, the worst or the best first; what is not known stands last", () => {
    expect(of({ order: "worst" })).toEqual(["worse", "worse in the third", "better", "same", "unknown"]);
    expect(of({ order: "best" })).toEqual(["better", "worse", "same", "worse in the third", "unknown"]);
    const lower = measureOf("score right", new Map([["score right", "lower"]]));
    expect(of({ order: "worst", among: [1], measure: lower })[0]).toBe("better");
  });
});

describe("plots", () => {
  const right = measureOf("score right");
  const example = (id: string, pairs: (readonly [right: number | null, latency: number])[]): MeasuredExample => ({
    id,
    figures: pairs.map(([score, latency]) => figures(score === null ? {} : { right: score }, { latency })),
    failed: [],
  });
  const examples = [
    example("a", [
      [0, 100],
      [1, 50],
    ]),
    example("b", [
      [1, 200],
      [0.5, 300],
    ]),
    example("c", [
      [null, 10],
      [1, 20],
    ]),
  ];

  test("spread examples over twelve bins, the highest value in the last; one value alone has a margin", () => {
    const bins = distributionOf(right, examples, 2);
    expect(bins.map(({ counts }) => counts)).toEqual([
      [1, 0],
      ...Array.from({ length: 5 }, () => [0, 0]),
      [0, 1],
      ...Array.from({ length: 4 }, () => [0, 0]),
      [1, 2],
    ]);
    expect([bins[0]!.from, bins.at(-1)!.to]).toEqual([0, 1]);
    expect(distributionOf(right, [], 2)).toEqual([]);
    expect(rangeOf([0.5, 0.5])).toEqual({ low: 0.25, high: 0.75 });
    expect(rangeOf([0])).toEqual({ low: 0, high: 1 });
  });

  test("are points of examples that have both values, with the example that each opens", () => {
    expect(againstBase(right, examples, 2)).toEqual([
      { exampleId: "a", number: 1, experiment: 1, x: 0, y: 1 },
      { exampleId: "b", number: 2, experiment: 1, x: 1, y: 0.5 },
    ]);
    const points = againstMeasure([measureOf("latency"), right], examples, 2);
    expect(points.map(({ exampleId, experiment, x, y }) => [exampleId, experiment, x, y])).toEqual([
      ["c", 1, 20, 1],
      ["a", 1, 50, 1],
      ["a", 0, 100, 0],
      ["b", 0, 200, 1],
      ["b", 1, 300, 0.5],
    ]);
  });
});

describe("repetitions", () => {
  const run = (right: number | null, error: string | null = null) => ({
    error,
    latencyMs: 10,
    costSummary: { total: { tokens: 7, cost: 0.5 } },
    annotations: { edges: [{ node: { name: "right", score: right } }] },
  });
  const right = measureOf("score right");
  const runs = [run(0.5), run(0), run(null, "Too slow."), run(1)];

  test("have figures of their own", () => {
    expect(figuresOfRun(run(0.25))).toEqual({ errors: 0, latency: 10, tokens: 7, cost: 0.5, scores: { right: 0.25 } });
    expect(figuresOfRun(run(null, "Too slow."))).toMatchObject({ errors: 1, scores: {} });
  });

  test("are led by the worst where regressed examples are read, by the best or the failed one where those are", () => {
    const led = (show: "all" | "regressed" | "improved" | "equal" | "failed", order: "example" | "worst" | "best") =>
      leadingRun(runs, { measure: right, show, order });
    expect([led("all", "example"), led("equal", "example")]).toEqual([0, 0]);
    expect([led("regressed", "example"), led("all", "worst")]).toEqual([1, 1]);
    expect([led("improved", "example"), led("all", "best"), led("failed", "worst")]).toEqual([3, 3, 2]);
    const lower = measureOf("score right", new Map([["score right", "lower"]]));
    expect(leadingRun(runs, { measure: lower, show: "regressed", order: "example" })).toBe(3);
    expect(leadingRun([run(null), run(0.5)], { measure: right, show: "regressed", order: "example" })).toBe(1);
    expect(leadingRun([], { measure: right, show: "failed", order: "example" })).toBe(0);
  });
});

describe("an output", () => {
  test("is a text, also as the only value of an object", () => {
    expect(textIn("On its way.")).toBe("On its way.");
    expect(textIn(parseJson('{"answer": "On its way."}'))).toBe("On its way.");
    expect(textIn(parseJson('{"answer": "On its way.", "sure": true}'))).toBeNull();
    expect(textIn(parseJson('{"answer": 12.0}'))).toBeNull();
    expect(textIn(undefined)).toBeNull();
  });

  test("is compared as what it says with what the other says, or JSON with JSON", () => {
    const expected = parseJson('{"answer": "On its way.", "sources": ["a"]}');
    const said = { before: "On its way.", after: "Lost." };
    expect(comparable(expected, { answer: "Lost." })).toEqual(said);
    expect(comparable(expected, "Lost.")).toEqual(said);
    expect(comparable("On its way.", { reply: "Lost." })).toEqual(said);
    expect(comparable(expected, { reply: "Lost." })).toEqual({ before: null, after: "Lost." });
    expect(comparable(undefined, "Lost.")).toEqual({ before: null, after: "Lost." });
    expect(comparable("On its way.", expected).before).toBe('"On its way."');
    expect(comparable(expected, expected).before).toBe(readable(expected));
  });

  test("is expected as it is shown beside the outputs, with the rest apart", () => {
    const expected = parseJson('{"answer": "On its way.", "sources": ["a"]}');
    const shown = "On its way.";
    expect(expectedBeside(expected, [undefined, { answer: "Lost." }])).toEqual({ shown, rest: { sources: ["a"] } });
    expect(expectedBeside(expected, [null, { reply: "Lost." }])).toEqual({ shown: null, rest: null });
    expect(expectedBeside(expected, [])).toEqual({ shown: null, rest: null });
    expect(expectedBeside({ answer: shown }, [])).toEqual({ shown, rest: null });
    expect(expectedBeside(shown, ["Lost."])).toEqual({ shown, rest: null });
  });

  test("is its members on lines of their own otherwise, long ones as JSON, floats as floats", () => {
    const value = parseJson('{"total": 12.0, "lines": [{"price": 1.0}, {}], "none": []}');
    expect(readable(value)).toBe('total: 12.0\nlines: [{"price":1.0},{}]\nnone: []');
    const long = "x".repeat(100);
    expect(readable({ said: long, list: [{ long }] })).toBe(
      `said: ${long}\nlist: [\n  {\n    "long": "${long}"\n  }\n]`,
    );
    expect(readable([])).toBe("[]");
    expect(readable({})).toBe("{}");
    expect(readable(null)).toBe("null");
    expect(readable(undefined)).toBe("");
  });
});
