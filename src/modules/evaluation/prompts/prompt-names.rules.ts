// How prompts and versions are named by callers.
import { findGlobalId, findRowId } from "../../../kernel/ids.ts";
import { invalidId, invalidPromptName, invalidTagName } from "./prompts.errors.ts";
import { isPromptName, PROMPT } from "./prompts.schema.ts";

/** How a prompt is identified: by row id or by name. */
export type PromptKey = { readonly id: number } | { readonly name: string };

/** Throws kind `invalid` for a text that is neither the global id of a prompt nor a name that one may have. */
export function requirePromptKey(identifier: string): PromptKey {
  const id = findRowId(PROMPT, identifier);
  if (id !== null) return { id };
  requirePromptName(identifier);
  return { name: identifier };
}

/** Throws kind `invalid`. */
export function requirePromptName(name: string): void {
  if (!isPromptName(name)) throw invalidPromptName(name);
}

/** Throws kind `invalid`. */
export function requireTagName(name: string): void {
  if (!isPromptName(name)) throw invalidTagName(name);
}

/** The row id. Throws kind `invalid` for what is not an id of the type; `what` says in words what was wanted. */
export function requireGlobalId(type: string, text: string, what: string): number {
  const id = findGlobalId(text);
  if (id === null || id.type !== type) throw invalidId(text, what);
  return id.rowId;
}
