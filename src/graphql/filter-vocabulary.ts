// A word of a filter language, for completing a condition: the type that the vocabularies of all languages share.
import type { VocabularyTerm } from "../filter/vocabulary.ts";
import type { GraphqlTypes } from "./types.ts";

export function filterVocabularyTermType(types: GraphqlTypes) {
  return types.once("FilterVocabularyTerm", () =>
    types.builder.objectRef<VocabularyTerm>("FilterVocabularyTerm").implement({
      fields: (t) => ({
        name: t.exposeString("name", { description: "As a condition spells it." }),
        type: t.exposeString("type", {
          description: "`string`, `number`, `datetime`, `boolean`, `iterable`, `containment` or `relation`.",
        }),
        description: t.exposeString("description"),
        category: t.exposeString("category", {
          description:
            "`span`, `trace`, `session`, `aggregate`, `attribute`, `annotation`, `iterable`, `element`; of spans also `function`, `operator`, of runs `run`.",
        }),
        iterableName: t.exposeString("iterableName", {
          nullable: true,
          description: "The collection whose elements have it.",
        }),
        values: t.stringList({
          description: "What it may be compared with, most frequent first.",
          resolve: ({ values }) => [...values],
        }),
      }),
    }),
  );
}
