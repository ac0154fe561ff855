// Search over everything that has a name, in GraphQL: for a palette of commands.
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { fail } from "../../../kernel/failure.ts";
import { DATASET } from "../../evaluation/datasets/datasets.schema.ts";
import { EXPERIMENT } from "../../evaluation/experiments/experiments.schema.ts";
import { PROMPT } from "../../evaluation/prompts/prompts.schema.ts";
import { PROJECT } from "../../tracing/projects/projects.schema.ts";
import type { ResourceSearchService } from "./resource-search.service.ts";

/** More are cut off without a word. */
const MAX_OF_A_TYPE = 25;

/** In the order of the answer. */
const searched = [
  ["projects", PROJECT],
  ["datasets", DATASET],
  ["experiments", EXPERIMENT],
  ["prompts", PROMPT],
] as const;

interface FoundResource {
  readonly __typename: (typeof searched)[number][1];
}

export function addResourceSearch(types: GraphqlTypes, search: ResourceSearchService): void {
  const SearchResult = types.builder.unionType("SearchResult", {
    types: [types.ref(PROJECT), types.ref(DATASET), types.ref(EXPERIMENT), types.ref(PROMPT)],
    resolveType: (found) => (found as unknown as FoundResource).__typename,
  });
  types.builder.queryField("searchResources", (t) =>
    t.field({
      type: [SearchResult],
      description: `What contains the text in its name or description, in any letter case, names first; at most ${MAX_OF_A_TYPE} of each type.`,
      may: "projects.read",
      args: { query: t.arg.string({ required: true }), limitPerType: t.arg.int({ required: true, defaultValue: 5 }) },
      resolve: async (_root, { query, limitPerType }, call) => {
        if (limitPerType < 1)
          throw fail("graphql.invalid_argument", "invalid", "limitPerType must be a positive integer");
        const text = query.trim();
        if (text === "") return [];
        const limit = Math.min(limitPerType, MAX_OF_A_TYPE);
        const found = await Promise.all(
          searched.map(async ([resource, type]) => {
            const ids = await search.find(call.context, resource, text, limit);
            const rows = await Promise.all(ids.map((id) => types.finders.get(type)!(call, id)));
            // What was deleted since it was found is left out.
            return rows.flatMap((row) => (row === null ? [] : [{ ...row, __typename: type }]));
          }),
        );
        return found.flat() as never;
      },
    }),
  );
}
