// Parsed templates of prompts, whatever syntax they were written in.
import { type Failure, fail } from "../../kernel/failure.ts";
import type { Json } from "../../kernel/json.ts";

export type TemplateNode =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "variable";
      /** The name and the members below it; empty for the value of the section itself (`{{.}}`). */
      readonly path: readonly string[];
      /** Where nothing is below the root name: empty text, or an error. */
      readonly isStrict: boolean;
      /** The text of a value; null is what is missing. */
      readonly print: (value: Json) => string;
    }
  | {
      readonly type: "section";
      readonly path: readonly string[];
      readonly isInverted: boolean;
      readonly children: readonly TemplateNode[];
    };

/** The message gives the position as a character from 1. */
export function templateRefused(problem: string, position: number | null = null): Failure {
  const where = position === null ? "" : ` at character ${position + 1}`;
  return fail("prompts.template", "invalid", `Template: ${problem}${where}`);
}
