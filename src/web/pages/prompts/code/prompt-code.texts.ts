// What leads to the code that a version of a prompt is exported as; the rest comes with its dialog.

export const promptCodeTexts = {
  "prompts.code": "Code",
} as const;
