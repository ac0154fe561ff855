// Calls of models for every other feature: paid from budgets, recorded as spans.
import type { ActionRows } from "../../../access/policy.ts";
import { feature } from "../../feature.ts";
import { spendingFeature } from "../spending/spending.feature.ts";
import { createRecordedCalls } from "./recorded-calls.service.ts";

const actions = {
  /** Of everything that calls a model: the playground, runs of experiments, evaluators, the proxy. */
  model_calls: { run: "spend" },
} as const satisfies ActionRows;
type ModelCallsActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends ModelCallsActions {}
}

export const modelCallsFeature = feature("model-calls", { actions }, ({ modelCalls, receiver, clock, log, use }) => {
  const calls = createRecordedCalls({
    parts: modelCalls,
    spending: use(spendingFeature).spending,
    receiver,
    clock,
    log: log.named("model calls"),
  });
  return {
    service: { calls },
    // Stopped behind the ports: what runs then is cancelled, and stored before the database closes.
    parts: [{ name: "model calls", changes: true, stop: calls.close }],
  };
});
