// Failures as HTTP: one status a kind, plain text for refusals, JSON for violations of a schema and for documents
// (docs/protocol/rest.md#errors).
import { Failure, type FailureKind, type Violation } from "../kernel/failure.ts";
import { shownInput } from "../kernel/violations.ts";

export const statusOfKind: Readonly<Record<FailureKind, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  timed_out: 408,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  invalid: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  locked: 507,
};

/** An answer before it becomes a Response: headers, compression and the log are added in one place. */
export interface Answer {
  readonly status: number;
  /** Without a media type the header is left out. */
  readonly type: string | null;
  readonly body: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Code of the failure behind it, for the log. */
  readonly reason?: string;
}

export const UNTRUSTED_ORIGIN = "http.untrusted_origin";
/** Header with the number of violations, those included that the answer does not list. */
const VIOLATION_COUNT = "x-violation-count";
export const TEXT = "text/plain; charset=utf-8";
export const JSON_TYPE = "application/json";

/** An answer that ends a request early and is no failure. */
export class Refusal extends Error {
  constructor(readonly answer: Answer) {
    super(`Answered with ${answer.status}`);
  }
}

/** The answer to a failure. Internal failures are reported without details: the cause goes to the log. */
export function answerToFailure(error: unknown): Answer {
  if (error instanceof Refusal) return error.answer;
  if (!(error instanceof Failure) || error.kind === "internal") {
    return { status: 500, type: TEXT, body: "Internal Server Error" };
  }
  return { ...answerTo(error), reason: error.code };
}

function answerTo(error: Failure): Answer {
  const { violations, document } = error.details;
  const headers: Record<string, string> = {};
  // Exporters retry a 503 only with a time to come back.
  const retryAfterSeconds = error.details.retryAfterSeconds ?? (error.kind === "unavailable" ? 1 : undefined);
  if (retryAfterSeconds !== undefined) headers["retry-after"] = String(Math.ceil(retryAfterSeconds));
  const status = statusOfKind[error.kind];
  // The refusal of a foreign web page is no invitation to log in, and clients expect it without a media type.
  if (error.code === UNTRUSTED_ORIGIN) return { status, type: null, body: error.message };
  if (error.kind === "unauthenticated") headers["www-authenticate"] = 'Bearer realm="Spanlight"';
  // What is left of the request would be taken for the next one.
  if (error.kind === "timed_out") headers.connection = "close";
  if (violations !== undefined) {
    headers[VIOLATION_COUNT] = String(error.details.violationCount ?? violations.length);
    return { status, type: JSON_TYPE, body: violationsText(violations), headers };
  }
  if (document !== undefined) return { status, type: JSON_TYPE, body: JSON.stringify(document), headers };
  return { status, type: TEXT, body: error.message.replace(/[\r\n]+/g, " "), headers };
}

/** Violations show no more of what was sent than a line. */
function violationsText(violations: readonly Violation[]): string {
  return JSON.stringify({ detail: violations.map((each) => ({ ...each, input: shownInput(each.input) })) });
}

/** True for failures that an operator must see: the cause is in the log under the request's id. */
export function isFault(error: unknown): boolean {
  return !(error instanceof Refusal) && (!(error instanceof Failure) || error.kind === "internal");
}
