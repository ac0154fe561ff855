// From the body of an export request to the spans that ingestion stores, and what had to be left out.
import { weightOf } from "../../ingest/span-weight.ts";
import { Failure, fail, messageOf } from "../../kernel/failure.ts";
import { freeBytes } from "../../kernel/free-bytes.ts";
import { storableText } from "../../kernel/validation-scalars.ts";
import { exceedsBytes } from "../../model/attributes/text.ts";
import { type IncomingSpan, MAX_KEY_BYTES } from "../../model/span.ts";
import type { DecodedExport } from "../decoded/decoded.ts";
import { sharedExtra } from "../decoded/extra.ts";
import { createAttributePlans } from "./attribute-plans.ts";
import { inflate } from "./compression.ts";
import { decodeJson } from "./decode-json.ts";
import { decodeProtobuf } from "./decode-protobuf.ts";
import { normaliseSpan, type SpanSurroundings } from "./normalise.ts";
import { createAttributePlanner } from "./planned-attributes.ts";

export interface DecodeRequest {
  readonly body: Uint8Array;
  readonly format: "protobuf" | "json";
  /** Value of `Content-Encoding`, or null. */
  readonly encoding: string | null;
  /** Value of `x-project-name`; empty counts as absent. */
  readonly projectOverride: string | null;
  readonly defaultProject: string;
  /** Bytes that the body may have once unpacked. */
  readonly limitBytes: number;
  /** True when no other code reads the body: its memory is given back as soon as it has been read. */
  readonly takesBody?: boolean;
  /** False to read each attribute by itself, whatever was seen before. */
  readonly usesPlans?: boolean;
}

export interface Rejections {
  readonly count: number;
  /** For people; empty when nothing was rejected. */
  readonly message: string;
}

export interface ExportedSpans {
  readonly spans: IncomingSpan[];
  readonly rejections: Rejections;
}

const planner = createAttributePlanner(createAttributePlans());

/** Reasons that are spelled out; further ones are only counted. */
const NAMED_REASONS = 5;

/** Unpacks, decodes and normalises a request; spans in document order. A span that cannot be stored is counted with its
 *  reason, the others are kept. Fails as `inflate`, `decodeProtobuf` and `decodeJson` do, and with
 *  `otlp.project_name_too_long` (invalid). */
export function decodeExport(request: DecodeRequest): ExportedSpans {
  const spans: IncomingSpan[] = [];
  const parts = decodeInParts(request, Number.POSITIVE_INFINITY);
  let part = parts.next();
  for (; part.done !== true; part = parts.next()) for (const span of part.value) spans.push(span);
  return { spans, rejections: part.value };
}

/** The same in parts of about `weight` (`weightOf`), each made when it is asked for, so that a large request is never whole in
 *  memory; a failure comes before the first part. The lists are the caller's. */
export function* decodeInParts(
  request: DecodeRequest,
  weight: number,
): Generator<IncomingSpan[], Rejections, undefined> {
  const override = overrideOf(request);
  const body = inflate(request.body, request.encoding, request.limitBytes);
  const isUnpacked = body !== request.body;
  if (isUnpacked && request.takesBody === true) freeBytes(request.body);
  const free = () => {
    if (isUnpacked || request.takesBody === true) freeBytes(body);
  };
  const decoded =
    request.format === "json"
      ? decodeJson(body, free)
      : decodeProtobuf(body, request.usesPlans === false ? null : planner);
  const all = normaliseExport(decoded, override, request.defaultProject);
  let part: IncomingSpan[] = [];
  let partWeight = 0;
  try {
    let span = all.next();
    for (; span.done !== true; span = all.next()) {
      const own = weightOf(span.value);
      if (part.length > 0 && partWeight + own > weight) {
        yield part;
        part = [];
        partWeight = 0;
      }
      part.push(span.value);
      partWeight += own;
    }
    // Before the last part, which may be one huge span, and without waiting for the collector.
    free();
    if (part.length > 0) yield part;
    return span.value;
  } finally {
    free();
  }
}

/** The project that the request names itself, or null. */
export function overrideOf({ projectOverride }: Pick<DecodeRequest, "projectOverride">): string | null {
  const override = projectOverride ? storableText(projectOverride) : null;
  if (override !== null && exceedsBytes(override, MAX_KEY_BYTES)) {
    throw fail("otlp.project_name_too_long", "invalid", `The project name is longer than ${MAX_KEY_BYTES} bytes`);
  }
  return override;
}

/** The spans of a decoded message. `override` beats the resource, the resource the default. */
function* normaliseExport(
  decoded: DecodedExport,
  override: string | null,
  defaultProject: string,
): Generator<IncomingSpan, Rejections, undefined> {
  const reasons = new Map<string, number>();
  const reject = (reason: string) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  for (const reason of decoded.unreadable) reject(reason);
  for (const resource of decoded.resources) {
    const projectName = override ?? resource.projectName ?? defaultProject;
    for (const scope of resource.scopes) {
      const surroundings: SpanSurroundings = { projectName, sharedExtra: sharedExtra(resource, scope) };
      for (const span of scope.spans) {
        let normalised: IncomingSpan;
        try {
          normalised = normaliseSpan(span, surroundings);
        } catch (error) {
          reject(error instanceof Failure ? error.message : `Internal fault: ${messageOf(error)}`);
          continue;
        }
        yield normalised;
      }
    }
  }
  return rejectionsOf(reasons);
}

/** How many were left out, and up to five reasons. */
export function rejectionsOf(reasons: ReadonlyMap<string, number>): Rejections {
  let count = 0;
  const named: string[] = [];
  for (const [reason, times] of reasons) {
    count += times;
    if (named.length < NAMED_REASONS) named.push(times === 1 ? reason : `${reason} (${times} times)`);
  }
  if (reasons.size > NAMED_REASONS) named.push(`and ${reasons.size - NAMED_REASONS} other reasons`);
  return { count, message: named.join("; ") };
}
