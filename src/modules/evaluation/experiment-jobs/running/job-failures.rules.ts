// What a failed call means for its run: the text that is stored, the word for programs, and whether it is tried again.
import type { ModelAttempt, ModelFailure, ModelFailureKind } from "../../../../providers/model-event.ts";
import { jobRetries } from "../../../../providers/retries.ts";
import type { ProblemCode } from "../experiment-jobs.schema.ts";

/** What went wrong with an item in the end. */
export interface ItemProblem {
  readonly code: ProblemCode;
  readonly message: string;
  /** Retries that were used up; null where there were none. */
  readonly retries: number | null;
}

const codes: Readonly<Record<ModelFailureKind, ProblemCode>> = {
  auth: "provider_auth",
  rate_limit: "rate_limit",
  overloaded: "provider_error",
  timeout: "timeout",
  connection: "provider_unreachable",
  address: "provider_unreachable",
  provider_error: "provider_error",
  no_completion: "provider_error",
  too_large: "provider_error",
  cancelled: "provider_error",
};

export function problemCodeOf({ kind }: ModelFailure): ProblemCode {
  return codes[kind];
}

/** Seconds until the next attempt; null if there is none. `tries` counts the attempts so far. */
export function retrySeconds(attempt: ModelAttempt | null, tries: number): number | null {
  return attempt === null ? null : jobRetries.delaySeconds({ ...attempt, number: tries });
}

/** Why a call failed in the end, as its run stores it. */
export function runErrorOf(failure: ModelFailure, tries: number): string {
  const retries = tries - 1;
  if (retries === 0 || !failure.isTransient) return failure.message;
  const reason = retryReason(failure.kind);
  return `${reason === "transient error" ? `${reason}: ${failure.message}` : reason} after ${retries} retries`;
}

/** Why it was tried again, in the words of the protocol. */
export function retryReason(kind: ModelFailureKind | ProblemCode): string {
  if (kind === "rate_limit") return "rate limit";
  return kind === "timeout" ? "timeout" : "transient error";
}
