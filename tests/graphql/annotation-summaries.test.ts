// Summaries of annotations in GraphQL: of one span and over a project, in ranges and under conditions, on both databases.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { formatInstant } from "../../src/kernel/time.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const HOUR_US = 3600 * 1_000_000;
const SUMMARY = "name count scoreCount labelCount meanScore labels labelFractions { label fraction }";

forEachDriver("summaries of annotations", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    await ingestBatch(
      api.stored.ingest,
      [0, 1, 2].map((number) =>
        incomingSpan({
          projectName: "judged",
          spanKey: `s${number}`,
          traceKey: `t${number}`,
          sessionKey: `c${number}`,
          name: `span ${number}`,
          startUs: START_US + number * HOUR_US,
          endUs: START_US + number * HOUR_US + 1000,
        }),
      ),
    );
    await ingestBatch(api.stored.ingest, [incomingSpan({ projectName: "other", spanKey: "o", traceKey: "o" })]);
    const say = (number: number | string, identifier: string, result: object, name = "q") => ({
      ...{ span_id: `s${number}`, trace_id: `t${number}`, session_id: `c${number}` },
      ...{ name, identifier, annotator_kind: "HUMAN", result },
    });
    const data = [
      say(0, "1", { label: "good", score: 1 }),
      say(0, "2", { label: "bad", score: 0 }),
      say(0, "3", { label: "good" }),
      say(1, "1", { score: 0.25 }),
      say(2, "1", { label: "bad", score: 1 }),
      say(2, "2", { explanation: "neither" }),
      say(2, "1", { explanation: "neither" }, "words"),
      { ...say(0, "1", { label: "good", score: 9 }), span_id: "o" },
    ];
    for (const target of ["span", "trace", "session"]) {
      const said = target === "span" ? data : data.slice(0, -1);
      const answer = await send(api.server, `POST /v1/${target}_annotations?sync=true`, { json: { data: said } });
      if (answer.status !== 200) throw new Error(await answer.text());
    }
  });

  const ask = async (fields: string) =>
    (
      await askData<{ project: Record<string, unknown> }>(
        api,
        `{ project: getProjectByName(name: "judged") { ${fields} } }`,
      )
    ).project;

  test.each(["span", "trace", "session"])("over a project, of every %s alike", async (target) => {
    const field = `${target}AnnotationSummary(annotationName: "q"`;
    const after = `timeRange: {start: "${formatInstant(START_US + HOUR_US)}"}`;
    const found = await ask(
      `all: ${field}) { ${SUMMARY} } late: ${field}, ${after}) { ${SUMMARY} } words: ${target}AnnotationSummary(annotationName: "words") { name }`,
    );
    const all = found.all as { meanScore: number; labelFractions: { label: string; fraction: number }[] };
    expect(all).toMatchObject({ name: "q", count: 5, scoreCount: 4, labelCount: 4, labels: ["bad", "good"] });
    expect(all.meanScore).toBeCloseTo((0.5 + 0.25 + 1) / 3, 12);
    const fractions = Object.fromEntries(all.labelFractions.map(({ label, fraction }) => [label, fraction]));
    expect(fractions.good).toBeCloseTo(2 / 3 / 3, 12);
    expect(fractions.bad).toBeCloseTo((1 / 3 + 1) / 3, 12);
    expect(found.late).toEqual({
      ...{ name: "q", count: 2, scoreCount: 2, labelCount: 1, meanScore: 0.625, labels: ["bad"] },
      labelFractions: [{ label: "bad", fraction: 0.5 }],
    });
    expect(found.words).toBeNull();
  });

  test("under a condition", async () => {
    const { one, none } = await ask(
      `one: spanAnnotationSummary(annotationName: "q", filterCondition: "name == 'span 1'") { count meanScore }
       none: traceAnnotationSummary(annotationName: "q", filterCondition: "name == 'nobody'") { count }`,
    );
    expect({ one, none }).toEqual({ one: { count: 1, meanScore: 0.25 }, none: null });
  });

  test("of one span, plainly", async () => {
    const found = await askData<{ span: { spanAnnotationSummaries: unknown[] } }>(
      api,
      `{ span: getSpanByOtelId(spanId: "s0") { spanAnnotationSummaries { name count scoreCount labelCount meanScore labels } } }`,
    );
    expect(found.span.spanAnnotationSummaries).toEqual([
      { name: "q", count: 3, scoreCount: 2, labelCount: 3, meanScore: 0.5, labels: ["bad", "good"] },
    ]);
  });

  test("the names in use, and those with figures in a range", async () => {
    const early = `timeRange: {start: "${formatInstant(START_US)}", end: "${formatInstant(START_US + HOUR_US)}"}`;
    expect(
      await ask(
        `spanAnnotationNames traceAnnotationsNames traceAnnotationNames sessionAnnotationNames
         spanAnnotationNameCounts { name count } spanAnnotationMetricNames(${early})`,
      ),
    ).toEqual({
      spanAnnotationNames: ["q", "words"],
      traceAnnotationsNames: ["q", "words"],
      traceAnnotationNames: ["q", "words"],
      sessionAnnotationNames: ["q", "words"],
      spanAnnotationNameCounts: [
        { name: "q", count: 6 },
        { name: "words", count: 1 },
      ],
      spanAnnotationMetricNames: ["q"],
    });
  });

  test.each(["span", "trace", "session"])("over time, by the start of the %s", async (target) => {
    const range = `timeRange: {start: "${formatInstant(START_US)}", end: "${formatInstant(START_US + 4 * HOUR_US)}"}`;
    const { scores, metrics } = (await ask(
      `scores: ${target}AnnotationScoreTimeSeries(${range}) { names data { scoresWithLabels { label score } } }
       metrics: ${target}AnnotationMetricsTimeSeries(${range}, annotationName: "q") { names data { annotationSummaries { count labels } } }`,
    )) as Record<string, { names: string[]; data: Record<string, unknown[]>[] }>;
    expect([scores!.names, metrics!.names]).toEqual([["q"], ["q"]]);
    const filled = scores!.data.flatMap(({ scoresWithLabels }) => scoresWithLabels!);
    expect(filled).toEqual([0.5, 0.25, 1].map((score) => ({ label: "q", score })));
    expect(metrics!.data.flatMap(({ annotationSummaries }) => annotationSummaries!)).toEqual([
      { count: 3, labels: ["bad", "good"] },
      { count: 1, labels: [] },
      { count: 1, labels: ["bad"] },
    ]);
    expect(scores!.data.length).toBeGreaterThanOrEqual(4);
  });

  test.each(["span", "trace", "session"])("people and programs apart, of every %s alike", async (target) => {
    const given = [
      ...[0, 1, 2].map((number) => ({ number, hour: Math.floor(number / 2) })),
      // Without any score of a program.
      { number: 3, hour: 2 },
    ];
    await ingestBatch(
      api.stored.ingest,
      given.map(({ number, hour }) => {
        const keys = {
          spanKey: `${target} m${number}`,
          traceKey: `${target} m${number}`,
          sessionKey: `${target} m${number}`,
        };
        return incomingSpan({ projectName: `mixed ${target}`, ...keys, startUs: START_US + hour * HOUR_US });
      }),
    );
    const say = (number: number, annotator_kind: string, result: object, identifier: string = annotator_kind) => ({
      ...{ [`${target}_id`]: `${target} m${number}`, name: "q", identifier, annotator_kind, result },
    });
    const data = [
      ...[say(0, "HUMAN", { score: 1 }), say(0, "HUMAN", { score: 0 }, "other"), say(0, "LLM", { score: 0.25 })],
      ...[say(1, "HUMAN", { score: 1 }), say(1, "LLM", { score: 1 }), say(1, "CODE", { score: 0 })],
      ...[say(2, "CODE", { score: 0.125 }), say(2, "HUMAN", { label: "fine" })],
      say(3, "HUMAN", { score: 0.75 }),
    ];
    const answer = await send(api.server, `POST /v1/${target}_annotations?sync=true`, { json: { data } });
    expect(answer.status).toBe(200);
    const range = `timeRange: {start: "${formatInstant(START_US)}", end: "${formatInstant(START_US + 3 * HOUR_US)}"}`;
    const means = "meanScore humanMeanScore programMeanScore";
    const { project } = await askData<{
      project: { all: unknown; series: { data: { annotationSummaries: unknown[] }[] } };
    }>(
      api,
      `{ project: getProjectByName(name: "mixed ${target}") {
        all: ${target}AnnotationSummary(annotationName: "q") { ${means} }
        series: ${target}AnnotationMetricsTimeSeries(${range}) { data { annotationSummaries { ${means} } } } } }`,
    );
    const first = { meanScore: (1.25 / 3 + 2 / 3) / 2, humanMeanScore: 0.75, programMeanScore: 0.375 };
    expect(project.series.data.flatMap(({ annotationSummaries }) => annotationSummaries)).toEqual([
      first,
      { meanScore: 0.125, humanMeanScore: null, programMeanScore: 0.125 },
      { meanScore: 0.75, humanMeanScore: 0.75, programMeanScore: null },
    ]);
    expect(project.all).toMatchObject({ humanMeanScore: 0.75, programMeanScore: (0.25 + 0.5 + 0.125) / 3 });
    const ofOne = await askData(
      api,
      target === "span"
        ? `{ one: getSpanByOtelId(spanId: "span m0") { summaries: spanAnnotationSummaries { ${means} } } }`
        : target === "trace"
          ? `{ one: getTraceByOtelId(traceId: "trace m0") { summaries: traceAnnotationSummaries { ${means} } } }`
          : `{ one: getProjectSessionById(sessionId: "session m0") { summaries: sessionAnnotationSummaries { ${means} } } }`,
    );
    expect(ofOne).toEqual({
      one: { summaries: [{ meanScore: 1.25 / 3, humanMeanScore: 0.5, programMeanScore: 0.25 }] },
    });
  });
});
