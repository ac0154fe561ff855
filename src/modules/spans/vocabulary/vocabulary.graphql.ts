// Words for the completion of conditions, in GraphQL (`spanFilterVocabulary` and `values` exist here only).
import { rangeOf } from "../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { PROJECT } from "../../projects/projects.schema.ts";
import type { VocabularyService, VocabularyTerm } from "./vocabulary.service.ts";

interface VocabularyTypesServices {
  readonly vocabulary: VocabularyService;
}

export function addVocabularyTypes(types: GraphqlTypes, { vocabulary }: VocabularyTypesServices): void {
  const { builder, TimeRange, ref } = types;
  const FilterVocabularyTerm = builder.objectRef<VocabularyTerm>("FilterVocabularyTerm").implement({
    fields: (t) => ({
      name: t.exposeString("name", { description: "As a condition spells it." }),
      type: t.exposeString("type", {
        description: "`string`, `number`, `datetime`, `boolean`, `iterable`, `containment` or `relation`.",
      }),
      description: t.exposeString("description"),
      category: t.exposeString("category", {
        description:
          "`span`, `trace`, `session`, `aggregate`, `attribute`, `annotation`, `iterable`, `element`; of spans also `function`, `operator`.",
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
  });
  builder.objectFields(ref(PROJECT), (t) => {
    const ranged = { timeRange: t.arg({ type: TimeRange }) };
    const description = "Names of the language, and attributes that the newest spans have: a hint, not a limit.";
    return {
      spanFilterVocabulary: t.field({
        type: [FilterVocabularyTerm],
        description,
        args: ranged,
        resolve: ({ id }, { timeRange }, call) => vocabulary.ofSpans(call.context, id, rangeOf(timeRange)),
      }),
      traceFilterVocabulary: t.field({
        type: [FilterVocabularyTerm],
        description,
        args: ranged,
        resolve: ({ id }, { timeRange }, call) => vocabulary.ofTraces(call.context, id, rangeOf(timeRange)),
      }),
      sessionFilterVocabulary: t.field({
        type: [FilterVocabularyTerm],
        description,
        resolve: ({ id }, _given, call) => vocabulary.ofSessions(call.context, id),
      }),
    };
  });
}
