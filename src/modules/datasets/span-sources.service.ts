// Examples out of spans: chosen one by one, the roots of traces and of the turns of sessions, or all that match a condition. They are
// read and stored in parts, and make one version.
import type { Clock } from "../../kernel/clock.ts";
import { ARRIVAL, countFitting, type PageStart, startBehind } from "../../kernel/list.ts";
import type { CallContext } from "../../storage/storage.ts";
import { targetKinds } from "../annotations/annotation-targets.rules.ts";
import type { AnnotationsService } from "../annotations/annotations.service.ts";
import type { SpanReadsService } from "../spans/span-reads.service.ts";
import type { SpanRecord } from "../spans/spans.schema.ts";
import type { DatasetChangesService } from "./dataset-changes.service.ts";
import { hashedContent } from "./dataset-content.rules.ts";
import { nothingChosen, sourcesNotFound } from "./datasets.errors.ts";
import type { Dataset, DatasetChange, VersionWords } from "./datasets.schema.ts";
import { exampleOfSpan, type SpanExample } from "./span-example.rules.ts";
import type { SpanSourcesStore } from "./span-sources.store.ts";
import { type UploadPart, type UploadRow, uploadPart } from "./upload-parts.rules.ts";

interface SpanSourcesDependencies {
  readonly store: SpanSourcesStore;
  readonly spanReads: Pick<SpanReadsService, "findSpans" | "findRoots" | "listOfProject" | "readPayloads">;
  readonly annotations: Pick<AnnotationsService, "listOf">;
  readonly changes: Pick<DatasetChangesService, "addParts">;
  readonly clock: Clock;
}

/** All spans of a project that match. */
interface MatchingSpans {
  readonly projectId: number;
  /** Conditions as texts; blank ones match everything. */
  readonly condition: string;
  readonly traceCondition: string;
  /** Microseconds; null is unbounded. */
  readonly startUs: number | null;
  readonly endUs: number | null;
  readonly rootsOnly: boolean;
}

/** What examples are made of. Row ids. */
export type SpanSelection =
  | { readonly spanIds: readonly number[] }
  /** The root span of each. */
  | { readonly traceIds: readonly number[] }
  /** The root span of each of their traces: one a turn. */
  | { readonly sessionIds: readonly number[] }
  | { readonly matching: MatchingSpans };

export interface SpanSourcesService {
  /** Adds an example for each of the spans, in one version. Throws kind `not_found` for spans, traces and sessions that are not
   *  there, `invalid` when nothing is chosen, and as a list of spans does for a condition. */
  addSpans(
    context: CallContext,
    dataset: Pick<Dataset, "id" | "name">,
    selection: SpanSelection,
    words: VersionWords,
    /** Names of the splits that the examples are put into; those that nobody has made yet are made. */
    splits?: readonly string[],
  ): Promise<DatasetChange>;
  /** What spans would be as examples, by row id. */
  findSpanExamples(context: CallContext, spanIds: readonly number[]): Promise<Map<number, SpanExample>>;
}

/** Spans that are read at once, and the bytes of their payloads that are held. */
const PART_SPANS = 250;
const PART_CHARACTERS = 2 * 1024 * 1024;
/** Traces whose roots are looked for at once. */
const PART_TRACES = 500;

export function createSpanSourcesService(dependencies: SpanSourcesDependencies): SpanSourcesService {
  const { store, spanReads, annotations, changes, clock } = dependencies;

  async function examplesOf(context: CallContext, spans: readonly SpanRecord[]): Promise<Map<number, SpanExample>> {
    const ids = spans.map(({ id }) => id);
    // A context of its own: what one part holds is gone before the next.
    const [payloads, said] = await Promise.all([
      readInParts(spanReads, context, ids),
      annotations.listOf(context, targetKinds.span, ids),
    ]);
    return new Map(
      spans.flatMap(({ id, kind }) => {
        const attributes = payloads.get(id);
        return attributes === undefined ? [] : [[id, exampleOfSpan(kind, attributes, said.get(id) ?? [])] as const];
      }),
    );
  }

  /** Spans in the order in which they become examples. Throws kind `not_found` for what is not there. */
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
    const traceIds =
      "traceIds" in selection ? [...new Set(selection.traceIds)] : await turnsOf(context, selection.sessionIds);
    for (const ids of slices(traceIds, PART_TRACES)) {
      const roots = await spanReads.findRoots(context, ids);
      const missing = ids.filter((id) => !roots.has(id));
      if (missing.length > 0 && "traceIds" in selection) throw sourcesNotFound("Trace", missing);
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
      const page = await spanReads.listOfProject(context, spans, request as never);
      if (page.items.length > 0) yield page.items;
      const last = page.places.at(-1);
      if (page.next === null || last === undefined) return;
      start = startBehind(last);
    }
  }

  async function* partsOf(
    context: CallContext,
    selection: SpanSelection,
    splits: readonly string[],
  ): AsyncGenerator<UploadPart> {
    let position = 0;
    for await (const spans of chosen(context, selection)) {
      const found = await examplesOf(context, spans);
      const rows = spans.flatMap(({ id }): UploadRow[] => {
        const example = found.get(id);
        return example === undefined ? [] : [rowOf(id, example, splits)];
      });
      for (let at = 0; at < rows.length; ) {
        const rest = rows.slice(at);
        const part = rest.slice(0, countFitting(rest, PART_CHARACTERS, lengthOf));
        yield uploadPart(position, part);
        position += part.length;
        at += part.length;
      }
    }
    if (position === 0) throw nothingChosen();
  }

  return {
    addSpans(context, dataset, selection, words, splits = []) {
      const parts = partsOf(context, selection, splits);
      const next = async () => {
        const { done, value } = await parts.next();
        return done === true ? null : value;
      };
      return changes.addParts(context, dataset, next, words);
    },

    async findSpanExamples(context, spanIds) {
      const found = await spanReads.findSpans(context, spanIds);
      return examplesOf(context, [...found.values()]);
    },
  };
}

/** The attributes of spans. Each part is read in a context of its own, which bounds what it holds. */
async function readInParts(
  spanReads: Pick<SpanReadsService, "readPayloads">,
  context: CallContext,
  ids: readonly number[],
) {
  const found = new Map<
    number,
    Awaited<ReturnType<SpanReadsService["readPayloads"]>> extends Map<number, infer Payload>
      ? Payload extends { readonly attributes: infer Attributes }
        ? Attributes
        : never
      : never
  >();
  const read = async (part: readonly number[]): Promise<void> => {
    try {
      for (const [id, payload] of await spanReads.readPayloads({ ...context }, part)) found.set(id, payload.attributes);
    } catch (error) {
      // Too large together: each half has another chance, and a single span is read at any size.
      if (part.length === 1) throw error;
      const middle = Math.ceil(part.length / 2);
      await read(part.slice(0, middle));
      await read(part.slice(middle));
    }
  };
  if (ids.length > 0) await read(ids);
  return found;
}

function rowOf(spanId: number, { input, output, metadata }: SpanExample, splits: readonly string[]): UploadRow {
  const content = hashedContent(input, output, metadata);
  return { ...content, externalId: null, namedExample: null, spanKey: null, spanId, splits };
}

const lengthOf = ({ input, output, metadata }: UploadRow) => input.length + output.length + metadata.length;

function slices<Item>(list: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}
