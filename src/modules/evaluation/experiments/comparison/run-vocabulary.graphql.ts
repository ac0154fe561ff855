// Words for the completion of conditions on runs, in GraphQL.
import { filterVocabularyTermType } from "../../../../graphql/filter-vocabulary.ts";
import { requireRowId } from "../../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { EXPERIMENT } from "../experiments.schema.ts";
import type { RunVocabularyService } from "./run-vocabulary.service.ts";

export function addRunVocabulary(types: GraphqlTypes, vocabulary: RunVocabularyService): void {
  types.builder.queryField("experimentRunFilterVocabulary", (t) =>
    t.field({
      type: [filterVocabularyTermType(types)],
      description:
        "Names of the language, evaluations of the experiments, and members that their first runs have: a hint, not a limit.",
      may: "experiments.read",
      args: { experimentIds: t.arg.idList({ required: true }) },
      resolve: (_root, { experimentIds }, call) =>
        vocabulary.listTerms(
          call.context,
          experimentIds.map((id) => requireRowId(EXPERIMENT, id)),
        ),
    }),
  );
}
