// Builds the failure of a call from a status, a thrown error or an error inside an answer.
import { IdentityRefusedError } from "./identity-refused.ts";
import type { ModelFailure, ModelFailureKind } from "./model-event.ts";
import { ProviderFetchError, type ProviderResponse } from "./provider-fetch.ts";
import { findJson } from "./wire-messages.ts";
import { errorInAnswer } from "./wires/error-texts.ts";

const MOST_MESSAGE_BYTES = 2048;
/** Of a body that is not JSON. */
const MOST_SHOWN_CHARACTERS = 300;

/** Error codes of providers, for errors after a successful status. */
const KINDS_BY_CODE: readonly (readonly [RegExp, ModelFailureKind])[] = [
  [/rate.?limit|throttling|resource_exhausted|too_many_requests/i, "rate_limit"],
  [/overloaded|unavailable/i, "overloaded"],
  [/authentication|permission|invalid_api_key/i, "auth"],
];
const TRANSIENT_CODE = /server_error|api_error|internal|timeout|stream_error|modelStreamError/i;

/** Whether the same request may succeed later: timeout, conflict, rate limit, server error. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

export function failureKindOf(status: number): ModelFailureKind {
  if (status === 401 || status === 403) return "auth";
  if (status === 429) return "rate_limit";
  return status === 503 || status === 529 ? "overloaded" : "provider_error";
}

/** The delay a response asks for, in seconds: `retry-after-ms`, or `retry-after` as seconds or a date. Null if it is missing or
 *  invalid. `nowUs` is microseconds UTC. */
export function retryAfterSeconds({ headers }: Pick<ProviderResponse, "headers">, nowUs: number): number | null {
  const milliseconds = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds / 1000;
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const date = /^[A-Za-z]{3},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date / 1000 - nowUs / 1e6);
}

/** An error response. `body` is as much of it as was read. */
export function statusFailure(
  provider: string,
  { status, headers }: Pick<ProviderResponse, "status" | "headers">,
  body: string,
  nowUs: number,
): ModelFailure {
  const { message, code } = errorInAnswer(findJson(body));
  const details = message || bodyExcerpt(body, headers.get("content-type") ?? "");
  return {
    kind: failureKindOf(status),
    message: `${provider} answered ${status}${details === "" ? "" : `: ${details}`}`,
    status,
    // Amazon sends its error code in a header.
    code: code ?? headers.get("x-amzn-errortype")?.split(":")[0] ?? null,
    retryAfterSeconds: retryAfterSeconds({ headers }, nowUs),
    isTransient: isTransientStatus(status),
  };
}

/** An error after a successful status, with the provider's message and code. */
export function streamError(message: string, code: string | null, provider: string): ModelFailure {
  const kind = KINDS_BY_CODE.find(([pattern]) => code !== null && pattern.test(code))?.[1] ?? "provider_error";
  const isTransient = kind === "rate_limit" || kind === "overloaded" || (code !== null && TRANSIENT_CODE.test(code));
  return plain(kind, message || `${provider} ended the answer with an error${code === null ? "" : ` (${code})`}`, {
    code,
    isTransient,
  });
}

/** A response that is not the answer of a model. */
export function noCompletion(message: string): ModelFailure {
  return plain("no_completion", message);
}

/** An answer that ended without a finish reason. */
export function incompleteAnswer(provider: string): ModelFailure {
  return plain("connection", `${provider} ended the answer before it was complete`, { isTransient: true });
}

export function cancelled(): ModelFailure {
  return plain("cancelled", "The call was cancelled");
}

/** The failure of an error thrown by the network, or by what gives the server its identity; null for any other error. */
export function thrownFailure(error: unknown): ModelFailure | null {
  if (error instanceof ProviderFetchError) {
    return plain(error.kind, error.message, { isTransient: error.kind === "connection" || error.kind === "timeout" });
  }
  if (error instanceof IdentityRefusedError) {
    const { status, code, message } = error;
    return plain(status === 400 ? "auth" : failureKindOf(status), message, {
      status,
      code,
      isTransient: isTransientStatus(status),
    });
  }
  return null;
}

/** The failure without secrets, its texts at most 2 kB. */
export function redactedFailure(failure: ModelFailure, redact: (text: string) => string): ModelFailure {
  const { message, code } = failure;
  return { ...failure, message: cut(redact(message)), code: code === null ? null : cut(redact(code)) };
}

function plain(kind: ModelFailureKind, message: string, changes: Partial<ModelFailure> = {}): ModelFailure {
  return { kind, message, status: null, code: null, retryAfterSeconds: null, isTransient: false, ...changes };
}

/** HTML pages are named, not quoted. */
function bodyExcerpt(body: string, contentType: string): string {
  const text = body.trim();
  if (text.startsWith("<") || contentType.includes("html")) return "an HTML page";
  return text.length > MOST_SHOWN_CHARACTERS ? `${text.slice(0, MOST_SHOWN_CHARACTERS)}…` : text;
}

function cut(text: string): string {
  const bytes = Buffer.from(text.toWellFormed());
  if (bytes.length <= MOST_MESSAGE_BYTES) return text;
  // Drops a character that was cut in half.
  const head = new TextDecoder().decode(bytes.subarray(0, MOST_MESSAGE_BYTES - 3)).replace(/\ufffd+$/, "");
  return `${head}…`;
}
