// `costOrigins` of traces and sessions, and what the spans of a list cost. Fields that exist here only.
import { costSummaryType } from "../../graphql/cost-summary.ts";
import type { GraphqlTypes } from "../../graphql/types.ts";
import { SESSION } from "../sessions/sessions.schema.ts";
import { listedSpansRef } from "../spans/listed/listed.graphql.ts";
import { TRACE } from "../traces/traces.schema.ts";
import { summaryOf } from "./cost-types.graphql.ts";
import { type CostOrigins, NO_ORIGINS } from "./costs.schema.ts";
import type { CostsService } from "./costs.service.ts";

export function addCostOrigins(types: GraphqlTypes, costs: CostsService): void {
  const { builder, ref } = types;
  const Origins = builder.objectRef<CostOrigins>("CostOrigins").implement({
    description: "Calls of models by where their amount is from, each call once.",
    fields: (t) => ({
      price: t.exposeInt("price"),
      given: t.exposeInt("given", { description: "No price is known; the amount is what the sender says." }),
      unknown: t.exposeInt("unknown", { description: "Nobody knows what they cost. No sum holds them." }),
    }),
  });
  builder.objectField(ref(TRACE), "costOrigins", (t) =>
    t.field({
      type: Origins,
      resolve: async ({ id }, _given, call) => (await call.load(costs.traceOrigins, id, null)) ?? NO_ORIGINS,
    }),
  );
  builder.objectField(ref(SESSION), "costOrigins", (t) =>
    t.field({
      type: Origins,
      resolve: async ({ id }, _given, call) => (await call.load(costs.sessionOrigins, id, null)) ?? NO_ORIGINS,
    }),
  );
  builder.objectField(listedSpansRef(types), "costSummary", (t) =>
    t.field({
      type: costSummaryType(types),
      resolve: async ({ scope }, _given, call) => summaryOf(await call.load(costs.projectSums, scope.projectId, scope)),
    }),
  );
}
