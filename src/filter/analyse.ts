// From the text of a condition to its typed tree, in each of the languages. Throws `filter.invalid` and nothing
// else, with the place of the mistake in the text.
import { runLanguage, sessionLanguage, traceLanguage } from "./languages.ts";
import { MAX_ANNOTATION_NAMES } from "./limits.ts";
import { parseCondition } from "./parser.ts";
import { moved, refuse } from "./refusal.ts";
import { SpanChecker } from "./span.ts";
import { StrictChecker } from "./strict.ts";
import type { Condition } from "./tree.ts";
import { annotationsIn } from "./tree-walk.ts";

export type LanguageGrain = "span" | "trace" | "session" | "run";

const checkers = {
  span: (source: string) => new SpanChecker(source),
  trace: (source: string) => new StrictChecker(traceLanguage, source),
  session: (source: string) => new StrictChecker(sessionLanguage, source),
  run: (source: string) => new StrictChecker(runLanguage, source),
};

/** The tree of a condition, or null for an empty or blank one, which matches everything. */
export function analyse(grain: LanguageGrain, text: string): Condition | null {
  const parsed = parseCondition(text);
  if (parsed === null) return null;
  try {
    return withinNames(checkers[grain](parsed.source).condition(parsed.root, "whole"));
  } catch (error) {
    throw moved(error, text.length - text.trimStart().length);
  }
}

function withinNames(condition: Condition): Condition {
  if (annotationsIn(condition).length > MAX_ANNOTATION_NAMES)
    throw refuse(`condition reads too many annotations: at most ${MAX_ANNOTATION_NAMES} names`);
  return condition;
}
