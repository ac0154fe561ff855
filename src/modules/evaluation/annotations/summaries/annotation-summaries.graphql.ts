// Summaries of annotations in GraphQL, and the names in use.
import type { GraphqlCall } from "../../../../graphql/call.ts";
import { labelFractionType } from "../../../../graphql/label-fraction.ts";
import { binsOf, rangeOf, requirePeriodOf, scopeOf } from "../../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { PROJECT } from "../../../tracing/projects/projects.schema.ts";
import { SESSION } from "../../../tracing/sessions/sessions.schema.ts";
import { SPAN } from "../../../tracing/spans/spans.schema.ts";
import { TRACE } from "../../../tracing/traces/traces.schema.ts";
import { type TargetKind, targetKinds } from "../annotation-targets.rules.ts";
import type { AnnotationSummary } from "../annotations.schema.ts";
import type { AnnotationsService } from "../annotations.service.ts";
import { annotationFilterInput, narrowed } from "../lists/annotation-lists.graphql.ts";
import { summariesOf } from "./annotation-summaries.rules.ts";
import type { AnnotationBin, AnnotationSeries, AnnotationSummariesService } from "./annotation-summaries.service.ts";

const { span, trace, session } = targetKinds;
const summaryRef = ({ builder }: GraphqlTypes) => builder.objectRef<AnnotationSummary>("AnnotationSummary");

export function addAnnotationSummaries(
  types: GraphqlTypes,
  annotations: AnnotationsService,
  summaries: AnnotationSummariesService,
): void {
  const { builder } = types;
  const LabelFraction = labelFractionType(types);
  const Summary = summaryRef(types);
  Summary.implement({
    description: "Over a project, means of the means of what was judged: what was judged often does not weigh more.",
    fields: (t) => ({
      name: t.exposeString("name"),
      count: t.exposeInt("count", { description: "Annotations with a label or a score." }),
      labels: t.stringList({ resolve: ({ labels }) => labels.map(({ label }) => label) }),
      labelFractions: t.field({ type: [LabelFraction], resolve: ({ labels }) => [...labels] }),
      meanScore: t.exposeFloat("meanScore", { nullable: true }),
      humanMeanScore: t.exposeFloat("humanMeanScore", {
        nullable: true,
        description: "Of the scores that people gave.",
      }),
      programMeanScore: t.exposeFloat("programMeanScore", {
        nullable: true,
        description: "Of the scores of models and code.",
      }),
      scoreCount: t.exposeInt("scoreCount"),
      labelCount: t.exposeInt("labelCount"),
    }),
  });
  const loadOf = (kind: TargetKind) => (context: CallContext, ids: readonly number[]) =>
    annotations.listOf(context, kind, ids);
  const loads = { span: loadOf(span), trace: loadOf(trace), session: loadOf(session) };
  const filter = annotationFilterInput(types);
  const summariesFor = async (
    call: GraphqlCall,
    target: keyof typeof loads,
    id: number,
    given: Parameters<typeof narrowed>[1],
  ) => summariesOf(narrowed((await call.load(loads[target], id, null)) ?? [], given));
  builder.objectField(types.ref(SPAN), "spanAnnotationSummaries", (t) =>
    t.field({
      type: [Summary],
      args: { filter: t.arg({ type: filter }) },
      resolve: ({ id }, given, call) => summariesFor(call, "span", id, given.filter),
    }),
  );
  builder.objectField(types.ref(TRACE), "traceAnnotationSummaries", (t) =>
    t.field({
      type: [Summary],
      args: { filter: t.arg({ type: filter }) },
      resolve: ({ id }, given, call) => summariesFor(call, "trace", id, given.filter),
    }),
  );
  builder.objectField(types.ref(SESSION), "sessionAnnotationSummaries", (t) =>
    t.field({
      type: [Summary],
      args: { filter: t.arg({ type: filter }) },
      resolve: ({ id }, given, call) => summariesFor(call, "session", id, given.filter),
    }),
  );

  builder.objectFields(types.ref(PROJECT), (t) => {
    const base = { annotationName: t.arg.string({ required: true }), timeRange: t.arg({ type: types.TimeRange }) };
    const both = { ...base, filterCondition: t.arg.string(), sessionFilterCondition: t.arg.string() };
    const summary = (kind: TargetKind) =>
      t.field({
        type: Summary,
        nullable: true,
        description: "Null without a label or a score of the name.",
        args: both,
        resolve: ({ id }, { annotationName: name, ...given }, call) =>
          call.readOnce(summaries.summary, kind, id, { ...scopeOf(given), name }),
      });
    return {
      spanAnnotationSummary: summary(span),
      traceAnnotationSummary: summary(trace),
      sessionAnnotationSummary: t.field({
        type: Summary,
        nullable: true,
        description: "Null without a label or a score of the name.",
        args: { ...base, sessionFilterCondition: t.arg.string() },
        resolve: ({ id }, { annotationName: name, ...given }, call) =>
          call.readOnce(summaries.summary, session, id, { ...scopeOf(given), name }),
      }),
    };
  });
  addAnnotationNames(types, summaries);
  addAnnotationSeries(types, summaries, Summary);
}

