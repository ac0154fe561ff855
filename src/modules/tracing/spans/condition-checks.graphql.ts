// Checks of conditions that do not run them: whether one is valid, and what it selects.
import { parseSessionFilter, parseSpanFilter, parseTraceFilter } from "../../../filter/filter.ts";
import { validated, validationResultType } from "../../../graphql/condition-validation.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { Failure } from "../../../kernel/failure.ts";
import { PROJECT } from "../projects/projects.schema.ts";
import type { VocabularyService } from "./vocabulary/vocabulary.service.ts";

interface ConditionCheckServices {
  readonly vocabulary: VocabularyService;
}

function selectsRootSpansOnly(condition: string): boolean {
  try {
    return parseSpanFilter(condition).selectsRootSpansOnly;
  } catch (error) {
    if (error instanceof Failure && error.kind !== "internal") return false;
    throw error;
  }
}

export function addConditionChecks(types: GraphqlTypes, { vocabulary }: ConditionCheckServices): void {
  const { builder, ref } = types;
  const ValidationResult = validationResultType(types);
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
            grain === null ? [] : call.readOnce(vocabulary.listWarnings, id, grain, condition),
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
