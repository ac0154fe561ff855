// What is stored of a failed span: its failure, and where it happened.
import { digestOf } from "../../../../analysis/digest.ts";
import { splitFingerprint } from "../../../../analysis/failures/group-rules.ts";
import { readSpanFailure } from "../../../../analysis/failures/read-failure.ts";
import type { SpanFailure } from "../../../../analysis/failures/span-failure.ts";
import { valueAt } from "../../../../ingest/span-columns.ts";
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../../../kernel/json.ts";
import { spanKinds, spanStatuses } from "../../../../model/span.ts";

/** A row of `spans` with codes for kind and status. */
export interface ExaminedSpan {
  readonly id: number;
  readonly traceId: number;
  readonly projectId: number;
  readonly spanKey: string;
  readonly parentKey: string | null;
  readonly name: string;
  readonly kind: number;
  readonly status: number;
  readonly statusMessage: string;
  readonly startUs: number;
  readonly userKey: string | null;
}

interface ExaminedPayload {
  readonly attributes: JsonObject;
  readonly events: readonly Json[];
  /** Attributes of the resource, by their flat names. */
  readonly resource: JsonObject;
}

/** A part that was split off a fingerprint. */
export interface FailureSplit {
  readonly attribute: string;
  readonly value: string;
}

export interface FailedSpan extends ExaminedSpan {
  /** Its fingerprint is that of the part, where the span belongs to one. */
  readonly failure: SpanFailure;
  readonly exceptionKey: string | null;
  readonly version: string | null;
  readonly environment: string | null;
}

/** Null for a span that did not fail. `splitsOf` names the parts of a fingerprint in the project of the span. */
export function failedSpanOf(
  span: ExaminedSpan,
  { attributes, events, resource }: ExaminedPayload,
  splitsOf: (fingerprint: string) => readonly FailureSplit[],
): FailedSpan | null {
  const { name, statusMessage } = span;
  const ended = { name, statusMessage, kind: spanKinds[span.kind]!, status: spanStatuses[span.status]! };
  const failure = readSpanFailure(ended, attributes, [...events]);
  if (failure === null) return null;
  return {
    ...span,
    failure: { ...failure, fingerprint: splitOff(failure.fingerprint, attributes, splitsOf) },
    exceptionKey: exceptionKeyOf(failure),
    version: textOf(resource["service.version"]),
    environment: textOf(resource["deployment.environment.name"]) ?? textOf(resource["deployment.environment"]),
  };
}

/** Equal for what `propagatedFailures` takes for the same exception: the type may be written with its module or without. */
function exceptionKeyOf({ kind, type, message }: SpanFailure): string | null {
  if (kind !== "error") return null;
  return digestOf([type?.slice(type.lastIndexOf(".") + 1) ?? "", type === null ? "0" : "1", message]);
}

/** Parts can be split again. */
function splitOff(
  fingerprint: string,
  attributes: JsonObject,
  splitsOf: (fingerprint: string) => readonly FailureSplit[],
): string {
  const split = splitsOf(fingerprint).find(({ attribute, value }) => splitText(attributes, attribute) === value);
  if (split === undefined) return fingerprint;
  return splitOff(splitFingerprint(fingerprint, split.attribute, split.value), attributes, splitsOf);
}

/** Value of an attribute by its dotted name, as text; null for a missing attribute. */
function splitText(attributes: JsonObject, name: string): string | null {
  const value = valueAt(attributes, ...name.split("."));
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : stringifyJson(value);
}

/** Longer texts are no version of a program. */
const LONGEST_TEXT = 200;

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value.slice(0, LONGEST_TEXT) : null;
}

export function resourceAttributes(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}
