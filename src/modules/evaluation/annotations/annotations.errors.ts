// What can be wrong with annotations and with what is asked of them.
import { fail } from "../../../kernel/failure.ts";
import { NOTE } from "../../../model/annotation.ts";
import type { TargetKind } from "./annotation-targets.rules.ts";
import { type AnnotationRecord, MOST_WANTED, type NewAnnotation } from "./annotations.schema.ts";

/** Ids that a message names. */
const MOST_NAMED = 20;

export const reservedName = ({ word }: TargetKind) =>
  fail(
    "annotations.reserved_name",
    "malformed",
    `The name "${NOTE}" is reserved for notes: send those to POST /v1/${word}_notes`,
  );

export const documentIdentifier = () =>
  fail("annotations.document_identifier", "invalid", "identifier: annotations of documents have none");

export const targetsNotFound = ({ word }: TargetKind, keys: readonly string[]) => {
  const more = keys.length > MOST_NAMED ? ` and ${keys.length - MOST_NAMED} more` : "";
  const named = keys.slice(0, MOST_NAMED).join(", ");
  return fail("annotations.target_not_found", "not_found", `No ${word} has the id ${named}${more}`);
};

export const positionOutOfRange = (spanKey: string, position: number) =>
  fail(
    "annotations.no_such_document",
    "invalid",
    `document_position: span ${spanKey} retrieved no document at position ${position}`,
  );

export const tooManyWanted = (parameter: string) =>
  fail("annotations.too_many_wanted", "invalid", `${parameter}: at most ${MOST_WANTED} different ones`);

export const nothingWanted = (parameter: string) =>
  fail("annotations.nothing_wanted", "invalid", `Name ${parameter}, identifier or both`);

export const periodNeeded = () =>
  fail("annotations.period_needed", "invalid", "Name start_time and end_time, or set delete_all=true");

export const periodEmpty = () => fail("annotations.period_empty", "invalid", "start_time must be before end_time");

/** The mutations of annotations do not touch notes. */
export const reservedForNotes = ({ mutationWord }: TargetKind, verb: "create" | "delete") =>
  fail(
    "annotations.reserved_name",
    "malformed",
    `The name '${NOTE}' is reserved for notes. Use the ${verb}${mutationWord}Notes mutation instead.`,
  );

export const noteExpected = ({ word }: TargetKind) =>
  fail(
    "annotations.not_a_note",
    "invalid",
    `At least one ${word} annotation is not a note. Use the mutations of its annotations instead.`,
  );

export const nothingGiven = (what: string) => fail("annotations.nothing_given", "invalid", `No ${what} provided.`);

export const emptyNote = () => fail("annotations.empty_note", "invalid", "Note cannot be empty.");

export const emptyResult = () =>
  fail("annotations.empty_result", "invalid", "At least one of score, label or explanation must be given");

export const wrongTargetId = ({ ownerType }: TargetKind, id: string) =>
  fail("annotations.wrong_target_id", "invalid", `Invalid ${ownerType} ID: ${id}`);

export const wrongAnnotationId = ({ target }: TargetKind, id: string) =>
  fail("annotations.wrong_id", "invalid", `Invalid ${target} annotation ID: ${id}`);

export const namedTwice = ({ target }: TargetKind, id: string) =>
  fail("annotations.named_twice", "invalid", `Duplicate ${target} annotation ID: ${id}`);

export const annotationsNotFound = ({ target }: TargetKind, ids: readonly string[]) =>
  fail("annotations.not_found", "not_found", `Could not find ${target} annotations with IDs: ${ids.join(", ")}`);

export const notOwn = ({ target }: TargetKind) =>
  fail(
    "annotations.not_own",
    "forbidden",
    `At least one ${target} annotation is not associated with the current user.`,
  );

export const replacesAnothers = () =>
  fail("annotations.replaces_anothers", "forbidden", "Cannot overwrite document annotation owned by another user.");

export const replacesAnothersAt = (
  { target, word }: TargetKind,
  { targetKey, name, identifier }: Pick<NewAnnotation, "targetKey" | "name" | "identifier">,
) =>
  fail(
    "annotations.replaces_anothers",
    "forbidden",
    `Cannot overwrite ${target} annotation owned by another user: ${word} ${targetKey} has one with the name ` +
      `${JSON.stringify(name)} and the identifier ${JSON.stringify(identifier)}`,
  );

export const placeTaken = (
  { target }: TargetKind,
  { name, identifier }: Pick<AnnotationRecord, "name" | "identifier">,
) =>
  fail(
    "annotations.place_taken",
    "conflict",
    `The ${target} has another annotation with the name ${name} and the identifier "${identifier}"`,
  );
