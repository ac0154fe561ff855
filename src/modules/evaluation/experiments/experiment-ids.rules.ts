// Ids in requests: an invalid id is distinguished from the id of another type.
import { findGlobalId, findRowId } from "../../../kernel/ids.ts";
import { experimentNotFound, unreadableId } from "./experiments.errors.ts";
import { EXPERIMENT } from "./experiments.schema.ts";

/** The row id in an id of a type. Throws kind `invalid` for a text that is no id, and what `notFound` makes for the id of something
 *  else. `what` is how messages call it, with its article. */
export function requireIdInPath(type: string, what: string, text: string, notFound: (text: string) => Error): number {
  const found = findGlobalId(text);
  if (found === null) throw unreadableId(what, text);
  if (found.type !== type) throw notFound(text);
  return found.rowId;
}

/** Throws kind `invalid` for a text that is no id, `not_found` for the id of something else. */
export function requireExperimentId(text: string): number {
  return requireIdInPath(EXPERIMENT, "an experiment", text, experimentNotFound);
}

/** Throws kind `invalid` also for the id of something else: so answer exports and tags. */
export function requireExperimentIdAlone(text: string): void {
  requireIdInPath(EXPERIMENT, "an experiment", text, (other) => unreadableId("an experiment", other));
}

/** Throws kind `invalid` for a cursor of another list. */
export function requireCursorOf(type: string, what: string, cursor: string | undefined): void {
  if (cursor !== undefined && cursor !== "" && findRowId(type, cursor) === null) throw unreadableId(what, cursor);
}
