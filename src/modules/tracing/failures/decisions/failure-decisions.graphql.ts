// Decisions about groups of failures in GraphQL.
import { requireRowId } from "../../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { FAILURE_GROUP, type FailureGroup } from "../failures.schema.ts";
import type { FailureDecisionsService } from "./failure-decisions.service.ts";
import { requireSplit } from "./given-split.rules.ts";

export function addFailureDecisions(types: GraphqlTypes, decisions: FailureDecisionsService): void {
  const { builder } = types;
  const DecidedState = builder.enumType("DecidedFailureGroupState", {
    values: { OPEN: { value: "open" }, RESOLVED: { value: "resolved" }, IGNORED: { value: "ignored" } } as const,
  });
  const PatchInput = builder.inputType("PatchFailureGroupInput", {
    fields: (t) => ({
      id: t.id({ required: true }),
      state: t.field({ type: DecidedState, required: true }),
      resolvedVersion: t.string({
        description: "The version that resolves it. Without one any that had not failed before.",
      }),
    }),
  });
  const MergeInput = builder.inputType("MergeFailureGroupsInput", {
    fields: (t) => ({ id: t.id({ required: true }), mergedIds: t.idList({ required: true }) }),
  });
  const SplitInput = builder.inputType("SplitFailureGroupInput", {
    description: "Either a fingerprint of a merged group, or an attribute and its value.",
    fields: (t) => ({
      id: t.id({ required: true }),
      fingerprint: t.string(),
      attribute: t.string({ description: "By its dotted name." }),
      value: t.string({ description: "As text." }),
    }),
  });
  const Payload = types.payload<{ readonly failureGroup: FailureGroup }>("FailureGroupMutationPayload", (t) => ({
    failureGroup: t.field({ type: types.ref(FAILURE_GROUP), resolve: ({ failureGroup }) => failureGroup }),
  }));
  builder.mutationFields((t) => ({
    patchFailureGroup: t.field({
      type: Payload,
      may: "failures.change",
      adds: false,
      args: { input: t.arg({ type: PatchInput, required: true }) },
      resolve: async (_root, { input: { id, state, resolvedVersion } }, { context }) => {
        const given = { state, resolvedVersion: resolvedVersion ?? null };
        return { failureGroup: await decisions.changeState(context, requireRowId(FAILURE_GROUP, id), given) };
      },
    }),
    mergeFailureGroups: t.field({
      type: Payload,
      description: "The others become part of the group, also for failures that come later. It keeps its state.",
      may: "failures.change",
      adds: false,
      args: { input: t.arg({ type: MergeInput, required: true }) },
      resolve: async (_root, { input: { id, mergedIds } }, { context }) => {
        const others = mergedIds.map((other) => requireRowId(FAILURE_GROUP, other));
        return { failureGroup: await decisions.mergeGroups(context, requireRowId(FAILURE_GROUP, id), others) };
      },
    }),
    splitFailureGroup: t.field({
      type: Payload,
      description: "Answers the new group, to which failures that come later belong as well.",
      may: "failures.change",
      adds: true,
      args: { input: t.arg({ type: SplitInput, required: true }) },
      resolve: async (_root, { input: { id, ...split } }, { context }) => ({
        failureGroup: await decisions.splitGroup(context, requireRowId(FAILURE_GROUP, id), requireSplit(split)),
      }),
    }),
  }));
}
