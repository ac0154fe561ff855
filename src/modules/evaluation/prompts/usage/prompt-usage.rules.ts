// How a span names the version of the prompt that it was made with.

/** The condition on spans that finds those of a version, here and in the explorer: its id stands in `llm.prompt_template.version`, which
 *  the helpers of OpenInference set, or in `prompt.id`. */
export function conditionOfVersion(versionId: string): string {
  return `llm.prompt_template.version == "${versionId}" or prompt.id == "${versionId}"`;
}
