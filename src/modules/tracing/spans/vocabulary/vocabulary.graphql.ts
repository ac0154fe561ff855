// Words for the completion of conditions, in GraphQL (`spanFilterVocabulary` and `values` exist here only).
import { filterVocabularyTermType } from "../../../../graphql/filter-vocabulary.ts";
import { rangeOf } from "../../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { PROJECT } from "../../projects/projects.schema.ts";
import type { VocabularyService } from "./vocabulary.service.ts";

interface VocabularyTypesServices {
  readonly vocabulary: VocabularyService;
}

export function addVocabularyTypes(types: GraphqlTypes, { vocabulary }: VocabularyTypesServices): void {
  const { builder, TimeRange, ref } = types;
  const FilterVocabularyTerm = filterVocabularyTermType(types);
  builder.objectFields(ref(PROJECT), (t) => {
    const ranged = { timeRange: t.arg({ type: TimeRange }) };
    const description = "Names of the language, and attributes that the newest spans have: a hint, not a limit.";
    return {
      spanFilterVocabulary: t.field({
        type: [FilterVocabularyTerm],
        description,
        args: ranged,
        resolve: ({ id }, { timeRange }, call) => call.readOnce(vocabulary.ofSpans, id, rangeOf(timeRange)),
      }),
      traceFilterVocabulary: t.field({
        type: [FilterVocabularyTerm],
        description,
        args: ranged,
        resolve: ({ id }, { timeRange }, call) => call.readOnce(vocabulary.ofTraces, id, rangeOf(timeRange)),
      }),
      sessionFilterVocabulary: t.field({
        type: [FilterVocabularyTerm],
        description,
        resolve: ({ id }, _given, call) => call.readOnce(vocabulary.ofSessions, id),
      }),
    };
  });
}
