// Metrics of requests to providers. Labels are providers and outcomes, both small fixed sets.
import type { Metrics } from "../kernel/metrics.ts";
import { ProviderFetchError } from "./provider-fetch.ts";

/** Seconds: short answers take half a second, long ones minutes. */
const SECONDS_BOUNDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

interface FetchMetrics {
  /** Starts measuring; the returned function takes the status of the response, or the error that was thrown instead. */
  start(provider: string): (outcome: unknown) => void;
}

export function declareFetchMetrics(metrics: Metrics): FetchMetrics {
  const requests = metrics.counter("spanlight_provider_requests_total", "Requests to model providers, by outcome", [
    "provider",
    "outcome",
  ]);
  const failures = metrics.counter(
    "spanlight_provider_failures_total",
    "Requests to model providers that failed or were answered with an error",
    ["provider"],
  );
  const seconds = metrics.histogram(
    "spanlight_provider_seconds",
    "Duration of requests to model providers, to the end of the answer",
    SECONDS_BOUNDS,
    ["provider"],
  );
  return {
    start(provider) {
      const start = performance.now();
      return (outcome) => {
        const label = outcomeLabel(outcome);
        requests.add(1, { provider, outcome: label });
        if (label !== "success") failures.add(1, { provider });
        seconds.observe((performance.now() - start) / 1000, { provider });
      };
    },
  };
}

function outcomeLabel(outcome: unknown): string {
  if (outcome instanceof ProviderFetchError) return outcome.kind;
  if (typeof outcome !== "number") return "cancelled";
  if (outcome < 400) return "success";
  return outcome < 500 ? "refused" : "failed";
}
