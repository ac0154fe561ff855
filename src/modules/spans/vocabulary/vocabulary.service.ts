// Words for completing a condition while it is written: those of the language, and what the newest spans of the project
// hold. A hint, not a limit: it reads a sample of bounded size.
import { attributeName, type VocabularyTerm, vocabularyOf } from "../../../filter/vocabulary.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import type { Range } from "../../../storage/period.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { TraceReadsService } from "../../traces/trace-reads.service.ts";
import type { SpanRowsStore } from "../rows/span-rows.store.ts";
import { mostFrequent, observePaths } from "./observed.rules.ts";
import type { VocabularyStore } from "./vocabulary.store.ts";

export type { VocabularyTerm };

/** Spans, traces or sessions that are looked at. */
const SAMPLE_ROWS = 1000;
/** Bytes of attributes that are looked at. */
const SAMPLE_BYTES = 2 * 1024 * 1024;

export interface VocabularyService {
  ofSpans(context: CallContext, projectId: number, range: Range): Promise<VocabularyTerm[]>;
  /** Attributes are those of root spans, here and below. */
  ofTraces(context: CallContext, projectId: number, range: Range): Promise<VocabularyTerm[]>;
  ofSessions(context: CallContext, projectId: number): Promise<VocabularyTerm[]>;
}

interface VocabularyDependencies {
  readonly store: VocabularyStore;
  readonly rows: SpanRowsStore;
  readonly traceReads: TraceReadsService;
}

export function createVocabularyService({ store, rows, traceReads }: VocabularyDependencies): VocabularyService {
  async function withAttributes(
    context: CallContext,
    grain: "span" | "trace" | "session",
    spanIds: readonly number[],
  ): Promise<VocabularyTerm[]> {
    const words = vocabularyOf(grain);
    if (spanIds.length === 0) return words;
    const observed = attributeTerms(grain, await store.readAttributes(context, spanIds, SAMPLE_BYTES));
    const byName = new Map(observed.map((term) => [term.name, term]));
    // What the language has already (`user.id`) keeps its description and gets the values.
    const known = words.map((word) => ({ ...word, values: byName.get(word.name)?.values ?? word.values }));
    const names = new Set(words.map(({ name }) => name));
    return [...known, ...observed.filter(({ name }) => !names.has(name))];
  }

  return {
    async ofSpans(context, projectId, range) {
      const newest = await store.newestSpans(context, projectId, range, SAMPLE_ROWS);
      const terms = await withAttributes(
        context,
        "span",
        newest.map(({ id }) => id),
      );
      const counts = new Map<string, number>();
      for (const { name } of newest) counts.set(name, (counts.get(name) ?? 0) + 1);
      const names = mostFrequent(counts);
      return terms.map((term) =>
        term.name === "name" && term.category === "span" ? { ...term, values: names } : term,
      );
    },

    async ofTraces(context, projectId, range) {
      const traceIds = await store.newestTraces(context, projectId, range, SAMPLE_ROWS);
      const roots = traceIds.length === 0 ? [] : await rows.findRoots(context, traceIds);
      return withAttributes(
        context,
        "trace",
        roots.map(({ id }) => id),
      );
    },

    async ofSessions(context, projectId) {
      const sessionIds = await store.newestSessions(context, projectId, SAMPLE_ROWS);
      const ofSessions = await traceReads.listOfSessions(context, sessionIds, { start: null, limit: 1 });
      const traceIds = [...ofSessions.values()].flatMap(({ items }) => items.map(({ id }) => id));
      const roots = traceIds.length === 0 ? [] : await rows.findRoots(context, traceIds);
      return withAttributes(
        context,
        "session",
        roots.map(({ id }) => id),
      );
    },
  };
}

function attributeTerms(grain: "span" | "trace" | "session", sample: readonly JsonObject[]): VocabularyTerm[] {
  return observePaths(sample).map(({ path, type, values }) => ({
    name: path.join(".") === "user.id" ? "user.id" : attributeName(grain, path),
    type,
    description: "",
    category: "attribute",
    iterableName: null,
    values,
  }));
}
