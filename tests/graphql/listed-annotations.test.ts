// Annotations of the rows of a list, beside it: each count leads, by the condition that its click writes, to as many rows as it counts,
// and the means and shares are those of the rows, under any filter, search and range, on both databases.

import { beforeAll, describe, expect, test } from "bun:test";
import { scoreBounds } from "../../src/modules/evaluation/annotations/lists/score-bands.rules.ts";
import type { Facet } from "../../src/web/explorer/facets.ts";
import {
  bandOf,
  labelFacet,
  presenceFacet,
  scoreFacet,
  type VerdictList,
} from "../../src/web/explorer/verdicts/verdict-facets.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { instantOf, spanIdOf, traceIdOf } from "../support/search-data.ts";
import { openForSuite } from "../support/suite.ts";

const TRACES = 24;
const numbers = Array.from({ length: TRACES }, (_, at) => at);
const everything = { start: instantOf(0), end: instantOf(10_000) };
const targets = ["spans", "traces", "sessions"] as const;
const lists = [...targets, "roots"] as const;

function spanOf(at: number) {
  return {
    name: `answer ${at % 3}`,
    context: { trace_id: traceIdOf(`t${at}`), span_id: spanIdOf(`s${at}`) },
    parent_id: null,
    span_kind: "AGENT",
    start_time: instantOf(at * 10),
    end_time: instantOf(at * 10 + 1),
    status_code: "OK",
    status_message: "",
    attributes: {
      "input.value": at % 3 === 0 ? `where is Parcel ${at}` : `question ${at}`,
      "session.id": `session ${at}`,
    },
  };
}

interface Said {
  readonly at: number;
  readonly name: string;
  readonly identifier: string;
  readonly annotator_kind: "HUMAN" | "LLM" | "CODE";
  readonly result: { readonly label?: string; readonly score?: number; readonly explanation?: string };
}

/** People judge some, programs others, some both; `it's` has scores alone. */
const said: readonly Said[] = numbers.flatMap((at): Said[] => [
  ...(at % 4 === 0
    ? []
    : [
        {
          at,
          name: "helpful",
          identifier: "",
          annotator_kind: "HUMAN" as const,
          result: at % 7 === 0 ? { explanation: "hard to say" } : { label: at % 5 < 2 ? "no" : "yes", score: at / 24 },
        },
      ]),
  ...(at % 3 === 1
    ? [
        {
          at,
          name: "helpful",
          identifier: "judge",
          annotator_kind: at % 2 ? ("LLM" as const) : ("CODE" as const),
          result: at % 5 === 0 ? { score: 0.1 } : { label: at % 2 ? "yes" : "no", score: 1 },
        },
      ]
    : []),
  ...(at % 2 ? [{ at, name: "it's", identifier: "", annotator_kind: "LLM" as const, result: { score: at - 12 } }] : []),
  { at, name: "same", identifier: "", annotator_kind: "CODE" as const, result: { score: 1 } },
]);

const FIELDS = `name count labelledCount scoredCount meanScore labels { label count fraction } scores { min max count } disputedCount`;

interface Figures {
  readonly name: string;
  readonly count: number;
  readonly labelledCount: number;
  readonly scoredCount: number;
  readonly meanScore: number | null;
  readonly labels: readonly { readonly label: string; readonly count: number; readonly fraction: number }[];
  readonly scores: readonly { readonly min: number | null; readonly max: number | null; readonly count: number }[];
  readonly disputedCount: number;
}

interface Given {
  readonly range?: object;
  readonly text?: string;
  readonly condition?: (list: VerdictList) => string;
}

const cases: readonly (readonly [name: string, given: Given])[] = [
  ["no filter", {}],
  ["a range", { range: { start: instantOf(33), end: instantOf(171) } }],
  ["a search", { text: "PARCEL" }],
  ["a search in a range", { text: "parcel", range: { start: instantOf(15), end: instantOf(200) } }],
  ["what was said under another name", { condition: (list) => scoreFacet(list, "it's").toggle("", "-5:", "included") }],
  [
    "rows that nothing was said of",
    { condition: (list) => presenceFacet(list, "same").toggle("", "none", "included") },
  ],
];

