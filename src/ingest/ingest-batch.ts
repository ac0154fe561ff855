// One batch of spans in one transaction, the same for both databases: the steps in their order
// (docs/protocol/storage.md#the-ingest-transaction). This is the one place that writes projects, sessions, traces and spans
// together.

import type { IncomingSpan } from "../model/span.ts";
import type { SumVector } from "../model/summaries/rollups/rollup.ts";
import { climb, MAXIMUM_ANCESTORS } from "../model/summaries/rollups/rollup-climb.ts";
import { type Folded, fold } from "../model/summaries/rollups/rollup-fold.ts";
import { callCountsOf, countedOnce, isSameCall, repeatsInside } from "../model/summaries/rollups/rollup-repeats.ts";
import { addTotals, traceTotals, withoutCall } from "../model/summaries/rollups/rollup-totals.ts";
import { sessionDifferences, type TraceChange } from "../model/summaries/rollups/session-rollup.ts";
import type {
  CallReference,
  ChildSums,
  IngestNeeds,
  IngestStore,
  IngestTransaction,
  OuterCall,
  StoredTrace,
  TraceNeed,
} from "../storage/ingest-store.ts";
import { spanReferenceKey } from "../storage/ingest-store.ts";
import type { NewSpan } from "../storage/span-columns.ts";
import { type Costs, type CurrentPrices, costsNow, noPrices, PricesChanged, pricedBy } from "./priced-spans.ts";

export interface BatchOutcome {
  readonly stored: number;
  /** Spans that were stored before, or twice in the batch; they change nothing. */
  readonly duplicates: number;
  /** Traces whose span sums must be recomputed. */
  readonly pendingTraces: readonly number[];
}

/** A span that is new, with the row of its trace. */
interface PlacedSpan {
  readonly span: IncomingSpan;
  readonly trace: StoredTrace;
}

/** Thrown to leave the transaction: a span that is stored already would have named the session of its trace. The batch is
 *  tried again with the others, so that a duplicate creates and links nothing. */
class DuplicateNamesSession extends Error {
  constructor(readonly others: readonly IncomingSpan[]) {
    super("A stored span names a session");
  }
}

/** A batch that meets new prices is tried again with them. Beyond this count they are looked up inside the transaction, so that a person who
 *  changes models all the time keeps spans from being stored. */
const MAX_PRICINGS = 3;

/** Stores the spans of a batch and everything that follows from them, in one transaction. Resolves when it is durable;
 *  after a failure nothing of the batch is stored. */
export async function ingestBatch(
  store: IngestStore,
  spans: readonly IncomingSpan[],
  prices: CurrentPrices = noPrices,
): Promise<BatchOutcome> {
  let candidates: readonly IncomingSpan[] = withoutRepeats(spans);
  let priced = pricedBy(prices, candidates);
  for (let pricings = 1; ; ) {
    const costsIn = (transaction: IngestTransaction) =>
      costsNow(transaction, priced, { prices, spans: candidates, mayLeave: pricings < MAX_PRICINGS });
    try {
      const { stored, pendingTraces } = await storeBatch(store, candidates, costsIn);
      return { stored, duplicates: spans.length - stored, pendingTraces };
    } catch (error) {
      if (error instanceof DuplicateNamesSession) {
        candidates = error.others;
      } else if (error instanceof PricesChanged) {
        prices.renew(error.own);
        priced = pricedBy(prices, candidates);
        pricings++;
      } else throw error;
    }
  }
}

function storeBatch(
  store: IngestStore,
  spans: readonly IncomingSpan[],
  costsIn: (transaction: IngestTransaction) => Promise<Costs>,
) {
  if (spans.length === 0) return { stored: 0, pendingTraces: [] };
  return store.run(needsOf(spans), async (transaction) => {
    const all = spans.map((span) => ({ span, trace: transaction.traces.get(span.traceKey)! }));
    // Asked for together, so that the database is waited for once.
    const [placed, children, outer] = await Promise.all([
      withoutStored(transaction, all),
      storedChildren(transaction, all),
      outerCalls(transaction, all),
    ]);
    if (placed.length === 0) return { stored: 0, pendingTraces: [] };
    const costs = await costsIn(transaction);
    const pendingTraces = await storeSpans(transaction, placed, costs, {
      children,
      outer: repeatedBy(placed, outer),
    });
    return { stored: placed.length, pendingTraces };
  });
}

function withoutRepeats(spans: readonly IncomingSpan[]): IncomingSpan[] {
  const seen = new Map<string, Set<string>>();
  return spans.filter(({ traceKey, spanKey }) => {
    let keys = seen.get(traceKey);
    if (keys === undefined) {
      keys = new Set();
      seen.set(traceKey, keys);
    }
    return keys.size !== keys.add(spanKey).size;
  });
}

