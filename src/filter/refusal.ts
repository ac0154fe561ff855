// The failures of this folder: a condition that is refused, with a message for its author and the place of the mistake,
// and a fault of the compiler.
import { Failure, fail, type TextRange } from "../kernel/failure.ts";

/** Messages repeat fragments of the condition, which may be long. */
const LONGEST_MESSAGE = 500;

/** A condition that cannot be used; `character` counts from 1 in its line. */
export function refuse(message: string, character?: number, range?: TextRange): Failure {
  const short = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE - 1)}…` : message;
  const text = short.toWellFormed();
  const whole = character === undefined ? text : `${text} at character ${character}`;
  return fail("filter.invalid", "malformed", whole, range === undefined ? {} : { range });
}

/** Runs a check of a fragment; a refusal that names no place yet is about this fragment. */
export function located<Result>({ start, end }: TextRange, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === "internal" || error.details.range !== undefined) throw error;
    throw fail(error.code, error.kind, error.message, { ...error.details, range: { start, end } });
  }
}

/** The same refusal, its place counted from the beginning of a longer text. */
export function moved(error: unknown, by: number): unknown {
  if (!(error instanceof Failure) || error.details.range === undefined || by === 0) return error;
  const { start, end } = error.details.range;
  return fail(error.code, error.kind, error.message, {
    ...error.details,
    range: { start: start + by, end: end + by },
  });
}

/** What the typing rules should never have let through to the compiler: a fault of ours, not of the condition. */
export function notCompiled(message: string): Failure {
  return fail("filter.not_compiled", "internal", message);
}
