// What can be wrong with annotations and with what is asked of them.
import { fail } from "../../kernel/failure.ts";
import { NOTE } from "../../model/annotation.ts";
import type { TargetKind } from "./annotation-targets.rules.ts";
import { MOST_WANTED } from "./annotations.schema.ts";

/** Ids that a message names. */
const MOST_NAMED = 20;

export const reservedName = () =>
  fail(
    "annotations.reserved_name",
    "malformed",
    `The name "${NOTE}" is kept for notes: send those to the routes of notes`,
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
