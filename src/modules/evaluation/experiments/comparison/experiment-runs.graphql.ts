// Runs of experiments in GraphQL, and their evaluations.

import type { GraphqlCall } from "../../../../graphql/call.ts";
import {
  type CursorOrder,
  cursorOrder,
  listConnection,
  NEWEST_FIRST,
  offsetConnection,
} from "../../../../graphql/connection.ts";
import { costSummaryType } from "../../../../graphql/cost-summary.ts";
import { findNode, type GraphqlTypes, getNode } from "../../../../graphql/types.ts";
import { globalId, type TypeWord } from "../../../../kernel/ids.ts";
import { parseJson } from "../../../../kernel/json.ts";
import type { Order } from "../../../../kernel/list.ts";
import { annotationOrderWord } from "../../../../storage/annotation-order.ts";
import { costEntryType } from "../../../tracing/costs/cost-types.graphql.ts";
import { TRACE } from "../../../tracing/traces/traces.schema.ts";
import { EXAMPLE } from "../../datasets/datasets.schema.ts";
import type { ExperimentEvaluation } from "../evaluations/experiment-evaluations.schema.ts";
import { EXPERIMENT } from "../experiments.schema.ts";
import { costOf } from "../figures/experiment-figures.rules.ts";
import type { ListedRun, RunSort } from "../runs/compared-runs.schema.ts";
import type { ExperimentComparisonService } from "./experiment-comparison.service.ts";

/** The run as GraphQL has it: its output is read where it is asked for. */
export const LISTED_RUN: TypeWord<ListedRun> = "ExperimentRun";
/** The evaluation of a run. */
export const RUN_ANNOTATION: TypeWord<ExperimentEvaluation> = "ExperimentRunAnnotation";

const MICROSECONDS = 1000;

export function addRunTypes(types: GraphqlTypes, comparison: ExperimentComparisonService): void {
  addRunNode(types, comparison);
  addRunAnnotations(types, comparison);
  addRunLists(types, comparison);
}

/** Null for a trace that was never sent, or is deleted. */
function traceOf(types: GraphqlTypes, comparison: ExperimentComparisonService) {
  return async ({ traceKey }: { readonly traceKey: string | null }, _given: unknown, call: GraphqlCall) => {
    const traced = traceKey === null ? null : await call.load(comparison.findTraced, traceKey, null);
    return traced === null ? null : findNode(types, call, TRACE, traced.traceId);
  };
}

function addRunNode(types: GraphqlTypes, comparison: ExperimentComparisonService): void {
  types.defineNode(LISTED_RUN, {
    find: (call, id) => call.load(comparison.findRuns, id, null),
    fields: (t) => ({
      experimentId: t.id({ resolve: ({ experimentId }) => globalId(EXPERIMENT, experimentId) }),
      repetitionNumber: t.exposeInt("repetition"),
      error: t.exposeString("error", { nullable: true, description: "Not null: it failed." }),
      startTime: t.field({ type: "DateTime", resolve: ({ startUs }) => startUs }),
      endTime: t.field({ type: "DateTime", resolve: ({ endUs }) => endUs }),
      latencyMs: t.float({ resolve: ({ startUs, endUs }) => (endUs - startUs) / MICROSECONDS }),
      output: t.field({
        type: "JSON",
        nullable: true,
        resolve: async ({ id }, _given, call) => {
          const text = await call.load(comparison.findOutputs, id, null);
          return text === null ? null : parseJson(text);
        },
      }),
      example: t.field({
        type: types.ref(EXAMPLE),
        resolve: ({ exampleId }, _given, call) => getNode(types, call, EXAMPLE, exampleId),
      }),
      traceId: t.exposeString("traceKey", { nullable: true }),
      trace: t.field({
        type: types.ref(TRACE),
        nullable: true,
        description: "Null when it was never sent, or is deleted.",
        resolve: traceOf(types, comparison),
      }),
      costSummary: t.field({
        type: costSummaryType(types),
        description: "Of its trace, while that is stored.",
        resolve: async ({ id, traceKey }, _given, call) => {
          if (traceKey === null) return costOf(null, []);
          const [tokens, entries] = await Promise.all([
            call.load(comparison.findTraced, traceKey, null),
            call.load(comparison.findRunCostEntries, id, null),
          ]);
          return costOf(tokens, entries ?? []);
        },
      }),
      costDetailSummaryEntries: t.field({
        type: [costEntryType(types)],
        description: "By kind of token, of its trace, while that is stored.",
        resolve: async ({ id }, _given, call) => (await call.load(comparison.findRunCostEntries, id, null)) ?? [],
      }),
    }),
  });
}

