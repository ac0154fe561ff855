// Model calls that two instrumentations recorded: a span and its direct child, both of a model, that report the same counts. The
// outer one repeats the child: it keeps its counts, and sums leave them out.
import type { IncomingSpan } from "../../span.ts";
import { positionsByKey, type SumVector } from "./rollup.ts";

/** A span as far as it may be one of the two. Counts are its own. */
interface CallSpan {
  readonly traceId: number;
  /** Unique only inside its trace. */
  readonly spanKey: string;
  readonly parentKey: string | null;
  /** Null where it is no call of a model, or reports no tokens. */
  readonly call: CallCounts | null;
}

export interface CallCounts {
  readonly prompt: number;
  readonly completion: number;
}

/** What a call adds to sums. */
export interface CountedCall extends CallCounts {
  /** 10^-12 USD; beyond 2^53 a number would lose digits. */
  readonly cost: bigint;
}

/** Null for what is no call of a model, and for one without tokens: there is nothing to count twice. */
export function callCountsOf(
  span: Pick<IncomingSpan, "kind" | "promptTokens" | "completionTokens">,
): CallCounts | null {
  const prompt = span.promptTokens ?? 0;
  const completion = span.completionTokens ?? 0;
  return span.kind !== "LLM" || (prompt === 0 && completion === 0) ? null : { prompt, completion };
}

export function isSameCall(one: CallCounts | null, other: CallCounts | null): boolean {
  return one !== null && other !== null && one.prompt === other.prompt && one.completion === other.completion;
}

/** Positions of the spans that repeat a direct child in the same list. A span is no child of itself. */
export function repeatsInside(spans: readonly CallSpan[]): Set<number> {
  const repeats = new Set<number>();
  const calls = spans.filter(({ call }) => call !== null);
  if (calls.length < 2) return repeats;
  const positions = positionsByKey(spans);
  for (const { traceId, spanKey, parentKey, call } of calls) {
    if (parentKey === null || parentKey === spanKey) continue;
    const parent = positions.get(traceId)?.get(parentKey);
    if (parent !== undefined && isSameCall(spans[parent]!.call, call)) repeats.add(parent);
  }
  return repeats;
}

/** What a span adds to sums. */
export function countedOnce(own: SumVector, repeatsChild: boolean): SumVector {
  return repeatsChild ? { errors: own.errors, prompt: 0, completion: 0 } : own;
}
