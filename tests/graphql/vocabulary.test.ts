// Words for completing conditions: those of the languages, and what the spans of a project hold; every one can be written.

import { beforeAll, describe, expect, test } from "bun:test";
import { analyse, type LanguageGrain } from "../../src/filter/analyse.ts";
import { attributeName, vocabularyOf } from "../../src/filter/vocabulary.ts";
import { observePaths } from "../../src/modules/tracing/spans/vocabulary/observed.rules.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { storeAnnotations } from "../support/filter-data.ts";
import { askData } from "../support/graphql.ts";
import { openForSuite } from "../support/suite.ts";

interface Term {
  readonly name: string;
  readonly type: string;
  readonly category: string;
  readonly iterableName: string | null;
  readonly values: readonly string[];
}

/** A condition that uses the term. */
function conditionOn({ name, type, iterableName }: Term, grain: LanguageGrain): string | null {
  const compared: Readonly<Record<string, string>> = {
    string: "== 'x'",
    number: "> 1",
    boolean: "== True",
    datetime: "> '2026-01-01T00:00:00Z'",
    relation: "is None",
  };
  // Elements of elements are reached through an element.
  if (iterableName !== null) {
    const top = vocabularyOf(grain).find((term) => term.name === iterableName && term.iterableName === null);
    if (top === undefined) return null;
    if (type === "iterable") return `any(len([i for i in e.${name}]) > 0 for e in ${iterableName})`;
    return `any(e.${name} ${compared[type]} for e in ${iterableName})`;
  }
  if (type === "iterable") return `len([e for e in ${name}]) > 0`;
  if (type === "containment") return `'x' in ${name}`;
  return `${name} ${compared[type]}`;
}

describe.each(["span", "trace", "session"] as const)("the words of conditions on a %s", (grain) => {
  test("are all understood", () => {
    const terms = vocabularyOf(grain).filter(({ category }) => category !== "function" && category !== "operator");
    for (const term of terms) {
      const condition = conditionOn(term, grain);
      if (condition !== null) expect(() => analyse(grain, condition)).not.toThrow();
    }
    expect(terms.length).toBeGreaterThan(20);
  });

  test("spell any attribute", () => {
    const paths = [
      ["user", "id"],
      ["a b"],
      ["it's"],
      ["a.b"],
      ["parent_span"],
      ["class", "x"],
      ["name"],
      ["llm", "ü"],
      ["ｎ"],
    ];
    for (const path of [...paths, ["metadata", "k"], ["metadata", "a", "b"], ["cost_details"], ["latency_ms", "x"]]) {
      expect(() => analyse(grain, `${attributeName(grain, path)} == 'x'`)).not.toThrow();
    }
  });
});

test("a sample tells types and frequent values, and leaves prose and lists out", () => {
  const sample = Array.from({ length: 300 }, (_, at) => ({
    model: at % 3 === 0 ? "b" : "a",
    id: `id ${at}`,
    text: "x".repeat(100),
    count: at,
    list: [1, 2],
    deep: { flag: at % 2 === 0 },
  }));
  const found = new Map(observePaths(sample).map(({ path, type, values }) => [path.join("."), { type, values }]));
  expect(Object.fromEntries(found)).toEqual({
    model: { type: "string", values: ["a", "b"] },
    id: { type: "string", values: [] },
    text: { type: "string", values: [] },
    count: { type: "number", values: [] },
    "deep.flag": { type: "boolean", values: [] },
  });
});

