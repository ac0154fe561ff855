// Labels of prompts in GraphQL: their type and list, and what changes them.
import { argumentRefused, BY_NAME, listConnection, requireKey } from "../../../../graphql/connection.ts";
import { requireRowId } from "../../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { isHexColor, storableText } from "../../../../kernel/validation-scalars.ts";
import { defineLabelNode, newLabelFields } from "../../labels/labels.graphql.ts";
import type { Label } from "../../labels/labels.schema.ts";
import type { LabelsService } from "../../labels/labels.service.ts";
import { labelColorRefused, promptLabelNotFound } from "../prompts.errors.ts";
import { PROMPT, PROMPT_LABEL } from "../prompts.schema.ts";

type Labels = LabelsService<Label, number>;

export function addLabelTypes(types: GraphqlTypes, labels: Labels): void {
  defineLabelNode(types, PROMPT_LABEL, labels, "Prompts that carry it.");
  types.builder.objectField(types.ref(PROMPT_LABEL), "color", (t) => t.exposeString("color", { nullable: true }));
  types.builder.queryField("promptLabels", (t) =>
    t.field({
      type: types.connection(PROMPT_LABEL),
      description: "By name.",
      may: "prompts.read",
      args: types.pagingArguments(),
      resolve: (_root, page, call, info) =>
        listConnection({ call, info }, page, BY_NAME, (request) => labels.listLabels(call.context, null, request)),
    }),
  );
  addLabelMutations(types, labels);
  addCarryingMutations(types, labels);
}

function addLabelMutations(types: GraphqlTypes, labels: Labels): void {
  const { builder } = types;
  const CreateInput = builder.inputType("CreatePromptLabelInput", { fields: newLabelFields });
  const PatchInput = builder.inputType("PatchPromptLabelInput", {
    fields: (t) => ({ promptLabelId: t.id({ required: true }), name: t.string(), description: t.string() }),
  });
  const DeleteInput = builder.inputType("DeletePromptLabelsInput", {
    fields: (t) => ({ promptLabelIds: t.idList({ required: true }) }),
  });
  const Written = types.payload<{ readonly label: Label }>("PromptLabelMutationPayload", (t) => ({
    promptLabels: t.field({
      type: [types.ref(PROMPT_LABEL)],
      description: "The one that was written.",
      resolve: ({ label }) => [label],
    }),
  }));
  const Deleted = types.payload<{ readonly ids: readonly string[] }>("PromptLabelDeleteMutationPayload", (t) => ({
    deletedPromptLabelIds: t.idList({ resolve: ({ ids }) => [...ids] }),
  }));
  builder.mutationFields((t) => ({
    createPromptLabel: t.field({
      type: Written,
      may: "prompts.change",
      adds: true,
      args: { input: t.arg({ type: CreateInput, required: true }) },
      resolve: async (_root, { input: { name: given, description = null, color } }, call) => {
        const name = requireLabelName(given);
        if (!isHexColor(color)) throw labelColorRefused(color);
        return { label: await labels.createLabel(call.context, { name, description, color }) };
      },
    }),
    patchPromptLabel: t.field({
      type: Written,
      description: "What is absent stays; a description of null is cleared.",
      may: "prompts.change",
      adds: true,
      args: { input: t.arg({ type: PatchInput, required: true }) },
      resolve: async (_root, { input: { promptLabelId, name, description } }, call) => {
        const id = requireRowId(PROMPT_LABEL, promptLabelId);
        const label = await labels.updateLabel(call.context, id, {
          ...(typeof name === "string" ? { name: requireLabelName(name) } : {}),
          ...(description === undefined ? {} : { description }),
        });
        if (label === null) throw promptLabelNotFound(promptLabelId);
        return { label };
      },
    }),
    deletePromptLabels: t.field({
      type: Deleted,
      description: "Also those that are gone already. Prompts lose them.",
      may: "prompts.delete",
      adds: false,
      args: { input: t.arg({ type: DeleteInput, required: true }) },
      resolve: async (_root, { input: { promptLabelIds } }, call) => {
        await labels.deleteLabels(call.context, labelIds(promptLabelIds));
        return { ids: promptLabelIds };
      },
    }),
  }));
}

function addCarryingMutations(types: GraphqlTypes, labels: Labels): void {
  const { builder } = types;
  const input = (name: string) =>
    builder.inputType(name, {
      fields: (t) => ({ promptId: t.id({ required: true }), promptLabelIds: t.idList({ required: true }) }),
    });
  const SetInput = input("SetPromptLabelsInput");
  const UnsetInput = input("UnsetPromptLabelsInput");
  const Changed = types.payload<object>("PromptLabelAssociationMutationPayload", () => ({}));
  builder.mutationFields((t) => ({
    setPromptLabels: t.field({
      type: Changed,
      description: "The prompt then carries exactly these.",
      may: "prompts.change",
      adds: true,
      args: { input: t.arg({ type: SetInput, required: true }) },
      resolve: async (_root, { input: { promptId, promptLabelIds } }, call) => {
        await labels.setLabels(call.context, requireRowId(PROMPT, promptId), labelIds(promptLabelIds));
        return {};
      },
    }),
    unsetPromptLabels: t.field({
      type: Changed,
      description: "All or none; one that the prompt does not carry is not found.",
      may: "prompts.delete",
      adds: false,
      args: { input: t.arg({ type: UnsetInput, required: true }) },
      resolve: async (_root, { input: { promptId, promptLabelIds } }, call) => {
        await labels.removeLabels(call.context, requireRowId(PROMPT, promptId), labelIds(promptLabelIds));
        return {};
      },
    }),
  }));
}

const labelIds = (ids: readonly string[]) => ids.map((id) => requireRowId(PROMPT_LABEL, id));

/** Throws kind `invalid`. */
function requireLabelName(given: string): string {
  const name = storableText(given);
  if (name.trim() === "") throw argumentRefused("name", "must not be empty");
  requireKey("name", name);
  return name;
}
