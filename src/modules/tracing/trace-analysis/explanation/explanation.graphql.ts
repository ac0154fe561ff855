// What explains a selection in GraphQL.
import { rangeOf } from "../../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { PROJECT } from "../../projects/projects.schema.ts";
import { requireValues } from "../../spans/facets/facets.graphql.ts";
import { explainedItems } from "./explained-keys.rules.ts";
import type { SelectionExplanation, SelectionValue } from "./explanation.schema.ts";
import type { ExplanationService } from "./explanation.service.ts";

const VALUES = 20;

export function addExplanations(types: GraphqlTypes, explanations: ExplanationService): void {
  const { builder, ref, TimeRange } = types;
  const Items = builder.enumType("ExplainedItems", {
    description: "What is compared; the condition is one of its filter language.",
    values: Object.fromEntries(explainedItems.map((each) => [each.toUpperCase(), { value: each }])),
  });
  const Value = builder.objectRef<SelectionValue>("ExplainedValue").implement({
    fields: (t) => ({
      name: t.exposeString("key", {
        description: "As the filter language spells it; `model`, `tool`, `span`: of a span of the trace.",
      }),
      value: t.exposeString("value"),
      minimum: t.float({
        nullable: true,
        description: "Of a range of numbers, included.",
        resolve: ({ range }) => range?.min ?? null,
      }),
      maximum: t.float({
        nullable: true,
        description: "Excluded; null in the highest range.",
        resolve: ({ range }) => range?.max ?? null,
      }),
      selectedCount: t.exposeInt("selectedWith", { description: "Of the selection with this value." }),
      restCount: t.exposeInt("restWith", { description: "Of the rest with this value." }),
      lift: t.exposeFloat("lift", { description: "Share among the selected, relative to the share among all." }),
      p: t.exposeFloat("p", { description: "Fisher's exact test of one side." }),
      q: t.exposeFloat("q", { description: "p corrected after Benjamini and Hochberg for all values looked at." }),
      isSignificant: t.exposeBoolean("isSignificant", { description: "q is at most 0.05." }),
      only: t.exposeString("only", { description: "The condition that selects what has the value." }),
      without: t.exposeString("without", { description: "The condition that selects everything else." }),
    }),
  });
  const Explanation = builder.objectRef<SelectionExplanation>("Explanation").implement({
    fields: (t) => ({
      selectedCount: t.exposeInt("selected"),
      restCount: t.exposeInt("rest"),
      isComplete: t.exposeBoolean("isComplete", {
        description: "False where the selection or the rest has more than were compared: then the newest of each.",
      }),
      isTooFew: t.exposeBoolean("isTooFew", {
        description: "Fewer than 5 are selected, or fewer than 5 are not: then no value is significant.",
      }),
      values: t.field({
        type: [Value],
        args: { first: t.arg.int({ required: true, defaultValue: VALUES }) },
        description: "The strongest first.",
        resolve: ({ values }, { first }) => values.slice(0, requireValues(first)),
      }),
      valueCount: t.int({ description: "Values that were looked at.", resolve: ({ values }) => values.length }),
      notDistinguishing: t.stringList({
        description: "Of which a value was looked at and none is significant.",
        resolve: ({ notDistinguishing }) => [...notDistinguishing],
      }),
      tooRare: t.stringList({
        description: "Whose values are all too rare to be looked at: fewer than 5 have any of them.",
        resolve: ({ tooRare }) => [...tooRare],
      }),
      incomplete: t.stringList({
        description: "With more different values than were counted.",
        resolve: ({ incomplete }) => [...incomplete],
      }),
    }),
  });
  builder.objectField(ref(PROJECT), "explanation", (t) =>
    t.field({
      type: Explanation,
      description:
        "Which values are over-represented in a selection, compared with the rest of the project in the range. What the condition itself reads is left out.",
      args: {
        of: t.arg({ type: Items, required: true, defaultValue: "traces" }),
        timeRange: t.arg({ type: TimeRange, description: "Of everything that is compared." }),
        filterCondition: t.arg.string({ description: "The selection." }),
        selectedTimeRange: t.arg({ type: TimeRange, description: "The selection starts in it, too." }),
      },
      resolve: ({ id }, { of, timeRange, filterCondition, selectedTimeRange }, call) =>
        call.readOnce(explanations.explain, {
          ...{ projectId: id, of, range: rangeOf(timeRange) },
          selectedRange: selectedTimeRange == null ? null : rangeOf(selectedTimeRange),
          condition: filterCondition ?? "",
        }),
    }),
  );
}
