// Recomputing costs, in GraphQL: how far it is, and what starts and ends it.

import { UNITS_PER_USD } from "../../../../costs/price-list.ts";
import { recomputationStatuses } from "../../../../costs/recomputation.ts";
import { argumentRefused } from "../../../../graphql/connection.ts";
import { requireRowId } from "../../../../graphql/ids.ts";
import { rangeOf } from "../../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { globalId } from "../../../../kernel/ids.ts";
import { storableText } from "../../../../kernel/validation-scalars.ts";
import { PROJECT } from "../../projects/projects.schema.ts";
import type { CostRecomputation } from "../models.schema.ts";
import type { RecomputationService } from "./recomputation.service.ts";

export function addRecomputations(types: GraphqlTypes, recomputation: RecomputationService): void {
  const { builder } = types;
  const Recomputation = recomputationType(types);
  builder.queryField("costRecomputation", (t) =>
    t.field({
      type: Recomputation,
      nullable: true,
      description: "The newest, done or not.",
      may: "models.read",
      resolve: (_root, _given, call) => recomputation.findNewest(call.context),
    }),
  );
  const StartInput = builder.inputType("StartCostRecomputationInput", {
    fields: (t) => ({
      projectId: t.id(),
      modelName: t.string({ description: "As spans say it." }),
      timeRange: t.field({ type: types.TimeRange, description: "By the start of the calls." }),
    }),
  });
  const payload = (name: string) =>
    types.payload<{ readonly recomputation: CostRecomputation | null }>(name, (t) => ({
      recomputation: t.field({ type: Recomputation, nullable: true, resolve: (answer) => answer.recomputation }),
    }));
  const Started = payload("StartCostRecomputationPayload");
  const Cancelled = payload("CancelCostRecomputationPayload");
  builder.mutationFields((t) => ({
    startCostRecomputation: t.field({
      type: Started,
      description:
        "Computes costs of stored calls by the prices of now; what is left out narrows nothing. One runs at a time.",
      may: "models.recompute",
      adds: false,
      args: { input: t.arg({ type: StartInput, required: true }) },
      resolve: async (_root, { input: { projectId, modelName, timeRange } }, call) => {
        const range = rangeOf(timeRange);
        if (range.startUs !== null && range.endUs !== null && range.startUs >= range.endUs) {
          throw argumentRefused("timeRange", "the start must be before the end");
        }
        const scope = {
          ...range,
          projectId: projectId === null || projectId === undefined ? null : requireRowId(PROJECT, projectId),
          modelName: modelName === null || modelName === undefined ? null : storableText(modelName),
        };
        return { recomputation: await recomputation.start(call.context, scope) };
      },
    }),
    cancelCostRecomputation: t.field({
      type: Cancelled,
      description: "What is computed stays.",
      may: "models.recompute",
      adds: false,
      resolve: async (_root, _given, call) => ({ recomputation: await recomputation.cancel(call.context) }),
    }),
  }));
}

function recomputationType({ builder }: GraphqlTypes) {
  const Status = builder.enumType("CostRecomputationStatus", { values: recomputationStatuses });
  return builder.objectRef<CostRecomputation>("CostRecomputation").implement({
    fields: (t) => ({
      status: t.field({ type: Status, resolve: ({ status }) => status }),
      projectId: t.id({
        nullable: true,
        resolve: ({ projectId }) => (projectId === null ? null : globalId(PROJECT, projectId)),
      }),
      modelName: t.exposeString("modelName", { nullable: true }),
      startTime: t.field({ type: "DateTime", nullable: true, resolve: ({ startUs }) => startUs }),
      endTime: t.field({ type: "DateTime", nullable: true, resolve: ({ endUs }) => endUs }),
      createdAt: t.field({ type: "DateTime", resolve: ({ createdUs }) => createdUs }),
      updatedAt: t.field({ type: "DateTime", resolve: ({ updatedUs }) => updatedUs }),
      progress: t.float({
        description: "From 0 to 1.",
        resolve: ({ doneSpanId, lastSpanId }) => (lastSpanId === 0 ? 1 : doneSpanId / lastSpanId),
      }),
      failure: t.exposeString("failure", {
        nullable: true,
        description:
          "Why spans failed that did, also of one that runs: the last reason. A slice that fails is tried again in halves.",
      }),
      failedSpans: t.exposeFloat("failedSpans", {
        description: "Spans whose cost stays, because recomputing it fails.",
      }),
      examinedSpans: t.exposeFloat("examined"),
      changedSpans: t.exposeFloat("changed"),
      oldCost: t.float({
        description: "USD of the spans that changed, before; what was unknown counts as 0.",
        resolve: ({ oldCost }) => Number(oldCost) / UNITS_PER_USD,
      }),
      newCost: t.float({ description: "The same after.", resolve: ({ newCost }) => Number(newCost) / UNITS_PER_USD }),
    }),
  });
}
