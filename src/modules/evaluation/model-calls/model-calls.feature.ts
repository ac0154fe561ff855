// Calls of models for every other feature: paid from budgets, recorded as spans.
import { feature } from "../../feature.ts";
import { spendingFeature } from "../spending/spending.feature.ts";
import { createRecordedCalls } from "./recorded-calls.service.ts";

export const modelCallsFeature = feature("model-calls", ({ modelCalls, receiver, clock, log, use }) => {
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
