// What queries and mutations of evaluators take in common.
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { storableText } from "../../../kernel/validation-scalars.ts";
import type { EvaluatorList } from "./evaluators.schema.ts";

/** Absent and empty is none. */
export function descriptionOf(given: string | null | undefined): string | null {
  const text = given == null ? "" : storableText(given).trim();
  return text === "" ? null : text;
}

interface GivenList {
  readonly sort?: { readonly col: EvaluatorList["sort"]["column"]; readonly dir: "asc" | "desc" } | null | undefined;
  readonly filter?: { readonly value: string } | null | undefined;
}

/** By name, unless another order is asked for. */
export function evaluatorListOf({ sort, filter }: GivenList): EvaluatorList {
  return {
    nameContains: filter?.value ?? "",
    sort: sort == null ? { column: "name", direction: "asc" } : { column: sort.col, direction: sort.dir },
  };
}

/** An input by which a list is sorted, and one by which it is filtered. */
export function listInputs({ builder, SortDir }: GraphqlTypes, name: "Evaluator" | "DatasetEvaluator") {
  const Column = builder.enumType(`${name}Column`, { values: ["name", "kind", "createdAt", "updatedAt"] as const });
  const FilterColumn = builder.enumType(`${name}FilterColumn`, { values: ["name"] as const });
  return {
    Sort: builder.inputType(`${name}Sort`, {
      fields: (t) => ({
        col: t.field({ type: Column, required: true }),
        dir: t.field({ type: SortDir, required: true }),
      }),
    }),
    Filter: builder.inputType(`${name}Filter`, {
      description: "Part of the name, in any letter case.",
      fields: (t) => ({
        col: t.field({ type: FilterColumn, required: true }),
        value: t.string({ required: true }),
      }),
    }),
  };
}
