// JMESPath: expressions that find a value in a JSON document. The library is loaded by the first expression, because most
// installations have none.
import type { JSONValue } from "@jmespath-community/jmespath";
import { messageOf } from "./failure.ts";

export interface JmesPath {
  readonly text: string;
  /** Null where the document has no such value. Throws where a function gets what it does not take, or does not exist. */
  search(document: unknown): unknown;
}

type CompiledJmesPath =
  | { readonly ok: true; readonly path: JmesPath }
  /** `problem` is a part of a sentence, on one line. */
  | { readonly ok: false; readonly problem: string };

/** Real expressions are not longer, and a deep one would exhaust the stack. */
const LONGEST_EXPRESSION = 2000;

export function compileJmesPath(text: string): CompiledJmesPath {
  if (text.length > LONGEST_EXPRESSION) return { ok: false, problem: `longer than ${LONGEST_EXPRESSION} characters` };
  // Not an import, because settings are read in one go.
  const { compile, TreeInterpreter } =
    require("@jmespath-community/jmespath") as typeof import("@jmespath-community/jmespath");
  try {
    const expression = compile(text);
    return {
      ok: true,
      path: { text, search: (document) => TreeInterpreter.search(expression, document as JSONValue) ?? null },
    };
  } catch (error) {
    return { ok: false, problem: messageOf(error) };
  }
}
