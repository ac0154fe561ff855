// Checks of conditions that do not run them: whether one is valid, and what it selects.
import { parseSessionFilter, parseSpanFilter, parseTraceFilter } from "../../filter/filter.ts";
import type { GraphqlTypes } from "../../graphql/types.ts";
import { Failure, type TextRange } from "../../kernel/failure.ts";
import { PROJECT } from "../projects/projects.schema.ts";
import type { VocabularyService } from "./vocabulary/vocabulary.service.ts";

interface Validation {
  readonly errorMessage: string | null;
  /** Where the mistake is; null where no part of the text is to blame. */
  readonly range: TextRange | null;
  /** Of a valid condition. */
  readonly warnings: readonly string[];
}

interface ConditionCheckServices {
  readonly vocabulary: Pick<VocabularyService, "listWarnings">;
}

/** Runs the parser; what it refuses is the answer, not an error. */
async function validated(
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

function selectsRootSpansOnly(condition: string): boolean {
  try {
    return parseSpanFilter(condition).selectsRootSpansOnly;
  } catch (error) {
    if (error instanceof Failure && error.kind !== "internal") return false;
    throw error;
  }
}

export function addConditionChecks({ builder, ref }: GraphqlTypes, { vocabulary }: ConditionCheckServices): void {
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
      warnings: t.stringList({
        description: "Of a valid condition on traces or sessions: names of annotations that the project does not have.",
        resolve: ({ warnings }) => [...warnings],
      }),
    }),
  });
  const SpanFilterConditionAnalysis = builder.objectRef<string>("SpanFilterConditionAnalysis").implement({
    fields: (t) => ({ selectsRootSpansOnly: t.boolean({ resolve: selectsRootSpansOnly }) }),
  });
  builder.objectFields(ref(PROJECT), (t) => {
    const args = { condition: t.arg.string({ required: true }) };
    const check = (parse: (text: string) => unknown, grain: "trace" | "session" | null) =>
      t.field({
        type: ValidationResult,
        args,
        resolve: ({ id }, { condition }, call) =>
          validated(parse, condition, async () =>
            grain === null ? [] : vocabulary.listWarnings(call.context, id, grain, condition),
          ),
      });
    return {
      validateSpanFilterCondition: check(parseSpanFilter, null),
      validateTraceFilterCondition: check(parseTraceFilter, "trace"),
      validateSessionFilterCondition: check(parseSessionFilter, "session"),
      analyzeSpanFilterCondition: t.field({
        type: SpanFilterConditionAnalysis,
        args,
        resolve: (_project, { condition }) => condition,
      }),
    };
  });
}
