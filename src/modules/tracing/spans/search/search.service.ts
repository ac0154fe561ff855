// Text search over the spans or traces of a project, newest first, by slices until the page is full, the range is done or the
// time for one answer is over. Every answer says how far it has come and where to go on: a page can show the progress, and
// cancels by not asking again or by closing the connection.
import { type Filter, parseSpanFilter, parseTraceFilter } from "../../../../filter/filter.ts";
import { type TextPlace, textPlaces } from "../../../../filter/text-search.ts";
import { Failure } from "../../../../kernel/failure.ts";
import type { ListPlace } from "../../../../kernel/list.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { RollupsService } from "../../../../summaries/rollups/rollups.service.ts";
import { invalidSearchText } from "./search.errors.ts";
import { MAX_WORDS, nextSliceSize, searchedFraction, searchedWords } from "./search.rules.ts";
import type { SearchedKind, SearchMatch, SearchScope, SearchStore, Slice } from "./search.store.ts";

/** Bytes of a text at most. */
export const MAX_TEXT_BYTES = 1024;
/** After this time no further slice is begun: the answer then says where to go on. */
const ANSWER_MILLISECONDS = 700;
/** A slice that takes longer is stopped and tried again with fewer rows, as long as it has more than one. */
const SLICE_MILLISECONDS = 2000;
const FIRST_SLICE = 250;
/** Rows that are counted at most. */
const MOST_COUNTED = 10_000;
/** What is left of a slice that took too long. */
const SHRINK = 16;

export interface SearchRequest {
  readonly projectId: number;
  /** 1 to MAX_TEXT_BYTES bytes of words and phrases, which all must occur, in any letter case (kernel/fold-case.ts). */
  readonly text: string;
  /** Microseconds; the end is excluded. Null is unbounded. */
  readonly startUs: number | null;
  readonly endUs: number | null;
  /** Of the language of spans or traces, whichever are searched; blank matches everything. */
  readonly condition: string;
  /** `next` of the answer before; null begins at the newest. */
  readonly after: ListPlace | null;
  readonly limit: number;
}

/** How far the search has come, from the newest row of its range to the oldest. */
export interface SearchProgress {
  /** True when the range is done: nothing follows. */
  readonly complete: boolean;
  /** Of the time range, 0 to 1. */
  readonly fraction: number;
  /** Everything that started after this instant, in microseconds, has been looked at; null before the first row. */
  readonly scannedUntilUs: number | null;
  /** Rows this answer looked at. */
  readonly scannedRows: number;
}

interface SpanMatch extends ListPlace {
  readonly foundIn: TextPlace;
}

interface TraceMatch extends ListPlace {
  /** The first span of the trace, by start, that contains the first word; where it does is null when it is gone meanwhile. */
  readonly spanId: number;
  readonly foundIn: TextPlace;
}

export interface SearchAnswer<Match> {
  /** Newest start first. There may be none before the search is complete. */
  readonly matches: readonly Match[];
  readonly progress: SearchProgress;
  /** Null exactly when the search is complete. */
  readonly next: ListPlace | null;
}

/** What is searched, without a place to begin at: the newest row. */
type SearchedScope = Omit<SearchRequest, "after" | "limit">;

/** Row ids, newest start first. */
interface FoundRows {
  readonly ids: readonly number[];
  readonly progress: SearchProgress;
}

export interface SearchService {
  /** All that a list of the same search goes through, as far as one answer looks: for what is counted beside the list. Throws like
   *  the searches below. */
  findRows(context: CallContext, kind: SearchedKind, scope: SearchedScope): Promise<FoundRows>;
  /** Spans whose input, output, error message or annotations contain every word. Throws kind `invalid` for the text, `filter.invalid` for
   *  the condition, here and below. */
  searchSpans(context: CallContext, request: SearchRequest): Promise<SearchAnswer<SpanMatch>>;
  /** Traces of which every word is in any span, or in an annotation of the trace. */
  searchTraces(context: CallContext, request: SearchRequest): Promise<SearchAnswer<TraceMatch>>;
}

interface SearchDependencies {
  readonly store: SearchStore;
  readonly rollups: RollupsService;
  readonly answerMilliseconds?: number;
}