function addRunAnnotations(types: GraphqlTypes, comparison: ExperimentComparisonService): void {
  const Kind = types.builder.enumType("ExperimentRunAnnotatorKind", { values: ["LLM", "HUMAN", "CODE"] as const });
  types.defineNode(RUN_ANNOTATION, {
    find: (call, id) => call.load(comparison.findEvaluationsById, id, null),
    fields: (t) => ({
      name: t.exposeString("name"),
      annotatorKind: t.field({ type: Kind, resolve: ({ annotatorKind }) => annotatorKind }),
      label: t.exposeString("label", { nullable: true }),
      score: t.exposeFloat("score", { nullable: true }),
      explanation: t.exposeString("explanation", { nullable: true }),
      error: t.exposeString("error", { nullable: true, description: "Not null: the evaluator failed." }),
      metadata: t.field({ type: "JSON", resolve: ({ metadata }) => parseJson(metadata) }),
      startTime: t.field({ type: "DateTime", resolve: ({ startUs }) => startUs }),
      endTime: t.field({ type: "DateTime", resolve: ({ endUs }) => endUs }),
      traceId: t.id({ nullable: true, resolve: ({ traceKey }) => traceKey }),
      trace: t.field({
        type: types.ref(TRACE),
        nullable: true,
        description: "Of the evaluator; null when it was never sent, or is deleted.",
        resolve: traceOf(types, comparison),
      }),
    }),
  });
  types.builder.objectField(types.ref(LISTED_RUN), "annotations", (t) =>
    t.field({
      type: types.connection(RUN_ANNOTATION),
      description: "By name.",
      args: types.pagingArguments(),
      resolve: async ({ id }, page, call, info) =>
        offsetConnection({ call, info }, (await call.load(comparison.findEvaluations, id, null)) ?? [], page),
    }),
  );
}

/** By an evaluation, or else by latency. */
function runOrder(evaluation: string | null | undefined, order: Order): CursorOrder<RunSort> {
  if (typeof evaluation !== "string") return cursorOrder("latency", order);
  const word = annotationOrderWord("runs", { name: evaluation, attr: "score" }, order);
  return { sort: { evaluation }, order, word, kind: "doubleOrNull" };
}

function addRunLists(types: GraphqlTypes, comparison: ExperimentComparisonService): void {
  const { builder } = types;
  const Metric = builder.enumType("ExperimentRunMetric", { values: ["latencyMs"] as const });
  const Column = builder.inputType("ExperimentRunColumn", {
    isOneOf: true,
    fields: (t) => ({ metric: t.field({ type: Metric }), annotationName: t.string() }),
  });
  const Sort = builder.inputType("ExperimentRunSort", {
    fields: (t) => ({
      col: t.field({ type: Column, required: true }),
      dir: t.field({ type: types.SortDir, required: true }),
    }),
  });
  builder.objectField(types.ref(EXPERIMENT), "runs", (t) =>
    t.field({
      type: types.connection(LISTED_RUN),
      description: "Newest first, unless another order is asked for.",
      args: { first: t.arg.int({ defaultValue: 50 }), after: t.arg.string(), sort: t.arg({ type: Sort }) },
      resolve: async ({ id }, { first, after, sort }, call, info) => {
        const order = sort ? runOrder(sort.col.annotationName, sort.dir) : NEWEST_FIRST;
        return listConnection<ListedRun, RunSort>({ call, info }, { first, after }, order, (request) =>
          call.load(comparison.listRuns, id, request),
        );
      },
    }),
  );
}