forEachDriver("vocabularies of a project", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    const span = (number: number, attributes: object, parent?: number) => ({
      name: number % 2 === 0 ? "turn" : "model call",
      context: { trace_id: `${parent ?? number}`.padStart(32, "0"), span_id: `${number}`.padStart(16, "0") },
      ...(parent === undefined ? {} : { parent_id: `${parent}`.padStart(16, "0") }),
      span_kind: "CHAIN",
      start_time: `2025-03-01T12:00:0${number}Z`,
      end_time: `2025-03-01T12:00:0${number}Z`,
      status_code: "OK",
      attributes,
    });
    const root = { "session.id": "s", "user.id": "ada", metadata: { tier: "gold" }, "app.key with blank": 1 };
    const json = [
      span(2, root),
      span(3, { "llm.model_name": "gpt-4o", "big.text": "x".repeat(300_000) }, 2),
      span(4, root),
    ];
    await send(api.server, "POST /v1/projects/words/spans", { json: { data: json } });
  });

  const terms = async (field: string) => {
    const { project } = await askData<{ project: { found: Term[] } }>(
      api,
      `{ project: getProjectByName(name: "words") { found: ${field} { name type category iterableName values description } } }`,
    );
    return new Map(project.found.filter(({ iterableName }) => iterableName === null).map((term) => [term.name, term]));
  };

  test("annotations by the names that the project has", async () => {
    const annotation = { label: "good", score: 1, explanation: null, identifier: "", annotatorKind: "HUMAN" as const };
    await storeAnnotations(api.stored, [
      { ...annotation, owner: "span", key: "2".padStart(16, "0"), name: "quality" },
      { ...annotation, owner: "span", key: "4".padStart(16, "0"), name: "it's" },
      { ...annotation, owner: "trace", key: "2".padStart(32, "0"), name: "verdict" },
      { ...annotation, owner: "trace", key: "4".padStart(32, "0"), name: "tone" },
      { ...annotation, owner: "session", key: "s", name: "mood" },
    ]);
    const named = async (field: string) =>
      [...(await terms(field)).values()].filter(({ category }) => category === "annotation").map(({ name }) => name);
    const spans = await named("spanFilterVocabulary");
    expect(spans).toContain("annotations['quality'].score");
    expect(spans).toContain("annotations['it\\'s']");
    expect(spans).toContain("trace_annotations['verdict'].label");
    for (const name of spans) expect(() => analyse("span", `${name} is not None`)).not.toThrow();
    expect(spans).toHaveLength(24);
    expect(await named("traceFilterVocabulary")).toContain("trace_annotations['tone'].identifier");
    expect(await named("sessionFilterVocabulary")).toContain("session_annotations['mood'].explanation");
  });

  test("names of annotations that the project does not have are warned of, of traces and sessions", async () => {
    const warnings = async (field: string, condition: string) => {
      const { project } = await askData<{ project: { found: { isValid: boolean; warnings: string[] } } }>(
        api,
        `query ($condition: String!) { project: getProjectByName(name: "words") {
          found: ${field}(condition: $condition) { isValid warnings } } }`,
        { condition },
      );
      expect(project.found.isValid).toBe(true);
      return project.found.warnings;
    };
    expect(await warnings("validateTraceFilterCondition", "trace_annotations['verdict'].score > 1")).toEqual([]);
    expect(await warnings("validateTraceFilterCondition", "trace_annotations['verdikt'].score > 1")).toEqual([
      'no trace of the project has an annotation "verdikt"; there are "verdict", "tone"',
    ]);
    expect(await warnings("validateSessionFilterCondition", "session_annotations['Mood']")).toEqual([
      'no session of the project has an annotation "Mood"; there are "mood"',
    ]);
    expect(await warnings("validateSpanFilterCondition", "annotations['nothing']")).toEqual([]);
    expect(await warnings("validateTraceFilterCondition", "")).toEqual([]);
  });

  test("spans: fields, functions, attributes and values", async () => {
    const found = await terms("spanFilterVocabulary");
    expect(found.get("name")).toMatchObject({ type: "string", category: "span", values: ["turn", "model call"] });
    expect(found.get("llm.model_name")).toMatchObject({ type: "string", category: "attribute", values: ["gpt-4o"] });
    expect(found.get("metadata['tier']")?.values).toEqual(["gold"]);
    expect(found.get("attributes['app']['key with blank']")?.type).toBe("number");
    expect(found.get("span_kind")?.values).toContain("LLM");
    expect(found.get("len")?.category).toBe("function");
    expect(found.get("is None")?.category).toBe("operator");
    for (const term of found.values()) {
      if (term.category === "attribute") expect(() => analyse("span", conditionOn(term, "span")!)).not.toThrow();
    }
  });

  test("spans of a time: only what starts in it", async () => {
    const found = await terms('spanFilterVocabulary(timeRange: { start: "2025-03-01T12:00:04Z" })');
    expect(found.get("name")?.values).toEqual(["turn"]);
    expect(found.has("llm.model_name")).toBe(false);
  });

  test.each(["traceFilterVocabulary", "sessionFilterVocabulary"])("%s: attributes of root spans", async (field) => {
    const found = await terms(field);
    expect(found.get("user.id")).toMatchObject({ type: "string", values: ["ada"] });
    expect(found.get("metadata['tier']")).toMatchObject({ category: "attribute", values: ["gold"] });
    expect(found.get("attributes['app.key with blank']")?.type).toBe("number");
    expect([...found.keys()].some((name) => name.includes("model_name"))).toBe(false);
    expect(found.get("spans")).toMatchObject({ type: "iterable", category: "iterable" });
    const grain = field.startsWith("trace") ? "trace" : "session";
    for (const term of found.values()) expect(() => analyse(grain, conditionOn(term, grain)!)).not.toThrow();
  });

  test("a project without spans has the words of the languages", async () => {
    const { project } = await askData<{ project: Record<string, Term[]> }>(
      api,
      `{ project: getProjectByName(name: "default") { streamingLastUpdatedAt
        spanFilterVocabulary { name } traceFilterVocabulary { name } sessionFilterVocabulary { name } } }`,
    );
    expect(project.streamingLastUpdatedAt).toBeNull();
    expect(project.spanFilterVocabulary?.length).toBe(vocabularyOf("span").length);
    expect(project.traceFilterVocabulary?.length).toBe(vocabularyOf("trace").length);
    expect(project.sessionFilterVocabulary?.length).toBe(vocabularyOf("session").length);
  });

  test.each([
    `{ project: getProjectByName(name: "words") { at: streamingLastUpdatedAt } }`,
    `{ at: projectsLastUpdatedAt }`,
  ])("the moment of the last change stays until spans arrive or go: %s", async (query) => {
    const moment = async () => {
      const answer = await askData<{ project?: { at: string }; at?: string }>(api, query);
      return (answer.project ?? answer).at!;
    };
    const changedAfter = async (change: () => Promise<unknown>) => {
      const before = await moment();
      expect(await moment()).toBe(before);
      await change();
      return (await moment()) > before;
    };
    const late = { name: "late", context: { trace_id: "f".repeat(32), span_id: "f".repeat(16) } };
    const times = { start_time: "2025-03-01T13:00:00Z", end_time: "2025-03-01T13:00:00Z" };
    const data = [{ ...late, ...times, span_kind: "CHAIN", status_code: "OK" }];
    expect(await changedAfter(() => send(api.server, "POST /v1/projects/words/spans", { json: { data } }))).toBe(true);
    expect(await changedAfter(() => send(api.server, `DELETE /v1/spans/${"f".repeat(16)}`))).toBe(true);
    expect(await changedAfter(async () => null)).toBe(false);
  });
});
