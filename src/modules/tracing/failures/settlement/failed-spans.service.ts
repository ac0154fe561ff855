// Reads which of some spans failed, and how, from their payloads.
import type { Json, JsonObject } from "../../../../kernel/json.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { ExaminedSpansStore } from "./examined-spans.store.ts";
import { type FailedSpan, failedSpanOf } from "./failed-span.rules.ts";

/** Whole payloads of spans, as the spans module stores them. */
export interface SpanPayloads {
  /** How many of the spans, in their order, take at most `bytes` together; at least one. */
  countFitting(context: CallContext, spanIds: readonly number[], bytes: number): Promise<number>;
  read(
    context: CallContext,
    spanIds: readonly number[],
  ): Promise<ReadonlyMap<number, { readonly attributes: JsonObject; readonly events: readonly Json[] }>>;
}

/** Of the spans by row id, those that failed. */
export type FailedSpans = (context: CallContext, ids: readonly number[]) => Promise<FailedSpan[]>;

/** Of payloads in memory at a time. */
const MOST_BYTES = 4 * 1024 * 1024;

export function createFailedSpans(store: ExaminedSpansStore, payloads: SpanPayloads): FailedSpans {
  return async (context, ids) => {
    const spans = new Map((await store.readSpans(context, ids)).map((span) => [span.id, span]));
    const resources = await store.readResources(context, ids);
    const splitsOf = await store.listSplits(context, [...new Set([...spans.values()].map((span) => span.projectId))]);
    const failed: FailedSpan[] = [];
    for (let rest = [...spans.keys()]; rest.length > 0; ) {
      const count = await payloads.countFitting(context, rest, MOST_BYTES);
      for (const [id, payload] of await payloads.read(context, rest.slice(0, count))) {
        const span = spans.get(id)!;
        const found = failedSpanOf(span, { ...payload, resource: resources.get(id) ?? {} }, (fingerprint) =>
          splitsOf(span.projectId, fingerprint),
        );
        if (found !== null) failed.push(found);
      }
      rest = rest.slice(count);
    }
    return failed;
  };
}
