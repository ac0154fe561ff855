// What can be wrong with spans and with what is asked of their list.
import { fail } from "../../../kernel/failure.ts";

export const spanNotFound = (identifier: string) =>
  fail("spans.not_found", "not_found", `No span has the identifier ${identifier}`);

export const invalidValuePath = (path: string) =>
  fail("spans.invalid_path", "invalid", `path: no JSON list of keys and positions below attributes or events: ${path}`);

export const valueNotFound = (path: string) =>
  fail("spans.value_not_found", "not_found", `The span has no value at ${path}`);

export const valueGone = (path: string) =>
  fail("spans.value_gone", "not_found", `The value at ${path} was deleted while it was read`);

/** The answer says nothing of it, the log does. */
export const valueDamaged = (spanKey: string, paths: readonly string[]) =>
  fail(
    "spans.value_damaged",
    "internal",
    `Span ${spanKey} has lost parts of its long texts (${paths.join(" ")}): spanlight verify names all such spans`,
  );

export const payloadsTooLarge = (spans: number, mebibytes: number, limit: number) =>
  fail(
    "spans.payloads_too_large",
    "too_large",
    `first: the attributes and events of ${spans} spans take ${mebibytes} MiB, an answer holds ${limit} MiB of them; ask for fewer spans, or for the fields that lists have without them (name, truncatedValue)`,
  );

export const walkedTooLarge = (limit: number) =>
  fail(
    "spans.payloads_too_large",
    "too_large",
    `The attributes and events of these spans take more than ${limit} MiB, which is the most that is read to analyse them`,
  );

export const invalidWords = (parameter: string, words: readonly string[]) =>
  fail(
    "spans.invalid_filter",
    "invalid",
    `Invalid ${parameter} values: [${words.map((word) => `'${word}'`).join(", ")}]`,
  );

export const invalidAttributeFilter = (text: string, problem: string) =>
  fail("spans.invalid_attribute_filter", "invalid", `Invalid attribute filter '${text}': ${problem}`);

export interface RefusedSpan {
  readonly span_id: string;
  readonly trace_id: string;
}

export interface InvalidSpan extends RefusedSpan {
  readonly error: string;
}

const COUNT = { type: "integer", minimum: 0 } as const;

/** The document of a refused batch as the OpenAPI document shows it. */
export const batchRefusal = {
  schema: {
    type: "object",
    properties: {
      error: { type: "string" },
      total_received: COUNT,
      total_queued: COUNT,
      total_duplicates: COUNT,
      total_invalid: COUNT,
      duplicate_spans: { type: "array", items: { type: "object" } },
      invalid_spans: { type: "array", items: { type: "object" } },
    },
  },
  example: {
    error: "Request contains invalid or duplicate spans",
    total_received: 1,
    total_queued: 0,
    total_duplicates: 1,
    total_invalid: 0,
    duplicate_spans: [{ span_id: "00f067aa0ba902b7", trace_id: "4bf92f3577b34da6a3ce929d0e0e4736" }],
    invalid_spans: [],
  },
} as const;

/** The batch of `POST …/spans` is refused as a whole; the document is what the clients read. */
export function batchRefused(counts: {
  readonly received: number;
  readonly queued: number;
  readonly duplicates: readonly RefusedSpan[];
  readonly invalid: readonly InvalidSpan[];
}) {
  const { received, queued, duplicates, invalid } = counts;
  const error = "Request contains invalid or duplicate spans";
  const document = {
    error,
    total_received: received,
    total_queued: queued,
    total_duplicates: duplicates.length,
    total_invalid: invalid.length,
    duplicate_spans: duplicates,
    invalid_spans: invalid,
  };
  return fail("spans.batch_refused", "malformed", error, { document });
}
