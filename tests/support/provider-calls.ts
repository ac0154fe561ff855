// Makes model calls in tests, through the real guarded fetch to local servers.
import { systemClock } from "../../src/kernel/clock.ts";
import { createMetrics, type Metrics } from "../../src/kernel/metrics.ts";
import { type CallNeeds, callModel } from "../../src/providers/call-model.ts";
import { createGuardedFetch, type GuardOptions } from "../../src/providers/guarded-fetch.ts";
import { createIdentityTokens } from "../../src/providers/identity-tokens.ts";
import type { ModelCall } from "../../src/providers/model-call.ts";
import type { ModelAttempt, ModelEvent, ModelFailure } from "../../src/providers/model-event.ts";
import { noRetries } from "../../src/providers/retries.ts";

export interface ProviderCalls {
  readonly metrics: Metrics;
  needs(changes?: Partial<CallNeeds>): CallNeeds;
  /** Makes the call and collects its events. */
  run(call: ModelCall, changes?: Partial<CallNeeds>): Promise<MadeCall>;
}

export interface MadeCall {
  readonly events: readonly ModelEvent[];
  /** Texts and tool calls in order, `retry`, `finish` and `failure`. */
  readonly short: readonly string[];
  readonly text: string;
  readonly failure: ModelFailure | null;
  /** The last attempt. */
  readonly attempt: ModelAttempt;
  readonly attempts: readonly ModelAttempt[];
}

export function providerCalls(guard: Partial<GuardOptions> = {}): ProviderCalls {
  const metrics = createMetrics();
  const fetch = createGuardedFetch({ allowsPrivateAddresses: true, allowedHosts: null, metrics, ...guard });
  const shared = {
    fetch,
    tokens: createIdentityTokens({ fetch, metadataFetch: null }, systemClock),
    clock: systemClock,
    rates: null,
  };
  const needs: ProviderCalls["needs"] = (changes) => ({
    ...shared,
    retries: noRetries,
    limits: { firstPieceSeconds: 20, idleSeconds: 20, totalSeconds: 30, maximumBytes: 32 * 1024 * 1024 },
    signal: new AbortController().signal,
    ...changes,
  });
  return {
    metrics,
    needs,
    async run(call, changes) {
      const events = await Array.fromAsync(callModel(call, needs(changes)));
      const attempts = events.flatMap((event) => ("attempt" in event && event.attempt !== null ? [event.attempt] : []));
      const last = events.at(-1);
      return {
        events,
        short: events.map(shortOf),
        text: events.map((event) => (event.type === "text" ? event.text : "")).join(""),
        failure: last?.type === "failure" ? last.failure : null,
        attempt: attempts.at(-1)!,
        attempts,
      };
    },
  };
}

function shortOf(event: ModelEvent): string {
  switch (event.type) {
    case "text":
      return event.text;
    case "tool_call":
      return `${event.id} ${event.name}(${event.arguments})`;
    default:
      return event.type;
  }
}
