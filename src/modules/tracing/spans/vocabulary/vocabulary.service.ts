// Words for completing a condition while it is written: those of the language, and what the newest spans of the project
// hold. A hint, not a limit: it reads a sample of bounded size.
import { analyse } from "../../../../filter/analyse.ts";
import { closestNames } from "../../../../filter/suggestion.ts";
import { annotationsIn } from "../../../../filter/tree-walk.ts";
import { annotationTerms, attributeName, type VocabularyTerm, vocabularyOf } from "../../../../filter/vocabulary.ts";
import type { JsonObject } from "../../../../kernel/json.ts";
import type { Range } from "../../../../storage/period.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { TraceReadsService } from "../../traces/reads/trace-reads.service.ts";
import type { SpanRowsStore } from "../rows/span-rows.store.ts";
import type { AnnotatedGrain, AnnotationNamesStore } from "./annotation-names.store.ts";
import { mostFrequent, type ObservedPath, observePaths } from "./observed.rules.ts";
import type { VocabularyStore } from "./vocabulary.store.ts";

export type { ObservedPath, VocabularyTerm };

/** Spans, traces or sessions that are looked at. */
const SAMPLE_ROWS = 1000;
/** Bytes of attributes that are looked at. */
const SAMPLE_BYTES = 2 * 1024 * 1024;

/** Names of annotations that are offered, and among which those like an unknown one are looked for. */
const MOST_NAMES = 50;
/** Names like an unknown one that a warning tells. */
const MOST_ALIKE = 5;

/** What the language calls annotations, and of what they are. */
const accessors: Readonly<Record<"span" | "trace" | "session", readonly (readonly [string, AnnotatedGrain])[]>> = {
  span: [
    ["annotations", "span"],
    ["trace_annotations", "trace"],
  ],
  trace: [
    ["trace_annotations", "trace"],
    ["root_annotations", "span"],
  ],
  session: [["session_annotations", "session"]],
};

export interface VocabularyService {
  ofSpans(context: CallContext, projectId: number, range: Range): Promise<VocabularyTerm[]>;
  /** Attributes are those of root spans, here and below. */
  ofTraces(context: CallContext, projectId: number, range: Range): Promise<VocabularyTerm[]>;
  ofSessions(context: CallContext, projectId: number): Promise<VocabularyTerm[]>;
  /** The paths of scalars among the attributes of the spans, by row id, the most frequent first. */
  observe(context: CallContext, spanIds: readonly number[]): Promise<ObservedPath[]>;
  /** A sentence for each annotation that a condition reads by a name which the project does not have. Throws `filter.invalid`. */
  listWarnings(
    context: CallContext,
    projectId: number,
    grain: "trace" | "session",
    condition: string,
  ): Promise<string[]>;
}

interface VocabularyDependencies {
  readonly store: VocabularyStore;
  readonly annotationNames: AnnotationNamesStore;
  readonly rows: SpanRowsStore;
  readonly traceReads: TraceReadsService;
}

export function createVocabularyService({
  store,
  annotationNames,
  rows,
  traceReads,
}: VocabularyDependencies): VocabularyService {
  /** The words that read the annotations which the project has. */
  async function annotations(
    context: CallContext,
    grain: "span" | "trace" | "session",
    projectId: number,
  ): Promise<VocabularyTerm[]> {
    const read = accessors[grain].map(async ([accessor, owner]) =>
      (await annotationNames.list(context, owner, projectId, MOST_NAMES)).flatMap((name) =>
        annotationTerms(accessor, name),
      ),
    );
    return (await Promise.all(read)).flat();
  }

  async function withAttributes(
    context: CallContext,
    projectId: number,
    grain: "span" | "trace" | "session",
    spanIds: readonly number[],
  ): Promise<VocabularyTerm[]> {
    const words = [...vocabularyOf(grain), ...(await annotations(context, grain, projectId))];
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
        projectId,
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

    async observe(context, spanIds) {
      return spanIds.length === 0 ? [] : observePaths(await store.readAttributes(context, spanIds, SAMPLE_BYTES));
    },

    async ofTraces(context, projectId, range) {
      const traceIds = await store.newestTraces(context, projectId, range, SAMPLE_ROWS);
      const roots = traceIds.length === 0 ? [] : await rows.findRoots(context, traceIds);
      return withAttributes(
        context,
        projectId,
        "trace",
        roots.map(({ id }) => id),
      );
    },

    async listWarnings(context, projectId, grain, condition) {
      const tree = analyse(grain, condition);
      const read = Map.groupBy(tree === null ? [] : annotationsIn(tree), ({ owner }) =>
        owner === "root" ? "span" : grain,
      );
      const warnings: string[] = [];
      for (const [owner, annotations] of read) {
        const names = annotations.map(({ name }) => name);
        const unused = await annotationNames.findUnused(context, owner, projectId, names);
        if (unused.length === 0) continue;
        const known = await annotationNames.list(context, owner, projectId, MOST_NAMES);
        for (const name of unused) {
          const alike = closestNames(name, known, MOST_ALIKE).map((each) => `"${each}"`);
          const hint = alike.length === 0 ? "" : `; there are ${alike.join(", ")}`;
          warnings.push(`no ${owner} of the project has an annotation "${name}"${hint}`);
        }
      }
      return warnings;
    },

    async ofSessions(context, projectId) {
      const sessionIds = await store.newestSessions(context, projectId, SAMPLE_ROWS);
      const ofSessions = await traceReads.listOfSessions(context, sessionIds, { start: null, limit: 1 });
      const traceIds = [...ofSessions.values()].flatMap(({ items }) => items.map(({ id }) => id));
      const roots = traceIds.length === 0 ? [] : await rows.findRoots(context, traceIds);
      return withAttributes(
        context,
        projectId,
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
