// What queries and mutations of evaluators take in common.
import { BY_NAME, type CursorOrder, cursorOrder } from "../../../graphql/connection.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { storableText } from "../../../kernel/validation-scalars.ts";
import type { EvaluatorSort } from "./evaluators.schema.ts";

/** Absent and empty mean the same. */
export function descriptionOf(given: string | null | undefined): string | null {
  const text = given == null ? "" : storableText(given).trim();
  return text === "" ? null : text;
}

const placeKinds = { name: "text", kind: "text", created_us: "integer", updated_us: "integer" } as const;

/** By name, unless another order is asked for. */
export function evaluatorOrderOf(
  sort: { readonly col: EvaluatorSort; readonly dir: "asc" | "desc" } | null | undefined,
): CursorOrder<EvaluatorSort> {
  return sort == null ? BY_NAME : cursorOrder(sort.col, sort.dir, placeKinds[sort.col]);
}

/** An input by which a list is sorted, and one by which it is filtered. */
export function listInputs({ builder, SortDir }: GraphqlTypes, name: "Evaluator" | "DatasetEvaluator") {
  const Column = builder.enumType(`${name}Column`, {
    values: {
      name: { value: "name" },
      kind: { value: "kind" },
      createdAt: { value: "created_us" },
      updatedAt: { value: "updated_us" },
    } as const,
  });
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
