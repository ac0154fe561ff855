// Failures that throw nothing: the span ended well, and its answer is of no use.
import type { FailureEvidence } from "./failure-evidence.ts";

export type SilentFailureKind = "empty_answer" | "cut_answer" | "invalid_json" | "refused_arguments" | "blocked";

/** Finish reasons of the providers, without case, blanks and separators. */
const cutReasons = new Set(["length", "maxtokens", "maxoutputtokens", "modellength", "maxlength", "tokenlimit"]);
const blockedReasons = new Set([
  "contentfilter",
  "contentfiltered",
  "safety",
  "recitation",
  "prohibitedcontent",
  "blocklist",
  "spii",
  "imagesafety",
  "refusal",
  "guardrailintervened",
]);
const toolReasons = new Set(["toolcalls", "toolcall", "tooluse", "functioncall", "functioncalls"]);

type SilentEvidence = Pick<
  FailureEvidence,
  "kind" | "finishReasons" | "output" | "toolArguments" | "callsTools" | "asksForJson"
>;

/** What fails of a span whose status is no error; null where nothing does. */
export function silentFailureOf(evidence: SilentEvidence): SilentFailureKind | null {
  if (evidence.kind === "LLM") return failureOfAnswer(evidence);
  if (evidence.kind === "GUARDRAIL") return evidence.output !== null && saysBlocked(evidence.output) ? "blocked" : null;
  if (evidence.kind === "TOOL") {
    return evidence.output !== null && saysArgumentsRefused(evidence.output) ? "refused_arguments" : null;
  }
  return null;
}

function failureOfAnswer({
  finishReasons,
  output,
  toolArguments,
  callsTools,
  asksForJson,
}: SilentEvidence): SilentFailureKind | null {
  const reasons = finishReasons.map((reason) => reason.toLowerCase().replace(/[\s_.-]|^finishreason/g, ""));
  if (reasons.some((reason) => blockedReasons.has(reason))) return "blocked";
  if (reasons.some((reason) => cutReasons.has(reason))) return "cut_answer";
  if (!toolArguments.every(isJsonObjectText)) return "refused_arguments";
  if (callsTools || output === null || reasons.some((reason) => toolReasons.has(reason))) return null;
  if (output.trim() === "") return "empty_answer";
  return asksForJson && !isJsonText(output) ? "invalid_json" : null;
}

/** A tool without parameters is often called with nothing. */
function isJsonObjectText(text: string): boolean {
  const trimmed = text.trim();
  return trimmed === "" || (trimmed.startsWith("{") && isJsonText(trimmed));
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Answers of tools and guardrails that are read; longer ones are data. */
const LONGEST_ANSWER = 20_000;

function objectIn(text: string): Record<string, unknown> | null {
  if (text.length > LONGEST_ANSWER || !/^\s*\{/.test(text)) return null;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

const SAYS_BLOCKED =
  /^\s*"?(?:blocked|block|denied|deny|refused|reject|rejected|tripped|triggered|guardrail_intervened|unsafe)"?\s*$/i;
/** True says that it was blocked. */
const blockedMembers = [
  "blocked",
  "is_blocked",
  "triggered",
  "tripwire_triggered",
  "flagged",
  "intervened",
  "is_unsafe",
];
/** False says that it was. */
const passedMembers = ["allowed", "is_allowed", "passed", "valid", "is_valid", "safe", "is_safe", "pass"];
const outcomeMembers = ["action", "outcome", "result", "verdict", "decision", "status"];

function saysBlocked(output: string): boolean {
  if (SAYS_BLOCKED.test(output)) return true;
  const answer = objectIn(output);
  if (answer === null) return false;
  return (
    blockedMembers.some((name) => answer[name] === true) ||
    passedMembers.some((name) => answer[name] === false) ||
    outcomeMembers.some((name) => typeof answer[name] === "string" && SAYS_BLOCKED.test(answer[name]))
  );
}

const SAYS_REFUSED =
  /\b(?:invalid|missing|unexpected|unknown|required|wrong)\b[^.\n]{0,40}\b(?:arguments?|parameters?|params|inputs?|fields?|propert(?:y|ies))\b|\b(?:arguments?|parameters?|params|inputs?|fields?|propert(?:y|ies))\b[^.\n]{0,60}\b(?:invalid|missing|unexpected|not valid|required|does not match|validation)\b|\b(?:input )?validation error\b/i;
const MOST_SEARCHED = 2000;

/** An answer that says of itself that it is an error, and that the arguments are why. */
function saysArgumentsRefused(output: string): boolean {
  const answer = objectIn(output);
  const isError =
    answer === null
      ? /^\s*(?:error|tool error|validation error)\b/i.test(output)
      : answer.isError === true || answer.is_error === true || answer.status === "error" || isMessage(answer.error);
  return isError && SAYS_REFUSED.test(output.slice(0, MOST_SEARCHED));
}

function isMessage(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "";
}
