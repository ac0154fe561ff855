// What a configuration must satisfy, and which texts name one.
import { findGlobalId } from "../../../kernel/ids.ts";
import { NOTE } from "../../../model/annotation.ts";
import { configNameReserved, configRefused, notAConfigId, otherKindOfId } from "./annotation-configs.errors.ts";
import { configWords, type NewAnnotationConfig } from "./annotation-configs.schema.ts";

const words: ReadonlySet<string> = new Set(Object.values(configWords));

/** The row id in a global id of any type of configuration: the word need not be the current one. Null for any other text. */
export function findConfigId(text: string): number | null {
  const id = findGlobalId(text);
  return id !== null && words.has(id.type) ? id.rowId : null;
}

/** The same. Throws kind `invalid` for a text that is no global id, `malformed` for one of something else. */
export function requireConfigId(text: string): number {
  const id = findGlobalId(text);
  if (id === null) throw notAConfigId(text);
  if (!words.has(id.type)) throw otherKindOfId(text);
  return id.rowId;
}

/** Throws kind `conflict` for the name of notes. */
export function requireFreeName({ name }: NewAnnotationConfig): void {
  if (name === NOTE) throw configNameReserved();
}

/** Throws kind `malformed` that names the member. */
export function requireContent(config: NewAnnotationConfig): void {
  const problem = contentProblem(config);
  if (problem !== null) throw configRefused(problem);
}

function contentProblem(config: NewAnnotationConfig): string | null {
  if (config.type !== "CATEGORICAL") {
    const { lowerBound, upperBound } = config;
    const isEmpty = lowerBound !== null && upperBound !== null && lowerBound >= upperBound;
    return isEmpty ? `lower_bound: ${lowerBound} is not below upper_bound ${upperBound}` : null;
  }
  if (config.values.length === 0) return "values: at least one label is needed";
  const labels = new Set<string>();
  for (const [position, { label }] of config.values.entries()) {
    if (label === "") return `values.${position}.label: must not be empty`;
    if (labels.has(label)) return `values.${position}.label: "${label}" is there twice`;
    labels.add(label);
  }
  return null;
}