/** One need a trace: the project of its first span, the bounds of all, the first session id among them. */
export function needsOf(spans: readonly IncomingSpan[]): IngestNeeds {
  const needs = new Map<string, { -readonly [Name in keyof TraceNeed]: TraceNeed[Name] }>();
  for (const { traceKey, projectName, startUs, endUs, sessionKey } of spans) {
    const need = needs.get(traceKey);
    if (need === undefined) {
      needs.set(traceKey, { traceKey, projectName, startUs, endUs, sessionKey });
      continue;
    }
    if (startUs < need.startUs) need.startUs = startUs;
    if (endUs > need.endUs) need.endUs = endUs;
    need.sessionKey ??= sessionKey;
  }
  return { traces: [...needs.values()] };
}

/** The spans of traces that had spans before. */
function inKnownTraces(placed: readonly PlacedSpan[]): CallReference[] {
  return placed
    .filter(({ trace }) => trace.totals.spanCount > 0)
    .map(({ span, trace }) => ({ traceId: trace.id, spanKey: span.spanKey, call: callCountsOf(span) }));
}

/** The parents of calls, with what those report; only where spans were before. */
function parentsOfCalls(placed: readonly PlacedSpan[]): CallReference[] {
  return placed.flatMap(({ span, trace }) => {
    const call = callCountsOf(span);
    const isLinked = span.parentKey !== null && span.parentKey !== span.spanKey;
    return call === null || !isLinked || trace.totals.spanCount === 0
      ? []
      : [{ traceId: trace.id, spanKey: span.parentKey!, call }];
  });
}

/** Stored calls whose child, with the same counts, is in the batch. */
async function outerCalls(
  transaction: IngestTransaction,
  placed: readonly PlacedSpan[],
): Promise<readonly OuterCall[]> {
  const questions = parentsOfCalls(placed);
  return questions.length === 0 ? [] : transaction.findOuterCalls(questions);
}

/** Each once, and only those whose child is new: a span that is stored already changes nothing. */
function repeatedBy(placed: readonly PlacedSpan[], outer: readonly OuterCall[]): readonly OuterCall[] {
  if (outer.length === 0) return outer;
  const byKey = new Map(outer.map((call) => [spanReferenceKey(call), call]));
  const repeated = new Map<number, OuterCall>();
  for (const { call: inner, ...parent } of parentsOfCalls(placed)) {
    const call = byKey.get(spanReferenceKey(parent));
    if (call !== undefined && isSameCall(call, inner)) repeated.set(call.id, call);
  }
  return [...repeated.values()];
}

/** What stored children, which came first, bring to spans of the batch. */
async function storedChildren(
  transaction: IngestTransaction,
  placed: readonly PlacedSpan[],
): Promise<readonly ChildSums[]> {
  const questions = inKnownTraces(placed);
  return questions.length === 0 ? [] : transaction.sumStoredChildren(questions);
}

async function withoutStored(
  transaction: IngestTransaction,
  placed: readonly PlacedSpan[],
): Promise<readonly PlacedSpan[]> {
  const questions = inKnownTraces(placed);
  if (questions.length === 0) return placed;
  const stored = await transaction.findStoredSpans(questions);
  if (stored.size === 0) return placed;
  const isNew = ({ span, trace }: PlacedSpan) =>
    !stored.has(spanReferenceKey({ traceId: trace.id, spanKey: span.spanKey }));
  const others = placed.filter(isNew);
  const namesSession = (candidate: PlacedSpan) =>
    candidate.span.sessionKey !== null && candidate.trace.sessionId === null && !isNew(candidate);
  if (placed.some(namesSession)) throw new DuplicateNamesSession(others.map(({ span }) => span));
  return others;
}

async function storeSpans(
  transaction: IngestTransaction,
  placed: readonly PlacedSpan[],
  costs: Costs,
  { children, outer }: { readonly children: readonly ChildSums[]; readonly outer: readonly OuterCall[] },
): Promise<number[]> {
  const repeating = repeatingSpans(placed, children);
  const folded = fold(
    placed.map(({ span, trace }, position) => ({
      traceId: trace.id,
      spanKey: span.spanKey,
      parentKey: span.parentKey,
      own: countedOnce(ownSums(span), repeating.has(position)),
    })),
    inheritedSums(placed, children),
  );
  await transaction.insertSpans(newSpans(placed, folded, repeating, costs));
  if (outer.length > 0) await transaction.markRepeating(outer.map(({ id }) => id));
  const pendingTraces = await climbToAncestors(transaction, placed, folded, outer);
  await changeTracesAndSessions(transaction, placed, costs, { repeating, outer });
  return pendingTraces;
}

/** Positions of the spans that repeat a child, stored or of the batch. */
function repeatingSpans(placed: readonly PlacedSpan[], children: readonly ChildSums[]): Set<number> {
  const repeating = repeatsInside(
    placed.map(({ span, trace }) => ({
      traceId: trace.id,
      spanKey: span.spanKey,
      parentKey: span.parentKey,
      call: callCountsOf(span),
    })),
  );
  const inner = new Set(children.filter(({ hasSameCall }) => hasSameCall).map(spanReferenceKey));
  if (inner.size === 0) return repeating;
  for (const [position, { span, trace }] of placed.entries()) {
    if (inner.has(spanReferenceKey({ traceId: trace.id, spanKey: span.spanKey }))) repeating.add(position);
  }
  return repeating;
}

