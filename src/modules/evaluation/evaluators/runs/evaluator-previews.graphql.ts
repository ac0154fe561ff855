// Evaluators tried on contexts of the caller, in GraphQL.

import type { GraphqlCall } from "../../../../graphql/call.ts";
import { argumentRefused } from "../../../../graphql/connection.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { findGlobalId } from "../../../../kernel/ids.ts";
import { isJsonObject, type Json, stringifyJson } from "../../../../kernel/json.ts";
import { TRACE } from "../../../tracing/traces/traces.schema.ts";
import { annotationConfigInput, configOfInput } from "../../annotation-configs/annotation-configs.graphql.ts";
import { RUN_ANNOTATION } from "../../experiments/comparison/experiment-runs.graphql.ts";
import type { ExperimentEvaluation } from "../../experiments/evaluations/experiment-evaluations.schema.ts";
import { generativeCredentialInput } from "../../model-providers/credential-input.graphql.ts";
import { type VersionInputRef, versionInput } from "../../prompts/content/prompt-inputs.graphql.ts";
import { givenContent } from "../../prompts/prompt-mutations.graphql.ts";
import { descriptionOf } from "../evaluator-inputs.graphql.ts";
import {
  builtInEvaluatorNotFound,
  evaluatorIdRefused,
  onlyCategoricalPreviews,
  otherIdThanBuiltIn,
} from "../evaluators.errors.ts";
import { BUILT_IN_EVALUATOR, type InputMapping } from "../evaluators.schema.ts";
import type { EvaluatorsService } from "../evaluators.service.ts";
import { requireEvaluatorContent } from "../llm/evaluator-content.rules.ts";
import { inputMappingInput, inputMappingOf } from "../mapping/input-mapping.graphql.ts";
import { llmDefinition } from "./evaluator-preparation.service.ts";
import type { EvaluatorPreview, EvaluatorPreviewsService, PreviewedResult } from "./evaluator-previews.service.ts";
import type { PreparedEvaluator } from "./evaluator-runs.schema.ts";
import { resultNames } from "./result-names.rules.ts";

interface PreviewServices {
  readonly previews: EvaluatorPreviewsService;
  readonly evaluators: Pick<EvaluatorsService, "findEvaluators">;
}

/** A result with the id that its annotation has in the answer: it is stored nowhere. */
type ShownResult = PreviewedResult & { readonly shownId: number };

export function addEvaluatorPreviews(types: GraphqlTypes, { previews, evaluators }: PreviewServices): void {
  const { builder } = types;
  const Result = builder.objectRef<ShownResult>("EvaluationResult").implement({
    description: "What one output says, or why it says nothing.",
    fields: (t) => ({
      evaluatorName: t.exposeString("name"),
      annotation: t.field({
        type: types.ref(RUN_ANNOTATION),
        nullable: true,
        description: "Null with an error. It is stored nowhere.",
        resolve: (result) => (result.error === null ? annotationOf(result) : null),
      }),
      trace: t.field({
        type: types.ref(TRACE),
        nullable: true,
        description: "Always null: nothing is stored.",
        resolve: () => null,
      }),
      error: t.exposeString("error", { nullable: true }),
    }),
  });
  const Payload = types.payload<{ readonly results: readonly ShownResult[] }>("EvaluatorPreviewsPayload", (t) => ({
    results: t.field({ type: [Result], resolve: ({ results }) => [...results] }),
  }));
  const Input = previewsInput(types);
  builder.mutationField("evaluatorPreviews", (t) =>
    t.field({
      type: Payload,
      description:
        "Runs evaluators and answers with a result for each output, in order: up to 20, each for a minute at most. Nothing is stored.",
      may: "evaluators.try",
      adds: true,
      args: { input: t.arg({ type: Input, required: true }) },
      resolve: async (_root, { input }, call) => {
        const chosen: EvaluatorPreview[] = [];
        for (const item of input.previews) chosen.push(await previewOf(item, evaluators, call));
        const credentials = (input.credentials ?? []).map(({ envVarName, value }) => ({ name: envVarName, value }));
        const results = await previews.preview(call.context, chosen, credentials);
        return { results: results.map((result, position) => ({ ...result, shownId: -1 - position })) };
      },
    }),
  );
}

