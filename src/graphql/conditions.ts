// Checks of conditions that run nothing: whether one is valid, and what it selects (`graphql.md` 4.2).
import { parseSessionFilter, parseSpanFilter, parseTraceFilter } from "../filter/filter.ts";
import { Failure } from "../kernel/failure.ts";
import type { GraphqlTypes } from "./types/types.ts";

interface Validation {
  readonly errorMessage: string | null;
}

/** Runs the parser; what it refuses is the answer, not an error. */
function validated(parse: (text: string) => unknown, condition: string): Validation {
  try {
    parse(condition);
    return { errorMessage: null };
  } catch (error) {
    if (error instanceof Failure && error.kind !== "internal") return { errorMessage: error.message };
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

export function addConditionChecks({ builder, Project }: GraphqlTypes): void {
  const ValidationResult = builder.objectRef<Validation>("ValidationResult").implement({
    fields: (t) => ({
      isValid: t.boolean({ resolve: ({ errorMessage }) => errorMessage === null }),
      errorMessage: t.exposeString("errorMessage", { nullable: true }),
      // Names of annotations that nobody has used: with the annotations.
      warnings: t.stringList({ resolve: () => [] }),
    }),
  });
  const SpanFilterConditionAnalysis = builder.objectRef<string>("SpanFilterConditionAnalysis").implement({
    fields: (t) => ({ selectsRootSpansOnly: t.boolean({ resolve: selectsRootSpansOnly }) }),
  });
  builder.objectFields(Project, (t) => {
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
