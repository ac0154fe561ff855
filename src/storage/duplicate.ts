// A statement that would make a second row where only one may be: the one refusal of a database that services answer themselves.
import { Failure } from "../kernel/failure.ts";

/** Code of the failure. Its kind stays `internal`: whoever does not expect it has made a mistake. */
export const DUPLICATE = "storage.duplicate";

export function isDuplicate(error: unknown): boolean {
  return error instanceof Failure && error.code === DUPLICATE;
}
