// Checks of conditions that run nothing: whether one is valid, and what it selects.
import { parseSessionFilter, parseSpanFilter, parseTraceFilter } from "../../filter/filter.ts";
import type { GraphqlTypes } from "../../graphql/types.ts";
import { Failure, type TextRange } from "../../kernel/failure.ts";
import { PROJECT } from "../projects/projects.schema.ts";

interface Validation {
  readonly errorMessage: string | null;
  /** Where the mistake is; null where no part of the text is to blame. */
  readonly range: TextRange | null;
}

/** Runs the parser; what it refuses is the answer, not an error. */
function validated(parse: (text: string) => unknown, condition: string): Validation {
  try {
    parse(condition);
    return { errorMessage: null, range: null };
  } catch (error) {
    if (error instanceof Failure && error.kind !== "internal") {
      return { errorMessage: error.message, range: error.details.range ?? null };
    }
    throw error;
  }
}

function selectsRootSpansOnly(condition: string): boolean {
  try {
    return parseSpanFilter(condition).selectsRootSpansOnly;
  } catch (error) {
    if (error instanceof Failure && error.kind !== "internal") return false;
    throw error;
  }
}

export function addConditionChecks({ builder, ref }: GraphqlTypes): void {
  const ValidationResult = builder.objectRef<Validation>("ValidationResult").implement({
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
      // Names of annotations that nobody has used: with the annotations.
      warnings: t.stringList({ resolve: () => [] }),
    }),
  });
  const SpanFilterConditionAnalysis = builder.objectRef<string>("SpanFilterConditionAnalysis").implement({
    fields: (t) => ({ selectsRootSpansOnly: t.boolean({ resolve: selectsRootSpansOnly }) }),
  });
  builder.objectFields(ref(PROJECT), (t) => {
    const args = { condition: t.arg.string({ required: true }) };
    const check = (parse: (text: string) => unknown) =>
      t.field({ type: ValidationResult, args, resolve: (_project, { condition }) => validated(parse, condition) });
    return {
      validateSpanFilterCondition: check(parseSpanFilter),
      validateTraceFilterCondition: check(parseTraceFilter),
      validateSessionFilterCondition: check(parseSessionFilter),
      analyzeSpanFilterCondition: t.field({
        type: SpanFilterConditionAnalysis,
        args,
        resolve: (_project, { condition }) => condition,
      }),
    };
  });
}
