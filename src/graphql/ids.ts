// Global ids as arguments: an id of another type is a bad request that names it.
import { type Failure, fail } from "../kernel/failure.ts";
import { findGlobalId, findRowId } from "../kernel/ids.ts";

/** The row id in a global id of the type. Throws kind `invalid` for any other text; a number that no row can have is -1. */
export function requireRowId(type: string, id: string): number {
  const rowId = findRowId(type, id);
  if (rowId === null) throw fail("graphql.wrong_id", "invalid", `${id} is not the id of a ${type}`);
  return rowId;
}

export function nodeNotFound(id: string): Failure {
  return fail("graphql.node_not_found", "not_found", `No node has the id ${id}`);
}

/** Type word and key of an id whose key is a name; null for what is no id at all. */
export function findNamedId(id: string): { readonly type: string; readonly key: string } | null {
  const match = /^([A-Za-z]+):([^\0]+)$/.exec(Buffer.from(id, "base64").toString("utf8"));
  return match === null ? null : { type: match[1]!, key: match[2]! };
}

/** Type word and row id for `node`. Throws kind `not_found` for what is no id, `invalid` for one whose key is no number. */
export function requireNodeId(id: string): { readonly type: string; readonly rowId: number } {
  const found = findGlobalId(id);
  if (found !== null) return found;
  const [type, key] = Buffer.from(id, "base64").toString("utf8").split(":", 2);
  if (/^[A-Za-z]+$/.test(type ?? "") && key !== undefined) {
    throw fail("graphql.invalid_key", "invalid", `The key of the id ${id} is not a number`);
  }
  throw nodeNotFound(id);
}
