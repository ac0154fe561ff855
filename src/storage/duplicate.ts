// A statement that would make a second row where only one may be: the one refusal of a database that services answer themselves.
import { Failure } from "../kernel/failure.ts";

/** Code of the failure. Its kind stays `internal`: for a caller that does not expect it, it is a bug. */
export const DUPLICATE = "storage.duplicate";

export function isDuplicate(error: unknown): boolean {
  return error instanceof Failure && error.code === DUPLICATE;
}

/** For the `catch` of a write: a duplicate becomes this failure, any other error stays what it is. */
export function duplicateAs(failure: () => Failure) {
  return (error: unknown): never => {
    throw isDuplicate(error) ? failure() : error;
  };
}
