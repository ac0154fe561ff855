// What explains a selection, as records and as a query and a body of the API.
import { type Static, Type } from "@sinclair/typebox";
import type { ExplainedValue, Explanation } from "../../../../analysis/explain/explanation.ts";
import { Instant, Nullable, Words } from "../../../../kernel/schema.ts";
import { explainedItems, type ValueConditions } from "./explained-keys.rules.ts";

export type SelectionValue = ExplainedValue & ValueConditions;

export interface SelectionExplanation extends Omit<Explanation, "values"> {
  readonly values: readonly SelectionValue[];
  /** Nothing of the selection or of the rest was left out. */
  readonly isComplete: boolean;
}

const MOST_VALUES = 100;

export const ExplanationQuery = Type.Object({
  of: Words(explainedItems, { default: "traces", description: "What is compared." }),
  filter: Type.Optional(
    Type.String({ description: "The selection: a condition on traces, or on spans where they are compared." }),
  ),
  start_time: Type.Optional(Instant({ description: "Everything that is compared starts at or after this time." })),
  end_time: Type.Optional(Instant({ description: "… and before this time." })),
  selected_start_time: Type.Optional(Instant({ description: "The selection starts at or after this time." })),
  selected_end_time: Type.Optional(Instant({ description: "… and before this time." })),
  limit: Type.Integer({ minimum: 1, maximum: MOST_VALUES, default: 20, description: "Values that are listed." }),
});

const Names = (description: string) => Type.Array(Type.String(), { description });

export const ExplanationAnswer = Type.Object({
  data: Type.Object({
    selected_count: Type.Integer(),
    rest_count: Type.Integer(),
    is_complete: Type.Boolean({
      description: "False where the selection or the rest has more than were compared: then the newest of each.",
    }),
    is_too_few: Type.Boolean({
      description: "Fewer than 5 are selected, or fewer than 5 are not: then no value is significant.",
    }),
    values: Type.Array(
      Type.Object({
        name: Type.String({
          description: "As the filter language spells it; `model`, `tool`, `span`: of a span of the trace.",
        }),
        value: Type.String(),
        minimum: Nullable(Type.Number(), { description: "Of a range of numbers, included." }),
        maximum: Nullable(Type.Number(), { description: "Excluded; null in the highest range." }),
        selected_count: Type.Integer({ description: "Of the selection with this value." }),
        rest_count: Type.Integer({ description: "Of the rest with this value." }),
        lift: Type.Number({ description: "Share among the selected, relative to the share among all." }),
        p: Type.Number({ description: "Fisher's exact test of one side." }),
        q: Type.Number({ description: "p corrected after Benjamini and Hochberg for all values looked at." }),
        is_significant: Type.Boolean({ description: "q is at most 0.05." }),
        only: Type.String({ description: "The condition that selects what has the value." }),
        without: Type.String({ description: "The condition that selects everything else." }),
      }),
      { description: "The strongest first." },
    ),
    not_distinguishing: Names("Of which a value was looked at and none is significant."),
    too_rare: Names("Whose values are all too rare to be looked at: fewer than 5 have any of them."),
    incomplete: Names("With more different values than were counted."),
  }),
});

export function explanationAnswer(found: SelectionExplanation, limit: number): Static<typeof ExplanationAnswer> {
  return {
    data: {
      selected_count: found.selected,
      rest_count: found.rest,
      is_complete: found.isComplete,
      is_too_few: found.isTooFew,
      values: found.values.slice(0, limit).map((each) => ({
        name: each.key,
        value: each.value,
        minimum: each.range?.min ?? null,
        maximum: each.range?.max ?? null,
        selected_count: each.selectedWith,
        rest_count: each.restWith,
        lift: each.lift,
        p: each.p,
        q: each.q,
        is_significant: each.isSignificant,
        only: each.only,
        without: each.without,
      })),
      not_distinguishing: [...found.notDistinguishing],
      too_rare: [...found.tooRare],
      incomplete: [...found.incomplete],
    },
  };
}
