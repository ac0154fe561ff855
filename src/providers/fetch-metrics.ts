// Figures of requests to providers (docs/metrics.md). Labels are kinds of providers and outcomes: both are few.
import type { Metrics } from "../kernel/metrics.ts";
import { ProviderFetchError } from "./provider-fetch.ts";

/** Seconds of a whole answer: short ones take half a second, long ones minutes. */
const SECONDS_BOUNDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

interface FetchMetrics {
  /** Starts the time; the function is told the status of the answer, or what was thrown instead. */
  started(provider: string): (outcome: unknown) => void;
}

export function declareFetchMetrics(metrics: Metrics): FetchMetrics {
  const requests = metrics.counter(
    "spanlight_provider_requests_total",
    "Requests to model providers, by what came of them",
    ["provider", "outcome"],
  );
  const failures = metrics.counter(
    "spanlight_provider_failures_total",
    "Requests to model providers that were not answered with success",
    ["provider"],
  );
  const seconds = metrics.histogram(
    "spanlight_provider_seconds",
    "Time of requests to model providers, to the end of the answer",
    SECONDS_BOUNDS,
    ["provider"],
  );
  return {
    started(provider) {
      const start = performance.now();
      return (outcome) => {
        const word = outcomeOf(outcome);
        requests.add(1, { provider, outcome: word });
        if (word !== "success") failures.add(1, { provider });
        seconds.observe((performance.now() - start) / 1000, { provider });
      };
    },
  };
}

function outcomeOf(outcome: unknown): string {
  if (outcome instanceof ProviderFetchError) return outcome.kind;
  if (typeof outcome !== "number") return "cancelled";
  if (outcome < 400) return "success";
  return outcome < 500 ? "refused" : "failed";
}