function ownSums(span: IncomingSpan): SumVector {
  return {
    errors: span.status === "ERROR" ? 1 : 0,
    prompt: span.promptTokens ?? 0,
    completion: span.completionTokens ?? 0,
  };
}

/** What stored children bring, by the position of their parent. */
function inheritedSums(placed: readonly PlacedSpan[], children: readonly ChildSums[]): Map<number, SumVector> {
  if (children.length === 0) return new Map();
  const sums = new Map(children.map((child) => [spanReferenceKey(child), child.sums]));
  return new Map(
    placed.flatMap(({ span, trace }, position) => {
      const inherited = sums.get(spanReferenceKey({ traceId: trace.id, spanKey: span.spanKey }));
      return inherited === undefined ? [] : [[position, inherited] as const];
    }),
  );
}

function newSpans(
  placed: readonly PlacedSpan[],
  folded: Folded,
  repeating: ReadonlySet<number>,
  costs: Costs,
): NewSpan[] {
  const selfParents = new Set(folded.selfParents);
  return placed.map(({ span, trace }, position) => ({
    span,
    traceId: trace.id,
    projectId: trace.projectId,
    sums: folded.sums[position]!,
    onCycle: selfParents.has(position),
    repeatsChild: repeating.has(position),
    cost: costs.get(span) ?? null,
  }));
}

/** Adds what leaves the batch upwards to the stored ancestors, and takes away what they counted of calls that now repeat a
 *  child. Returns the traces where that was not possible: those with a new cycle, or too deep to climb; their sums are
 *  recomputed before they are next read. */
async function climbToAncestors(
  transaction: IngestTransaction,
  placed: readonly PlacedSpan[],
  folded: Folded,
  outer: readonly OuterCall[],
): Promise<number[]> {
  const alreadyPending = new Set(placed.filter(({ trace }) => trace.rollupPending).map(({ trace }) => trace.id));
  // A parent that is not in the batch can be stored only where spans were before.
  const known = new Set(inKnownTraces(placed).map(({ traceId }) => traceId));
  const corrections = outer.map(({ traceId, spanKey, prompt, completion }) => ({
    traceId,
    parentKey: spanKey,
    delta: { errors: 0, prompt: 0 - prompt, completion: 0 - completion },
  }));
  const starts = [...folded.outgoing, ...corrections].filter(
    ({ traceId }) => known.has(traceId) && !alreadyPending.has(traceId) && !folded.cyclic.includes(traceId),
  );
  const pending = new Set(folded.cyclic);
  if (starts.length > 0) {
    const ancestors = await transaction.findAncestors(
      starts.map(({ traceId, parentKey }) => ({ traceId, spanKey: parentKey })),
      MAXIMUM_ANCESTORS,
    );
    const climbed = climb(starts, ancestors);
    for (const traceId of [...climbed.newCycles, ...climbed.tooDeep]) pending.add(traceId);
    if (climbed.updates.length > 0) await transaction.addToSpanSums(climbed.updates);
  }
  const newlyPending = [...pending].filter((traceId) => !alreadyPending.has(traceId));
  if (newlyPending.length > 0) await transaction.markRollupsPending(newlyPending);
  return newlyPending;
}

async function changeTracesAndSessions(
  transaction: IngestTransaction,
  placed: readonly PlacedSpan[],
  costs: Costs,
  { repeating, outer }: { readonly repeating: ReadonlySet<number>; readonly outer: readonly OuterCall[] },
): Promise<void> {
  const traces = new Map(placed.map(({ trace }) => [trace.id, trace]));
  const sessionKeys = new Map<number, string>();
  for (const { span, trace } of placed) {
    if (span.sessionKey !== null && !sessionKeys.has(trace.id)) sessionKeys.set(trace.id, span.sessionKey);
  }
  const added = traceTotals(
    placed.map(({ span, trace }, position) => ({
      traceId: trace.id,
      kind: span.kind,
      status: span.status,
      promptTokens: span.promptTokens,
      completionTokens: span.completionTokens,
      repeatsChild: repeating.has(position),
      cost: costs.get(span)?.total ?? null,
      startUs: span.startUs,
      endUs: span.endUs,
    })),
  );
  for (const { traceId, ...call } of outer) added.set(traceId, withoutCall(added.get(traceId)!, call));
  const changes: TraceChange[] = [];
  const updates = [...added].map(([traceId, totals]) => {
    const trace = traces.get(traceId)!;
    const key = sessionKeys.get(traceId);
    const sessionId = trace.sessionId ?? (key === undefined ? null : transaction.sessions.get(key)!);
    const after = addTotals(trace.totals, totals);
    changes.push({
      before: { sessionId: trace.sessionId, totals: trace.totals },
      after: { sessionId, totals: after },
    });
    return { traceId, sessionId, startUs: after.startUs, endUs: after.endUs, added: totals };
  });
  // Sessions first: a trace that names its session shares a lock on that row, in no order, and the deletion of an
  // empty session would wait for it while it waits for others of them.
  const differences = sessionDifferences(changes);
  if (differences.length > 0) await transaction.updateSessions(differences);
  await transaction.updateTraces(updates);
}
