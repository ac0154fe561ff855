// How a span names the version of the prompt that it was made with: its id stands in `llm.prompt_template.version`, which the helpers of
// OpenInference set, or in `prompt.id`.
import type { AttributePath } from "../../../../filter/tree.ts";

export const versionAttributes: readonly AttributePath[] = [
  ["llm", "prompt_template", "version"],
  ["prompt", "id"],
];

/** The condition on spans that finds those of any of the versions, here and in the explorer. */
export function conditionOfVersions(versionIds: readonly string[]): string {
  const ids = versionIds.map((id) => JSON.stringify(id)).join(", ");
  const named = versionIds.length === 1 ? `== ${ids}` : `in [${ids}]`;
  return versionAttributes.map((path) => `${path.join(".")} ${named}`).join(" or ");
}
