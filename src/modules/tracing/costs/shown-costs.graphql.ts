// `costTotal` and `costOrigins` of traces, sessions and spans, and what the spans of a list cost. Fields that exist here only.
import { costSummaryType } from "../../../graphql/cost-summary.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { SESSION } from "../sessions/sessions.schema.ts";
import { listedSpansRef } from "../spans/listed/listed.graphql.ts";
import { SPAN } from "../spans/spans.schema.ts";
import { TRACE } from "../traces/traces.schema.ts";
import { dollarsOf, summaryOf } from "./cost-types.graphql.ts";
import { type CostOrigins, NO_ORIGINS } from "./costs.schema.ts";
import type { CostsService } from "./costs.service.ts";

const TOTAL = "US dollars of all its calls, each once; null where no price is known.";

export function addShownCosts(types: GraphqlTypes, costs: CostsService): void {
  const { builder, ref } = types;
  const Origins = builder.objectRef<CostOrigins>("CostOrigins").implement({
    description: "Calls of models by where their amount is from, each call once.",
    fields: (t) => ({
      price: t.exposeInt("price"),
      given: t.exposeInt("given", { description: "No price is known; the amount is what the sender says." }),
      unknown: t.exposeInt("unknown", { description: "Their cost is unknown. They are in no sum." }),
    }),
  });
  builder.objectFields(ref(TRACE), (t) => ({
    costTotal: t.float({
      nullable: true,
      description: TOTAL,
      resolve: async ({ id }, _given, call) => dollarsOf(await call.load(costs.traceTotals, id, null)),
    }),
    costOrigins: t.field({
      type: Origins,
      resolve: async ({ id }, _given, call) => (await call.load(costs.traceOrigins, id, null)) ?? NO_ORIGINS,
    }),
  }));
  builder.objectFields(ref(SESSION), (t) => ({
    costTotal: t.float({
      nullable: true,
      description: TOTAL,
      resolve: async ({ id }, _given, call) => dollarsOf(await call.load(costs.sessionTotals, id, null)),
    }),
    costOrigins: t.field({
      type: Origins,
      resolve: async ({ id }, _given, call) => (await call.load(costs.sessionOrigins, id, null)) ?? NO_ORIGINS,
    }),
  }));
  builder.objectField(ref(SPAN), "costTotal", (t) =>
    t.float({
      nullable: true,
      description: "US dollars of the span itself; null where no price is known.",
      resolve: async ({ id }, _given, call) => dollarsOf(await call.load(costs.spanTotals, id, null)),
    }),
  );
  builder.objectField(listedSpansRef(types), "costSummary", (t) =>
    t.field({
      type: costSummaryType(types),
      resolve: async ({ scope }, _given, call) => summaryOf(await call.load(costs.projectSums, scope.projectId, scope)),
    }),
  );
}
