// What the sums of spans, traces and sessions must be, worked out the slow way from what is stored and from nothing else.
import type { SumVector } from "../../src/model/summaries/rollups/rollup.ts";
import { ownSums, type RollupSimulator, type SimulatedSpan } from "./rollup-simulator.ts";

/** True for a span from which the parent links lead back to itself. */
export function liesOnCycle(span: SimulatedSpan, trace: readonly SimulatedSpan[]): boolean {
  let above = span.parentKey;
  for (let step = 0; step < trace.length && above !== null; step++) {
    if (above === span.spanKey) return true;
    above = trace.find((other) => other.spanKey === above)?.parentKey ?? null;
  }
  return false;
}

/** True where a direct child, also the call of a model, reports the same counts. */
export function repeatsChild(span: SimulatedSpan, trace: readonly SimulatedSpan[]): boolean {
  const tokens = ({ promptTokens, completionTokens }: SimulatedSpan) => [promptTokens ?? 0, completionTokens ?? 0];
  if (span.kind !== "LLM" || tokens(span).every((count) => count === 0)) return false;
  return trace.some(
    (child) =>
      child.parentKey === span.spanKey &&
      child.kind === "LLM" &&
      String(tokens(child)) === String(tokens(span)) &&
      !liesOnCycle(child, trace),
  );
}

/** Own counts of everything at or below the span, going down links that lie on no cycle. */
export function sumBelow(span: SimulatedSpan, trace: readonly SimulatedSpan[]): SumVector {
  const total = { errors: 0, prompt: 0, completion: 0 };
  const visited = new Set<string>();
  const open = [span];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (visited.has(next.spanKey)) continue;
    visited.add(next.spanKey);
    const own = ownSums(next);
    total.errors += own.errors;
    if (!repeatsChild(next, trace)) {
      total.prompt += own.prompt;
      total.completion += own.completion;
    }
    const { spanKey } = next;
    open.push(...trace.filter((child) => child.parentKey === spanKey && !liesOnCycle(child, trace)));
  }
  return total;
}

/** Counts of the spans of a trace as it shows them. */
export function countsOf(spans: readonly SimulatedSpan[]) {
  const counted = spans.filter((span) => !repeatsChild(span, spans));
  return {
    spanCount: spans.length,
    errorCount: spans.filter((span) => span.status === "ERROR").length,
    llmCount: spans.filter((span) => span.kind === "LLM").length,
    toolCount: spans.filter((span) => span.kind === "TOOL").length,
    prompt: counted.reduce((sum, span) => sum + (span.promptTokens ?? 0), 0),
    completion: counted.reduce((sum, span) => sum + (span.completionTokens ?? 0), 0),
    cost: counted.reduce((sum, span) => sum + BigInt(span.cost ?? 0), 0n),
  };
}

/** Counts of all sessions that a trace is linked to. */
export function sessionCounts(store: RollupSimulator) {
  const sessions = new Map<
    number,
    Omit<ReturnType<typeof countsOf>, "errorCount"> & Record<"traceCount" | "errorTraceCount", number>
  >();
  for (const sessionId of new Set([...store.traces.values()].map((trace) => trace.sessionId))) {
    if (sessionId === null) continue;
    const linked = [...store.traces].filter(([, trace]) => trace.sessionId === sessionId).map(([traceId]) => traceId);
    const traces = linked.map((traceId) => countsOf(store.spansOf(traceId)));
    const sum = (of: (trace: ReturnType<typeof countsOf>) => number) =>
      traces.reduce((total, trace) => total + of(trace), 0);
    sessions.set(sessionId, {
      spanCount: sum((trace) => trace.spanCount),
      llmCount: sum((trace) => trace.llmCount),
      toolCount: sum((trace) => trace.toolCount),
      prompt: sum((trace) => trace.prompt),
      completion: sum((trace) => trace.completion),
      cost: traces.reduce((total, trace) => total + trace.cost, 0n),
      traceCount: traces.filter((trace) => trace.spanCount > 0).length,
      errorTraceCount: traces.filter((trace) => trace.errorCount > 0).length,
    });
  }
  return sessions;
}
