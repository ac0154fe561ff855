// Whether a condition of a filter language can be used: the answer that the checks of all languages share.
import { Failure, type TextRange } from "../kernel/failure.ts";
import type { GraphqlTypes } from "./types.ts";

interface Validation {
  readonly errorMessage: string | null;
  /** Where the mistake is; null where no part of the text is to blame. */
  readonly range: TextRange | null;
  /** Of a valid condition. */
  readonly warnings: readonly string[];
}

/** Runs the parser; what it refuses is the answer, not an error. */
export async function validated(
  parse: (text: string) => unknown,
  condition: string,
  warningsOf: () => Promise<readonly string[]>,
): Promise<Validation> {
  try {
    parse(condition);
  } catch (error) {
    if (error instanceof Failure && error.kind !== "internal") {
      return { errorMessage: error.message, range: error.details.range ?? null, warnings: [] };
    }
    throw error;
  }
  return { errorMessage: null, range: null, warnings: await warningsOf() };
}

export function validationResultType(types: GraphqlTypes) {
  return types.once("ValidationResult", () =>
    types.builder.objectRef<Validation>("ValidationResult").implement({
      fields: (t) => ({
        isValid: t.boolean({ resolve: ({ errorMessage }) => errorMessage === null }),
        errorMessage: t.exposeString("errorMessage", { nullable: true }),
        errorStart: t.int({
          nullable: true,
          description: "Where the mistake begins in the condition, in UTF-16 units.",
          resolve: ({ range }) => range?.start ?? null,
        }),
        errorEnd: t.int({
          nullable: true,
          description: "Where it ends, excluded; equal to the start at the end of the text.",
          resolve: ({ range }) => range?.end ?? null,
        }),
        warnings: t.stringList({
          description: "Of a valid condition on traces, sessions or runs: names of annotations that nothing there has.",
          resolve: ({ warnings }) => [...warnings],
        }),
      }),
    }),
  );
}
