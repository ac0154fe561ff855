// What the ways in which a call comes to nothing have in common.
import type { ModelFailure, ModelFailureKind } from "./model-event.ts";
import type { ProviderFetchError, ProviderResponse } from "./provider-fetch.ts";

/** Statuses after which the same request may succeed: timeout, conflict, too many, and faults of the provider. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

export function failureKindOf(status: number): ModelFailureKind {
  if (status === 401 || status === 403) return "auth";
  if (status === 429) return "rate_limit";
  return status === 503 || status === 529 ? "overloaded" : "provider_error";
}

/** The wait that an answer asks for, in seconds: `retry-after-ms`, or `retry-after` as seconds or as a date. Null for none that can be
 *  read. `nowUs` is microseconds UTC. */
export function retryAfterSeconds({ headers }: Pick<ProviderResponse, "headers">, nowUs: number): number | null {
  const milliseconds = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds / 1000;
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const date = /^[A-Za-z]{3},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date / 1000 - nowUs / 1e6);
}

/** A fault of the network, as a failure of the call. */
export function networkFailure({ kind, message }: ProviderFetchError): ModelFailure {
  const isTransient = kind === "connection" || kind === "timeout";
  return { kind, message, status: null, code: null, retryAfterSeconds: null, isTransient };
}