function previewsInput(types: GraphqlTypes) {
  const { builder } = types;
  const Inline = builder.inputType("InlineLLMEvaluatorInput", {
    fields: (t) => ({
      name: t.string({ required: true }),
      promptVersion: t.field({ type: versionInput(types), required: true }),
      outputConfigs: t.field({ type: [annotationConfigInput(types)], required: true }),
      description: t.string(),
    }),
  });
  const Evaluator = builder.inputType("EvaluatorPreviewInput", {
    isOneOf: true,
    fields: (t) => ({ builtInEvaluatorId: t.id(), inlineLlmEvaluator: t.field({ type: Inline }) }),
  });
  const Item = builder.inputType("EvaluatorPreviewItemInput", {
    fields: (t) => ({
      evaluator: t.field({ type: Evaluator, required: true }),
      context: t.field({ type: "JSON", required: true, description: "An object, such as {input, output, reference}." }),
      inputMapping: t.field({ type: inputMappingInput(types), required: true }),
    }),
  });
  return builder.inputType("EvaluatorPreviewsInput", {
    fields: (t) => ({
      previews: t.field({ type: [Item], required: true }),
      credentials: t.field({ type: [generativeCredentialInput(types)] }),
    }),
  });
}

type GivenItem = ReturnType<typeof previewsInput>["$inferInput"]["previews"][number];
type GivenInline = NonNullable<GivenItem["evaluator"]["inlineLlmEvaluator"]> & {
  readonly promptVersion: VersionInputRef["$inferInput"];
};

/** Throws kind `invalid`, `not_found`. */
async function previewOf(
  { evaluator, context, inputMapping }: GivenItem,
  evaluators: PreviewServices["evaluators"],
  call: GraphqlCall,
): Promise<EvaluatorPreview> {
  const mapping = inputMappingOf(inputMapping);
  const judged = context as Json;
  if (!isJsonObject(judged)) throw argumentRefused("context", "must be a JSON object");
  if (evaluator.inlineLlmEvaluator)
    return { evaluator: inlineEvaluator(evaluator.inlineLlmEvaluator, mapping), context: judged };
  const id = evaluator.builtInEvaluatorId ?? "";
  const named = findGlobalId(id);
  if (named === null) throw evaluatorIdRefused(id, null);
  if (named.type !== BUILT_IN_EVALUATOR) throw otherIdThanBuiltIn(named.type);
  const found = await call.load(evaluators.findEvaluators, named.rowId, null);
  if (found?.kind !== "BUILTIN") throw builtInEvaluatorNotFound(id);
  const { name, outputs } = found;
  return { evaluator: unstored(name, outputs, mapping, { kind: "BUILTIN", key: name }), context: judged };
}

function inlineEvaluator(given: GivenInline, mapping: InputMapping): PreparedEvaluator {
  const outputs = given.outputConfigs.map(configOfInput);
  if (outputs.some(({ type }) => type !== "CATEGORICAL")) throw onlyCategoricalPreviews();
  const content = givenContent(given.promptVersion);
  requireEvaluatorContent({ description: descriptionOf(given.description), outputs, content });
  return unstored(given.name, outputs, mapping, llmDefinition(given.name, content));
}

function unstored(
  name: string,
  outputs: PreparedEvaluator["outputs"],
  inputMapping: InputMapping,
  definition: PreparedEvaluator["definition"],
): PreparedEvaluator {
  return {
    datasetEvaluatorId: null,
    name,
    projectName: null,
    outputs,
    resultNames: resultNames(name, outputs),
    inputMapping,
    definition,
  };
}

function annotationOf(result: ShownResult): ExperimentEvaluation {
  return {
    id: result.shownId,
    runId: 0,
    name: result.name,
    annotatorKind: result.annotatorKind,
    label: result.label,
    score: result.score,
    explanation: result.explanation,
    error: null,
    metadata: stringifyJson(result.metadata),
    traceKey: null,
    startUs: result.startUs,
    endUs: result.endUs,
  };
}
