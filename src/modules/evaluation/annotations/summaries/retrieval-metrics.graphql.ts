// How good retrievals were, in GraphQL: of a span by name, over a project, and the names in use on documents.
import { requireRowId } from "../../../../graphql/ids.ts";
import { scopeOf } from "../../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { PROJECT } from "../../../tracing/projects/projects.schema.ts";
import { SPAN } from "../../../tracing/spans/spans.schema.ts";
import { targetKinds } from "../annotation-targets.rules.ts";
import type { AnnotationsService } from "../annotations.service.ts";
import {
  type DocumentScores,
  documentScores,
  hit,
  meanOf,
  ndcg,
  precision,
  reciprocalRank,
} from "./retrieval-metrics.rules.ts";
import type { RetrievalMetricsService } from "./retrieval-metrics.service.ts";

interface SpanMetrics {
  readonly name: string;
  readonly scores: DocumentScores;
}

interface ProjectMetrics {
  readonly name: string;
  /** Of each span. */
  readonly scores: readonly DocumentScores[];
}

export function addRetrievalMetrics(
  types: GraphqlTypes,
  annotations: AnnotationsService,
  metrics: RetrievalMetricsService,
): void {
  const { builder } = types;
  const Metrics = builder.objectRef<SpanMetrics>("DocumentRetrievalMetrics").implement({
    description: "Null where a document that it depends on has no score. A score above zero is a hit.",
    fields: (t) => ({
      evaluationName: t.exposeString("name"),
      ndcg: t.float({
        nullable: true,
        args: { k: t.arg.int() },
        resolve: ({ scores }, { k }) => ndcg(scores, k ?? null),
      }),
      precision: t.float({
        nullable: true,
        args: { k: t.arg.int() },
        resolve: ({ scores }, { k }) => precision(scores, k ?? null),
      }),
      reciprocalRank: t.float({ nullable: true, resolve: ({ scores }) => reciprocalRank(scores) }),
      hit: t.float({ nullable: true, resolve: ({ scores }) => hit(scores) }),
    }),
  });
  const listOf = (context: CallContext, ids: readonly number[]) =>
    annotations.listOf(context, targetKinds.document, ids);
  const countDocuments = (context: CallContext, ids: readonly number[]) => metrics.countDocuments(context, ids);
  builder.objectField(types.ref(SPAN), "documentRetrievalMetrics", (t) =>
    t.field({
      type: [Metrics],
      description: "By name; of a document that several scored, the mean counts.",
      args: { evaluationName: t.arg.string() },
      resolve: async ({ id }, { evaluationName }, call) => {
        const found = (await call.load(listOf, id, null)) ?? [];
        const scored = found.flatMap(({ name, position, score }) =>
          score === null || (evaluationName && name !== evaluationName) ? [] : [{ name, position, score }],
        );
        // Without a score the number of documents is not needed.
        const count = scored.length === 0 ? 0 : ((await call.load(countDocuments, id, null)) ?? 0);
        if (count === 0) return [];
        const byName = [...Map.groupBy(scored, ({ name }) => name)].sort(([a], [b]) => (a < b ? -1 : 1));
        return byName.map(([name, ofName]) => ({ name, scores: documentScores(count, ofName) }));
      },
    }),
  );
  addProjectMetrics(types, metrics);
}

function addProjectMetrics(types: GraphqlTypes, metrics: RetrievalMetricsService): void {
  const { builder } = types;
  const Summary = builder.objectRef<ProjectMetrics>("DocumentEvaluationSummary").implement({
    description: "Means over the spans of which the figure is known, and how many those are.",
    fields: (t) => {
      type Figure = (scores: DocumentScores, k: number | null) => number | null;
      const over = (figure: Figure, { scores }: ProjectMetrics, k: number | null | undefined) =>
        meanOf(scores.map((one) => figure(one, k ?? null)));
      const mean = (figure: Figure) => t.float({ nullable: true, resolve: (all) => over(figure, all, null).mean });
      const count = (figure: Figure) => t.int({ resolve: (all) => over(figure, all, null).count });
      const meanAt = (figure: Figure) =>
        t.float({
          nullable: true,
          args: { k: t.arg.int() },
          resolve: (all, { k }) => over(figure, all, k).mean,
        });
      const countAt = (figure: Figure) =>
        t.int({ args: { k: t.arg.int() }, resolve: (all, { k }) => over(figure, all, k).count });
      return {
        evaluationName: t.exposeString("name"),
        averageNdcg: meanAt(ndcg),
        countNdcg: countAt(ndcg),
        averagePrecision: meanAt(precision),
        countPrecision: countAt(precision),
        meanReciprocalRank: mean(reciprocalRank),
        countReciprocalRank: count(reciprocalRank),
        hitRate: mean(hit),
        countHit: count(hit),
      };
    },
  });
  builder.objectFields(types.ref(PROJECT), (t) => ({
    documentEvaluationNames: t.stringList({
      description: "In use on retrieved documents, of all spans or of one.",
      args: { spanId: t.arg.id() },
      resolve: ({ id }, { spanId }, call) =>
        call.readOnce(metrics.listNames, id, spanId == null ? null : requireRowId(SPAN, spanId)),
    }),
    documentEvaluationSummary: t.field({
      type: Summary,
      nullable: true,
      description: "Null without a score of the name.",
      args: {
        evaluationName: t.arg.string({ required: true }),
        timeRange: t.arg({ type: types.TimeRange }),
        filterCondition: t.arg.string(),
      },
      resolve: async ({ id }, { evaluationName: name, ...given }, call) => {
        const scores = await call.readOnce(metrics.listScores, id, { ...scopeOf(given), name });
        return scores.length === 0 ? null : { name, scores };
      },
    }),
  }));
}
