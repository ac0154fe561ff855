// Refusals as values with a kind. No HTTP word here: http/failures.ts maps kinds to each transport.

export type FailureKind =
  | "invalid"
  /** The input cannot be taken at all, where `invalid` breaks a rule of it: not UTF-8, or a batch refused as a whole. */
  | "malformed"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "too_large"
  | "unsupported"
  | "locked"
  | "rate_limited"
  /** The caller was too slow. */
  | "timed_out"
  | "unavailable"
  | "internal";

/** One violated rule of a schema, in the shape that official clients read (docs/protocol/rest.md#errors). */
export interface Violation {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** A part of a text, in its UTF-16 units; `end` is excluded. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface FailureDetails {
  /** Where the mistake is in a text that the caller wrote. */
  readonly range?: TextRange;
  /** Schema violations, reported together. */
  readonly violations?: readonly Violation[];
  /** How many there are, where not all of them are listed. */
  readonly violationCount?: number;
  /** Seconds after which the same request may succeed. */
  readonly retryAfterSeconds?: number;
  /** A JSON document to answer with instead of the message. */
  readonly document?: unknown;
  /** Facts for programs beside the message, e.g. a narrower question: shown where the format of the answer has a place for them. */
  readonly hint?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

export class Failure extends Error {
  override readonly name = "Failure";
  constructor(
    /** Stable and dotted, e.g. `projects.not_found`. */
    readonly code: string,
    readonly kind: FailureKind,
    message: string,
    readonly details: FailureDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
  }
}

/** Makes a failure for `throw`; the message names the offending identifier and is shown to the caller. */
export function fail(code: string, kind: FailureKind, message: string, details: FailureDetails = {}): Failure {
  return new Failure(code, kind, message, details);
}

/** The text of anything thrown, for a log line. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
