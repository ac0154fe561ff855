// What a selection would become as examples, in GraphQL: the rule for what they expect, edits of single ones, and a preview.
import { argumentRefused } from "../../../../graphql/connection.ts";
import { requireRowId } from "../../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { storableText } from "../../../../kernel/validation-scalars.ts";
import { SPAN } from "../../../tracing/spans/spans.schema.ts";
import { requireObject } from "../dataset-inputs.graphql.ts";
import { correctionMembers } from "./corrected-output.rules.ts";
import {
  type ExpectedOutputRule,
  expectedOutputs,
  missingOutputReasons,
  wholeOutput,
} from "./expected-output.rules.ts";
import type { SelectedExample } from "./selected-examples.service.ts";
import { type selectionInput, selectionOf } from "./span-selections.graphql.ts";
import type { ExampleEdit, SpanSourcesService } from "./span-sources.service.ts";

/** In one request. */
export const MOST_EDITS = 100;
const MOST_PREVIEWED = 50;

export function expectedOutputInput({ builder }: GraphqlTypes) {
  const Takes = builder.enumType("ExpectedOutputRule", {
    description: `OUTPUT_UNLESS_FAILED leaves it empty where the span has an error, or a person judged the span or the trace that it
stands for as bad. CORRECTED_OUTPUT takes what an annotation holds in ${correctionMembers.join(", ")} of its metadata or,
of a person, in its explanation.`,
    values: expectedOutputs,
  });
  return builder.inputType("ExpectedOutputInput", {
    fields: (t) => ({
      rule: t.field({ type: Takes, required: true }),
      annotationName: t.string({ description: "Of the annotation that holds the CORRECTED_OUTPUT." }),
    }),
  });
}

export function editInput({ builder }: GraphqlTypes) {
  return builder.inputType("SelectedExampleEditInput", {
    fields: (t) => ({
      spanId: t.id({ required: true }),
      input: t.field({ type: "JSON" }),
      output: t.field({ type: "JSON", description: "What is expected; {} expects nothing." }),
    }),
  });
}

type GivenRule = ReturnType<typeof expectedOutputInput>["$inferInput"];

/** Throws kind `invalid` for a correction without the name of an annotation, and for a name without a correction. */
export function ruleOf(given: GivenRule | null | undefined): ExpectedOutputRule {
  if (given == null) return wholeOutput;
  const name = given.annotationName == null ? "" : storableText(given.annotationName);
  if (given.rule === "CORRECTED_OUTPUT") {
    if (name === "") throw argumentRefused("expectedOutput.annotationName", "must name an annotation");
    return { takes: given.rule, annotationName: name };
  }
  if (name !== "") throw argumentRefused("expectedOutput.annotationName", "is for CORRECTED_OUTPUT only");
  return { takes: given.rule };
}

/** Throws kind `invalid` for too many, two of one span, and parts that are not objects. */
export function editsOf(given: readonly ReturnType<typeof editInput>["$inferInput"][]): ExampleEdit[] {
  if (given.length > MOST_EDITS) throw argumentRefused("edits", `must be at most ${MOST_EDITS}`);
  const seen = new Set<number>();
  return given.map(({ spanId, input, output }, position) => {
    const place = `edits[${position}]`;
    const rowId = requireRowId(SPAN, spanId);
    if (seen.has(rowId)) throw argumentRefused(place, `the span ${spanId} is edited twice`);
    seen.add(rowId);
    const part = (name: string, value: unknown) =>
      value == null ? null : requireObject(value, `${place}.${name}: must be a JSON object`);
    return { spanId: rowId, input: part("input", input), output: part("output", output) };
  });
}

interface PreviewInputs {
  readonly Selection: ReturnType<typeof selectionInput>;
  readonly ExpectedOutput: ReturnType<typeof expectedOutputInput>;
}

export function addSelectionPreview(
  types: GraphqlTypes,
  sources: SpanSourcesService,
  { Selection, ExpectedOutput }: PreviewInputs,
): void {
  const { builder } = types;
  const Reason = builder.enumType("MissingOutputReason", { values: missingOutputReasons });
  const Example = builder.objectRef<SelectedExample>("SelectedExample").implement({
    fields: (t) => ({
      span: t.field({ type: types.ref(SPAN), resolve: ({ span }) => span }),
      input: t.field({ type: "JSON", resolve: ({ input }) => input }),
      output: t.field({ type: "JSON", description: "What is expected by the rule.", resolve: ({ output }) => output }),
      answer: t.field({ type: "JSON", description: "What the span answered.", resolve: ({ answer }) => answer }),
      missingOutputReason: t.field({
        type: Reason,
        nullable: true,
        description: "Why nothing is expected, unless the rule is EMPTY.",
        resolve: ({ reason }) => reason,
      }),
      missingOutputNote: t.exposeString("note", {
        nullable: true,
        description: "What the failure or the annotation says.",
      }),
      correctionNames: t.stringList({
        description: "Names of annotations that hold a corrected output.",
        resolve: ({ corrections }) => [...corrections],
      }),
    }),
  });
  const Preview = builder
    .objectRef<{ readonly examples: readonly SelectedExample[]; readonly hasMore: boolean }>("DatasetSelectionPreview")
    .implement({
      fields: (t) => ({
        examples: t.field({ type: [Example], resolve: ({ examples }) => [...examples] }),
        hasMore: t.exposeBoolean("hasMore"),
      }),
    });
  builder.queryField("previewDatasetSelection", (t) =>
    t.field({
      type: Preview,
      description: `The first examples that addSelectionToDataset would add, at most ${MOST_PREVIEWED} and fewer of large spans.`,
      may: "spans.read",
      args: {
        selection: t.arg({ type: Selection, required: true }),
        expectedOutput: t.arg({ type: ExpectedOutput }),
        first: t.arg.int({ required: true, defaultValue: 20 }),
      },
      resolve: (_root, { selection, expectedOutput, first }, { context }) => {
        if (first < 1 || first > MOST_PREVIEWED) throw argumentRefused("first", `must be from 1 to ${MOST_PREVIEWED}`);
        return sources.preview(context, selectionOf(selection), ruleOf(expectedOutput), first);
      },
    }),
  );
}