/** A part of a GraphQL query with its arguments: of what is listed, and of the list itself. */
const parts = {
  spans: (text?: string) => ({
    figures: `listed: listedSpans(timeRange: $range, filterCondition: $condition, text: $text) { annotations { ${FIELDS} } }`,
    rows: `list: ${text === undefined ? "spans" : "searchSpans"}(first: 1000, timeRange: $range, filterCondition: $condition${
      text === undefined ? "" : ", text: $text"
    }) { edges { node { id name: spanId } } }`,
  }),
  traces: (text?: string) => ({
    figures: `listed: listedTraces(timeRange: $range, filterCondition: $condition, text: $text) { annotations { ${FIELDS} } }`,
    rows: `list: ${text === undefined ? "traces" : "searchTraces"}(first: 1000, timeRange: $range, filterCondition: $condition${
      text === undefined ? "" : ", text: $text"
    }) { edges { node { id name: traceId } } }`,
  }),
  roots: (text?: string) => ({
    ...parts.traces(text),
    figures: `listed: listedTraces(timeRange: $range, filterCondition: $condition, text: $text) { annotations: rootSpanAnnotations { ${FIELDS} } }`,
  }),
  sessions: () => ({
    figures: `listed: listedSessionAnnotations(timeRange: $range, sessionFilterCondition: $condition) { ${FIELDS} }`,
    rows: `list: sessions(first: 1000, timeRange: $range, sessionFilterCondition: $condition) { edges { node { id name: sessionId } } }`,
  }),
};

const keyOf = {
  spans: (at: number) => spanIdOf(`s${at}`),
  traces: (at: number) => traceIdOf(`t${at}`),
  roots: (at: number) => traceIdOf(`t${at}`),
  sessions: (at: number) => `session ${at}`,
};

test("bounds of scores are round, and between the lowest and the highest", () => {
  expect(scoreBounds(0, 1)).toEqual([0.25, 0.5, 0.75]);
  expect(scoreBounds(1, 5)).toEqual([2, 3, 4]);
  expect(scoreBounds(-11, 11)).toEqual([-10, 0, 10]);
  expect(scoreBounds(0.02, 0.031)).toEqual([0.025, 0.03]);
  expect(scoreBounds(1, 1)).toEqual([]);
  expect(scoreBounds(-1e308, 1e308)).toEqual([]);
});

