// Many targets annotated at once, in GraphQL: those that are named, or batch by batch all that match.
import { argumentRefused, readStart, requireBounded, requireKey } from "../../../../graphql/connection.ts";
import { requireRowId } from "../../../../graphql/ids.ts";
import { rangeOf } from "../../../../graphql/statistics.ts";
import type { GraphqlTypes, InputFields } from "../../../../graphql/types.ts";
import { writeCursor } from "../../../../kernel/list.ts";
import { storableText } from "../../../../kernel/validation-scalars.ts";
import { NOTE } from "../../../../model/annotation.ts";
import { PROJECT } from "../../../tracing/projects/projects.schema.ts";
import { type TargetKind, targetKinds } from "../annotation-targets.rules.ts";
import { reservedForNotes } from "../annotations.errors.ts";
import { requireIds } from "../changes/annotation-inputs.graphql.ts";
import type { BulkAnnotationsService, BulkPlace, BulkVerdict } from "./bulk-annotations.service.ts";

const BATCH = 1000;
/** Names the order of the places in cursors. */
const ORDER = "bulk";
const kinds = { SPAN: targetKinds.span, TRACE: targetKinds.trace, SESSION: targetKinds.session } as const;

type Given<Value> = Value | null | undefined;

interface GivenVerdict {
  readonly target: keyof typeof kinds;
  readonly name: string;
  readonly identifier: string;
  readonly label?: Given<string>;
  readonly score?: Given<number>;
  readonly explanation?: Given<string>;
}

export function addBulkAnnotations(types: GraphqlTypes, bulk: BulkAnnotationsService): void {
  const { builder } = types;
  const Target = builder.enumType("BulkAnnotationTarget", { values: ["SPAN", "TRACE", "SESSION"] as const });
  const verdict = (t: InputFields) => ({
    target: t.field({ type: Target, required: true }),
    name: t.string({ required: true }),
    identifier: t.string({
      required: true,
      description: "Of this undertaking alone: by it all of its annotations can be deleted again.",
    }),
    label: t.string(),
    score: t.float(),
    explanation: t.string(),
  });
  const AnnotateSelectedInput = builder.inputType("AnnotateSelectedInput", {
    fields: (t) => ({ ids: t.idList({ required: true, description: "Of spans, traces or sessions." }), ...verdict(t) }),
  });
  const AnnotateMatchingInput = builder.inputType("AnnotateMatchingInput", {
    fields: (t) => ({
      projectId: t.id({ required: true }),
      condition: t.string({
        required: true,
        defaultValue: "",
        description: "Of the language of spans, traces or sessions.",
      }),
      timeRange: t.field({ type: types.TimeRange }),
      first: t.int({ required: true, defaultValue: BATCH, description: "Targets of this batch at most." }),
      after: t.string({ description: "`next` of the batch before; without it, it begins." }),
      ...verdict(t),
    }),
  });
  const Payload = types.payload<{ readonly count: number; readonly next: BulkPlace | null }>(
    "BulkAnnotationPayload",
    (t) => ({
      annotatedCount: t.exposeInt("count", { description: "Targets that were annotated by this call." }),
      next: t.string({
        nullable: true,
        description: "Where the next batch begins; null when all are annotated.",
        resolve: ({ next }) => next && writeCursor(ORDER, { value: next.upTo, rowId: next.after }),
      }),
    }),
  );
  builder.mutationFields((t) => ({
    annotateSelected: t.field({
      type: Payload,
      description: "The same on each of the targets, with source `APP`. Targets that are gone are passed over.",
      may: "annotations.write",
      adds: true,
      args: { input: t.arg({ type: AnnotateSelectedInput, required: true }) },
      requireInput: ({ input }) => {
        requireVerdict(kinds[input.target], input);
        requireIds(kinds[input.target], input.ids, `${kinds[input.target].word} IDs`);
        if (input.ids.length > BATCH) throw argumentRefused("ids", `must not be more than ${BATCH}`);
      },
      resolve: async (_root, { input }, call) => {
        const kind = kinds[input.target];
        const ids = input.ids.map((id) => requireRowId(kind.ownerType, id));
        return { count: await bulk.annotateNamed(call.context, kind, ids, verdictOf(input)), next: null };
      },
    }),
    annotateMatching: t.field({
      type: Payload,
      description:
        "The same on all of a project that match, with source `APP`: one batch a call, which is stored when it is answered. " +
        "Targets that come after the first batch are left out.",
      may: "annotations.write",
      adds: true,
      args: { input: t.arg({ type: AnnotateMatchingInput, required: true }) },
      requireInput: ({ input }) => requireVerdict(kinds[input.target], input),
      resolve: async (_root, { input }, call) => {
        const { projectId, condition, timeRange, first, after } = input;
        requireRowId(PROJECT, projectId);
        const start = readStart(ORDER, after)?.place ?? null;
        const request = {
          projectIdentifier: projectId,
          condition,
          range: rangeOf(timeRange),
          place: start && { after: start.rowId, upTo: start.value ?? 0 },
          limit: requireBounded({ first }),
        };
        return bulk.annotateMatching(call.context, kinds[input.target], request, verdictOf(input));
      },
    }),
  }));
}

function verdictOf({ name, identifier, label, score, explanation }: GivenVerdict): BulkVerdict {
  const text = (given: Given<string>) => (given === null || given === undefined ? null : storableText(given));
  return {
    name: storableText(name.trim()),
    identifier: storableText(identifier.trim()),
    label: text(label),
    score: score ?? null,
    explanation: text(explanation),
  };
}

function requireVerdict(kind: TargetKind, { name, identifier, label, score, explanation }: GivenVerdict): void {
  if (name.trim() === "") throw argumentRefused("name", "must not be empty");
  if (name.trim() === NOTE) throw reservedForNotes(kind, "create");
  if (identifier.trim() === "") throw argumentRefused("identifier", "must not be empty");
  requireKey("name", name.trim());
  requireKey("identifier", identifier.trim());
  if (typeof score === "number" && !Number.isFinite(score)) throw argumentRefused("score", "must be a finite number");
  if (!label && (score === null || score === undefined) && !explanation?.trim())
    throw argumentRefused("label", "give a label, a score or an explanation");
}
