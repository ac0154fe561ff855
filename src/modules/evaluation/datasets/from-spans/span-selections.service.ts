// Which spans examples are made of: chosen one by one, the roots of traces and of the turns of sessions, or all that match a condition.
import type { Clock } from "../../../../kernel/clock.ts";
import { ARRIVAL, type PageStart, startBehind } from "../../../../kernel/list.ts";
import type { Range } from "../../../../storage/period.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { SessionsService } from "../../../tracing/sessions/sessions.service.ts";
import type { SpanReadsService } from "../../../tracing/spans/reading/span-reads.service.ts";
import type { SpanRecord } from "../../../tracing/spans/spans.schema.ts";
import { sourcesNotFound } from "../datasets.errors.ts";
import type { SpanSourcesStore } from "./span-sources.store.ts";

/** All spans of a project that match. */
interface MatchingSpans extends Range {
  readonly projectId: number;
  /** Conditions as texts; blank ones match everything. */
  readonly condition: string;
  readonly traceCondition: string;
  readonly rootsOnly: boolean;
}

/** All sessions of a project that were active in the range and match. */
interface MatchingSessions extends Range {
  readonly projectId: number;
  readonly condition: string;
}

/** What examples are made of. Row ids. */
export type SpanSelection =
  | { readonly spanIds: readonly number[] }
  /** The root span of each. */
  | { readonly traceIds: readonly number[] }
  /** The root span of each of their traces: one a turn. */
  | { readonly sessionIds: readonly number[] }
  | { readonly matching: MatchingSpans }
  | { readonly matchingSessions: MatchingSessions };

export interface SpanSelections {
  /** Spans in the order in which they become examples, in parts of at most 250. Throws kind `not_found` for what is not there, and as a
   *  list does for a condition. */
  chosen(context: CallContext, selection: SpanSelection): AsyncIterable<readonly SpanRecord[]>;
}

interface SpanSelectionsDependencies {
  readonly store: SpanSourcesStore;
  readonly spanReads: SpanReadsService;
  readonly sessions: SessionsService;
  readonly clock: Clock;
}

/** Spans that are read at once. */
const PART_SPANS = 250;
/** Sessions whose turns are looked for at once. */
const PART_SESSIONS = 100;
/** Traces whose roots are looked for at once. */
const PART_TRACES = 500;

export function createSpanSelections({
  store,
  spanReads,
  sessions,
  clock,
}: SpanSelectionsDependencies): SpanSelections {
  async function* chosen(context: CallContext, selection: SpanSelection): AsyncGenerator<readonly SpanRecord[]> {
    if ("matching" in selection) {
      yield* matching(context, selection.matching);
      return;
    }
    if ("spanIds" in selection) {
      for (const ids of slices([...new Set(selection.spanIds)], PART_SPANS)) {
        const found = await spanReads.findSpans(context, ids);
        const missing = ids.filter((id) => !found.has(id));
        if (missing.length > 0) throw sourcesNotFound("Span", missing);
        yield ids.map((id) => found.get(id)!);
      }
      return;
    }
    if ("matchingSessions" in selection) {
      for await (const sessionIds of sessionsMatching(context, selection.matchingSessions)) {
        yield* rootsOf(context, [...(await store.listTurns(context, sessionIds)).values()].flat());
      }
      return;
    }
    if ("sessionIds" in selection) {
      yield* rootsOf(context, await turnsOf(context, selection.sessionIds));
      return;
    }
    yield* rootsOf(context, [...new Set(selection.traceIds)], (missing) => {
      throw sourcesNotFound("Trace", missing);
    });
  }

  async function* rootsOf(
    context: CallContext,
    traceIds: readonly number[],
    without?: (traceIds: readonly number[]) => never,
  ): AsyncGenerator<readonly SpanRecord[]> {
    for (const ids of slices(traceIds, PART_TRACES)) {
      const roots = await spanReads.findRoots(context, ids);
      const missing = ids.filter((id) => !roots.has(id));
      if (missing.length > 0) without?.(missing);
      for (const part of slices(ids, PART_SPANS)) yield part.flatMap((id) => roots.get(id) ?? []);
    }
  }

  async function turnsOf(context: CallContext, sessionIds: readonly number[]): Promise<number[]> {
    const turns = await store.listTurns(context, sessionIds);
    const missing = sessionIds.filter((id) => !turns.has(id));
    if (missing.length > 0) throw sourcesNotFound("ProjectSession", missing);
    return [...new Set(sessionIds)].flatMap((id) => turns.get(id)!);
  }

  /** In the order of arrival, up to now: what comes meanwhile is not waited for. */
  async function* matching(context: CallContext, wanted: MatchingSpans): AsyncGenerator<readonly SpanRecord[]> {
    const { condition, traceCondition, projectId, startUs, rootsOnly } = wanted;
    const endUs = Math.min(wanted.endUs ?? clock.now(), clock.now());
    const roots = rootsOnly ? "orphans" : "none";
    const spans = { projectId, startUs, endUs, roots, condition, traceCondition } as const;
    let start: PageStart | null = null;
    for (;;) {
      const request = { sort: ARRIVAL, order: "asc", start, limit: PART_SPANS } as const;
      const page = await spanReads.listOfProject(context, spans, request);
      if (page.items.length > 0) yield page.items;
      const last = page.places.at(-1);
      if (page.next === null || last === undefined) return;
      start = startBehind(last);
    }
  }

  /** Their row ids, in the order of arrival. */
  async function* sessionsMatching(
    context: CallContext,
    { projectId, condition, startUs, endUs }: MatchingSessions,
  ): AsyncGenerator<readonly number[]> {
    const scope = { projectId, condition, range: { startUs, endUs: Math.min(endUs ?? clock.now(), clock.now()) } };
    for (let start: PageStart | null = null; ; ) {
      const request = { sort: ARRIVAL, order: "asc", start, limit: PART_SESSIONS } as const;
      const page = await sessions.listOfProject(context, scope, request);
      if (page.items.length > 0) yield page.items.map(({ id }) => id);
      const last = page.places.at(-1);
      if (page.next === null || last === undefined) return;
      start = startBehind(last);
    }
  }

  return { chosen };
}

function slices<Item>(list: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}