forEachDriver("annotations of the rows of a list", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    for (const project of ["judged", "other"]) {
      const data = numbers.map(spanOf).map((span) => ({
        ...span,
        context:
          project === "judged"
            ? span.context
            : {
                trace_id: traceIdOf(`other ${span.context.trace_id}`),
                span_id: spanIdOf(`other ${span.context.span_id}`),
              },
      }));
      const response = await send(api.server, `POST /v1/projects/${project}/spans`, { json: { data } });
      expect(response.status).toBe(202);
    }
    for (const list of targets) {
      const word = list.slice(0, -1);
      const data = said.map(({ at, ...one }) => ({ ...one, [`${word}_id`]: keyOf[list](at) }));
      const elsewhere =
        list === "spans"
          ? [{ ...data[0]!, span_id: spanIdOf(`other ${keyOf.spans(0)}`), result: { label: "elsewhere" } }]
          : [];
      const response = await send(api.server, `POST /v1/${word}_annotations?sync=true`, {
        json: { data: [...data, ...elsewhere] },
      });
      if (response.status !== 200) throw new Error(await response.text());
    }
  });

  async function ask<Answer>(list: VerdictList, part: "figures" | "rows", { range, text }: Given, condition: string) {
    const query = `query ($range: TimeRange, $condition: String${text === undefined ? "" : ", $text: String!"}) {
      project: getProjectByName(name: "judged") { ${parts[list](text)[part]} } }`.replace(
      text === undefined ? ", text: $text" : "\n\n",
      "",
    );
    const variables = { range: range ?? everything, condition, text };
    return (await askData<{ project: Answer }>(api, query, variables)).project;
  }

  const rowsOf = async (list: VerdictList, given: Given, condition: string) =>
    (await ask<{ list: { edges: { node: { name: string } }[] } }>(list, "rows", given, condition)).list.edges.map(
      ({ node }) => node.name,
    );

  async function figuresOf(list: VerdictList, given: Given, condition: string): Promise<readonly Figures[]> {
    const { listed } = await ask<{ listed: { annotations: Figures[] } | Figures[] }>(list, "figures", given, condition);
    return "annotations" in listed ? listed.annotations : listed;
  }

  /** Sessions are searched by a condition of their own. */
  const casesOf = (list: VerdictList) => cases.filter(([, { text }]) => text === undefined || list !== "sessions");

  describe.each(lists)("%s", (list) => {
    test.each(casesOf(list))("with %s", async (_name, given) => {
      const condition = given.condition?.(list) ?? "";
      const rows = new Set(await rowsOf(list, given, condition));
      const listed = said.filter(({ at }) => rows.has(keyOf[list](at)));
      const figures = await figuresOf(list, given, condition);
      expect(figures.map(({ name }) => name).toSorted()).toEqual([...new Set(listed.map(({ name }) => name))].sort());
      for (const one of figures) {
        const ofName = listed.filter(({ name }) => name === one.name);
        const means = [...Map.groupBy(ofName, ({ at }) => at).values()].flatMap((same) => {
          const scores = same.flatMap(({ result }) => result.score ?? []);
          return scores.length === 0 ? [] : [scores.reduce((sum, score) => sum + score, 0) / scores.length];
        });
        expect(one.scoredCount).toBe(means.length);
        expect(one.meanScore!).toBeCloseTo(means.reduce((sum, mean) => sum + mean, 0) / means.length, 10);
        expect(one.labels.reduce((sum, { fraction }) => sum + fraction, 0)).toBeCloseTo(
          one.labels.length > 0 ? 1 : 0,
          10,
        );
        const clicks: (readonly [Facet, string, number])[] = [
          [presenceFacet(list, one.name), "some", one.count],
          [presenceFacet(list, one.name), "none", rows.size - one.count],
          [presenceFacet(list, one.name), "disputed", one.disputedCount],
          ...one.labels.map(({ label, count }) => [labelFacet(list, one.name), label, count] as const),
          ...one.scores.map((band) => [scoreFacet(list, one.name), bandOf(band), band.count] as const),
        ];
        for (const [facet, value, count] of clicks) {
          // What is asked for already is taken back by a click.
          const chosen = facet.stateOf(condition, value) !== null || condition.includes(one.name);
          if (chosen) continue;
          const found = await rowsOf(list, given, facet.toggle(condition, value, "included"));
          expect([one.name, value, found.length]).toEqual([one.name, value, count]);
          const facetState = facet.stateOf(facet.toggle(condition, value, "included"), value);
          expect(facetState).toBe("included");
        }
      }
    });

    test("people and programs disagree in some", async () => {
      const [helpful] = (await figuresOf(list, {}, "")).filter(({ name }) => name === "helpful");
      expect(helpful!.disputedCount).toBeGreaterThan(1);
      const found = await rowsOf(list, {}, presenceFacet(list, "helpful").toggle("", "disputed", "included"));
      const differ = numbers.filter((at) => {
        const of = said.filter((one) => one.at === at && one.name === "helpful");
        const [person, program] = [
          of.find((one) => one.identifier === ""),
          of.find((one) => one.identifier === "judge"),
        ];
        if (person === undefined || program === undefined || person.result.score === undefined) return false;
        const [label, other] = [person.result.label, program.result.label];
        return label !== undefined && other !== undefined
          ? label !== other
          : person.result.score < 0.5 !== program.result.score! < 0.5;
      });
      expect(found.toSorted()).toEqual(differ.map(keyOf[list]).toSorted());
    });
  });

  test("of a trace the annotations of the span that represents it: not those below it, but those of an orphan", async () => {
    const span = (trace: string, name: string, parent: string | null, second: number) => ({
      ...spanOf(second),
      name,
      context: { trace_id: traceIdOf(trace), span_id: spanIdOf(`${trace} ${name}`) },
      parent_id: parent === null ? null : spanIdOf(`${trace} ${parent}`),
    });
    const data = [
      span("whole", "root", null, 1),
      span("whole", "step", "root", 2),
      span("cut", "step", "lost", 3),
      span("twice", "first", null, 4),
      span("twice", "second", null, 5),
    ];
    expect((await send(api.server, "POST /v1/projects/nested/spans", { json: { data } })).status).toBe(202);
    const say = (trace: string, name: string, label: string, kind = "HUMAN") => ({
      ...{ span_id: spanIdOf(`${trace} ${name}`), name: "depth", identifier: kind, annotator_kind: kind },
      result: { label },
    });
    const said = [
      say("whole", "root", "top"),
      say("whole", "root", "bottom", "LLM"),
      say("whole", "step", "below"),
      say("cut", "step", "orphan"),
      say("twice", "second", "later"),
    ];
    expect((await send(api.server, "POST /v1/span_annotations?sync=true", { json: { data: said } })).status).toBe(200);
    const query = `query ($condition: String) { project: getProjectByName(name: "nested") {
      listedTraces(filterCondition: $condition) { rootSpanAnnotations { name count labels { label count } disputedCount } }
      traces(first: 10, filterCondition: $condition) { edges { node { traceId } } }
      traceFilterVocabulary { name } } }`;
    const ask = async (condition: string) => {
      const { project } = await askData<{
        project: {
          listedTraces: { rootSpanAnnotations: object[] };
          traces: { edges: { node: { traceId: string } }[] };
          traceFilterVocabulary: { name: string }[];
        };
      }>(api, query, { condition });
      return { ...project, found: project.traces.edges.map(({ node }) => node.traceId).sort() };
    };
    const all = await ask("");
    expect(all.listedTraces.rootSpanAnnotations).toEqual([
      {
        name: "depth",
        count: 2,
        labels: [
          { label: "bottom", count: 1 },
          { label: "orphan", count: 1 },
          { label: "top", count: 1 },
        ],
        disputedCount: 1,
      },
    ]);
    expect(all.traceFilterVocabulary.map(({ name }) => name)).toContain("root_annotations['depth'].label");
    const ids = (...names: string[]) => names.map(traceIdOf).sort();
    expect((await ask("root_annotations['depth']")).found).toEqual(ids("whole", "cut"));
    expect((await ask("not root_annotations['depth']")).found).toEqual(ids("twice"));
    expect((await ask("root_annotations['depth'].label == 'below'")).found).toEqual([]);
    expect((await ask("root_annotations['depth'].label in ['orphan', 'later']")).found).toEqual(ids("cut"));
    expect((await ask("root_annotations['depth'].disputed and num_spans > 1")).found).toEqual(ids("whole"));
    const checked = await askData<{ project: { checked: { isValid: boolean; warnings: string[] } } }>(
      api,
      `query ($condition: String!) { project: getProjectByName(name: "nested") {
        checked: validateTraceFilterCondition(condition: $condition) { isValid warnings } } }`,
      { condition: "root_annotations['dept']" },
    );
    expect(checked.project.checked).toEqual({
      isValid: true,
      warnings: ['no span of the project has an annotation "dept"; there are "depth"'],
    });
  });

  test("as many names as are asked for, and no more than a bound", async () => {
    const query = (first: number) =>
      `{ project: getProjectByName(name: "judged") { listedSpans { annotations(first: ${first}) { name } } } }`;
    const found = await askData<{ project: { listedSpans: { annotations: unknown[] } } }>(api, query(1));
    expect(found.project.listedSpans.annotations).toEqual([{ name: "same" }]);
    for (const first of [0, 51]) expect(await askRefusal(api, query(first))).toContain("first: must be from 1 to 50");
  });
});