function addAnnotationSeries(
  types: GraphqlTypes,
  summaries: AnnotationSummariesService,
  Summary: ReturnType<typeof summaryRef>,
): void {
  const { builder, TimeRange, TimeBinConfig } = types;
  const Score = builder.objectRef<{ label: string; score: number }>("AnnotationScoreWithLabel").implement({
    fields: (t) => ({
      label: t.exposeString("label", { description: "The name of the annotation." }),
      score: t.exposeFloat("score", { description: "Mean." }),
    }),
  });
  const ScorePoint = builder.objectRef<AnnotationBin>("AnnotationScoreTimeSeriesDataPoint").implement({
    fields: (t) => ({
      timestamp: t.field({ type: "DateTime", resolve: ({ beginUs }) => beginUs }),
      scoresWithLabels: t.field({
        type: [Score],
        resolve: (bin) =>
          bin.summaries.flatMap(({ name, meanScore }) =>
            meanScore === null ? [] : [{ label: name, score: meanScore }],
          ),
      }),
    }),
  });
  const MetricsPoint = builder.objectRef<AnnotationBin>("AnnotationMetricsTimeSeriesDataPoint").implement({
    fields: (t) => ({
      timestamp: t.field({ type: "DateTime", resolve: ({ beginUs }) => beginUs }),
      annotationSummaries: t.field({ type: [Summary], resolve: (bin) => [...bin.summaries] }),
    }),
  });
  const ScoreSeries = builder.objectRef<AnnotationSeries>("AnnotationScoreTimeSeries").implement({
    fields: (t) => ({
      data: t.field({ type: [ScorePoint], resolve: ({ bins }) => [...bins] }),
      names: t.stringList({ resolve: ({ names }) => [...names] }),
    }),
  });
  const MetricsSeries = builder.objectRef<AnnotationSeries>("AnnotationMetricsTimeSeries").implement({
    fields: (t) => ({
      data: t.field({ type: [MetricsPoint], resolve: ({ bins }) => [...bins] }),
      names: t.stringList({ resolve: ({ names }) => [...names] }),
    }),
  });
  builder.objectFields(types.ref(PROJECT), (t) => {
    const range = {
      timeRange: t.arg({ type: TimeRange, required: true }),
      timeBinConfig: t.arg({ type: TimeBinConfig }),
    };
    const scores = (kind: TargetKind) =>
      t.field({
        type: ScoreSeries,
        args: range,
        resolve: ({ id }, { timeRange, timeBinConfig }, call) => {
          const period = { ...requirePeriodOf(timeRange, call.nowUs), name: null };
          return call.readOnce(summaries.series, kind, id, period, binsOf(timeBinConfig, period));
        },
      });
    const metrics = (kind: TargetKind) =>
      t.field({
        type: MetricsSeries,
        args: { ...range, annotationName: t.arg.string() },
        resolve: ({ id }, { timeRange, timeBinConfig, annotationName }, call) => {
          const period = { ...requirePeriodOf(timeRange, call.nowUs), name: annotationName ?? null };
          return call.readOnce(summaries.series, kind, id, period, binsOf(timeBinConfig, period));
        },
      });
    return {
      spanAnnotationScoreTimeSeries: scores(span),
      traceAnnotationScoreTimeSeries: scores(trace),
      sessionAnnotationScoreTimeSeries: scores(session),
      spanAnnotationMetricsTimeSeries: metrics(span),
      traceAnnotationMetricsTimeSeries: metrics(trace),
      sessionAnnotationMetricsTimeSeries: metrics(session),
    };
  });
}

function addAnnotationNames(types: GraphqlTypes, summaries: AnnotationSummariesService): void {
  const { builder } = types;
  const NameCount = builder
    .objectRef<{ readonly name: string; readonly count: number }>("AnnotationNameCount")
    .implement({
      fields: (t) => ({ name: t.exposeString("name"), count: t.exposeInt("count") }),
    });
  builder.objectFields(types.ref(PROJECT), (t) => {
    const names = (kind: TargetKind) =>
      t.stringList({
        description: "In use, notes among them.",
        resolve: async ({ id }, _given, call) =>
          (await call.readOnce(summaries.countNames, kind, id)).map(({ name }) => name),
      });
    const counts = (kind: TargetKind) =>
      t.field({
        type: [NameCount],
        resolve: ({ id }, _given, call) => call.readOnce(summaries.countNames, kind, id),
      });
    const metrics = (kind: TargetKind) =>
      t.stringList({
        description: "Names with a label or a score in the range.",
        args: { timeRange: t.arg({ type: types.TimeRange, required: true }) },
        resolve: async ({ id }, { timeRange }, call) => [
          ...(await call.readOnce(summaries.listMetricNames, kind, id, {
            ...rangeOf(timeRange),
            spanCondition: null,
            sessionCondition: null,
          })),
        ],
      });
    return {
      spanAnnotationNames: names(span),
      traceAnnotationsNames: names(trace),
      traceAnnotationNames: names(trace),
      sessionAnnotationNames: names(session),
      spanAnnotationNameCounts: counts(span),
      traceAnnotationNameCounts: counts(trace),
      sessionAnnotationNameCounts: counts(session),
      spanAnnotationMetricNames: metrics(span),
      traceAnnotationMetricNames: metrics(trace),
      sessionAnnotationMetricNames: metrics(session),
    };
  });
}
