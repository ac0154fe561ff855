// The failures of this folder: a condition that is refused, with a message for whoever wrote it, and a fault of the compiler.
import { type Failure, fail } from "../kernel/failure.ts";

/** Messages repeat fragments of the condition, which may be long. */
const LONGEST_MESSAGE = 500;

/** A condition that cannot be used; `character` counts from 1 in its line. */
export function refuse(message: string, character?: number): Failure {
  const short = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE - 1)}…` : message;
  const text = short.toWellFormed();
  return fail("filter.invalid", "malformed", character === undefined ? text : `${text} at character ${character}`);
}

/** What the typing rules should never have let through to the compiler: a fault of ours, not of the condition. */
export function notCompiled(message: string): Failure {
  return fail("filter.not_compiled", "internal", message);
}