export function createSearchService(dependencies: SearchDependencies): SearchService {
  const { store, rollups, answerMilliseconds = ANSWER_MILLISECONDS } = dependencies;

  async function search(
    context: CallContext,
    kind: SearchedKind,
    parsed: Filter,
    request: SearchRequest,
  ): Promise<SearchAnswer<SearchMatch>> {
    const began = performance.now();
    const { projectId, startUs, endUs, after, limit } = request;
    const words = checkedWords(request.text);
    const filter = await rollups.settledFilter(context, { projectIds: [projectId] }, parsed);
    const bounds = await store.findBounds(context, kind, projectId);
    const scope: SearchScope = { projectId, words, startUs, endUs, filter };

    const matches: SearchMatch[] = [];
    let place = after;
    let scannedRows = 0;
    let complete = bounds === null;
    let size = FIRST_SLICE;
    while (!complete && matches.length < limit) {
      const left = answerMilliseconds - (performance.now() - began);
      if (scannedRows > 0 && left <= 0) break;
      const sliceBegan = performance.now();
      const slice = await trySlice(context, kind, scope, place, size);
      if (slice === null) {
        if (scannedRows > 0) break;
        size = Math.ceil(size / SHRINK);
        continue;
      }
      matches.push(...slice.matches);
      scannedRows += slice.count;
      place = slice.end ?? place;
      complete = slice.count < size;
      size = nextSliceSize(size, performance.now() - sliceBegan, left);
    }
    const last = matches[limit - 1];
    if (matches.length > limit || (last !== undefined && !complete)) {
      // What was read behind the page belongs to the next one.
      complete = false;
      place = last!;
    }
    return {
      matches: matches.slice(0, limit),
      next: complete ? null : place,
      progress: {
        complete,
        fraction: complete ? 1 : searchedFraction(bounds!, request, place),
        scannedUntilUs: place?.value ?? null,
        scannedRows,
      },
    };
  }

  /** Null when the slice took too long and there is time for a smaller one. */
  async function trySlice(
    context: CallContext,
    kind: SearchedKind,
    scope: SearchScope,
    after: ListPlace | null,
    size: number,
  ): Promise<Slice | null> {
    const own = performance.now() + SLICE_MILLISECONDS;
    const deadline = size === 1 ? context.deadline : Math.min(context.deadline, own);
    try {
      return await store.readSlice({ ...context, deadline }, kind, scope, { after, size });
    } catch (error) {
      const stopped = error instanceof Failure && error.code === "storage.deadline";
      if (stopped && size > 1 && performance.now() < context.deadline) return null;
      throw error;
    }
  }

  return {
    async findRows(context, kind, scope) {
      const parse = kind === "spans" ? parseSpanFilter : parseTraceFilter;
      const request = { ...scope, after: null, limit: MOST_COUNTED };
      const { matches, progress } = await search(context, kind, parse(scope.condition), request);
      return { ids: matches.map(({ rowId }) => rowId), progress };
    },

    async searchSpans(context, request) {
      const found = await search(context, "spans", parseSpanFilter(request.condition), request);
      const matches = found.matches.map((match) => ({ ...match, foundIn: textPlaces[match.found]! }));
      return { ...found, matches };
    },

    async searchTraces(context, request) {
      const found = await search(context, "traces", parseTraceFilter(request.condition), request);
      const spanIds = found.matches.map((match) => match.found);
      const places = await store.findPlaces(context, spanIds, checkedWords(request.text)[0]!);
      const matches = found.matches.map((match) => ({
        ...match,
        spanId: match.found,
        // The span itself does not contain it: an annotation of the trace does.
        foundIn: places.get(match.found) ?? "annotation",
      }));
      return { ...found, matches };
    },
  };
}

function checkedWords(text: string): readonly string[] {
  if (text === "") throw invalidSearchText("must not be empty");
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) throw invalidSearchText(`must not exceed ${MAX_TEXT_BYTES} bytes`);
  const words = searchedWords(text);
  if (words.length > MAX_WORDS) {
    throw invalidSearchText(`must not have more than ${MAX_WORDS} words; "a phrase" in double quotes counts as one`);
  }
  return words;
}
