// Whether a span failed, and which group of failures it belongs to: spans of one cause have the same fingerprint.
import { digestOf } from "../digest.ts";
import type { FailureEvidence, RecordedException } from "./failure-evidence.ts";
import { maskedText } from "./masked-text.ts";
import { programFrames } from "./program-frames.ts";
import { providerErrorOf } from "./provider-error.ts";
import { type SilentFailureKind, silentFailureOf } from "./silent-failures.ts";

/** Part of every fingerprint. A change of what the parts hold is a new number, which regroups what is stored. */
const FINGERPRINT_VERSION = 1;

export interface SpanFailure {
  /** 32 hexadecimal digits, equal for spans of one cause. */
  readonly fingerprint: string;
  readonly kind: "error" | SilentFailureKind;
  /** Of the exception; null where none is known. */
  readonly type: string | null;
  /** Masked. */
  readonly message: string;
  readonly httpStatus: number | null;
  /** Of the provider. */
  readonly code: string | null;
  /** The tool of a tool span. */
  readonly toolName: string | null;
  /** Masked name of the span, for failures without an exception; else null. */
  readonly spanName: string | null;
  /** Of the program, in the order of the stack trace. */
  readonly frames: readonly string[];
}

/** The failure of a span; null of one that did not fail. A span without an error costs less than a microsecond, unless an answer in JSON
 *  has to be read. */
export function spanFailureOf(evidence: FailureEvidence): SpanFailure | null {
  if (evidence.status === "ERROR") return errorOf(evidence);
  const kind = silentFailureOf(evidence);
  return kind === null ? null : silent(evidence, kind);
}

/** `TypeName: message`, as several libraries write it into the status. */
const TYPED_MESSAGE =
  /^([A-Za-z_][\w.]{0,200}(?:Error|Exception|Timeout|Warning|Exit|Interrupt|Failure|Violation)): (.*)$/s;
const STACK_TRACE = /^Traceback \(most recent call last\)|\n\s+at \S|\n\s*File "/;

function errorOf(evidence: FailureEvidence): SpanFailure {
  const { type, message, stackTrace } = exceptionOf(evidence);
  const provider = providerErrorOf(message);
  return fingerprinted({
    kind: "error",
    type,
    message: maskedText(provider.text),
    httpStatus: evidence.httpStatus ?? provider.httpStatus,
    code: provider.code,
    toolName: evidence.kind === "TOOL" ? (evidence.toolName ?? evidence.name) : null,
    spanName: null,
    frames: stackTrace === null ? [] : programFrames(stackTrace),
  });
}

/** The last one: those before were caught on the way. Without any, what the status says. */
function exceptionOf({ exceptions, errorType, statusMessage }: FailureEvidence): RecordedException {
  const last = exceptions.at(-1);
  if (last !== undefined) return { ...last, type: last.type ?? errorType };
  const typed = TYPED_MESSAGE.exec(statusMessage);
  return {
    type: errorType ?? typed?.[1] ?? null,
    message: typed?.[2] ?? statusMessage,
    stackTrace: STACK_TRACE.test(statusMessage) ? statusMessage : null,
  };
}

function silent(evidence: FailureEvidence, kind: SilentFailureKind): SpanFailure {
  return fingerprinted({
    kind,
    type: null,
    message: "",
    httpStatus: null,
    code: null,
    toolName: evidence.kind === "TOOL" ? (evidence.toolName ?? evidence.name) : null,
    spanName: maskedText(evidence.name),
    frames: [],
  });
}

function fingerprinted(failure: Omit<SpanFailure, "fingerprint">): SpanFailure {
  const { kind, type, message, httpStatus, code, toolName, spanName, frames } = failure;
  const parts = [kind, type ?? "", message, String(httpStatus ?? ""), code ?? "", toolName ?? "", spanName ?? ""];
  return { ...failure, fingerprint: digestOf([String(FINGERPRINT_VERSION), ...parts, ...frames]) };
}
