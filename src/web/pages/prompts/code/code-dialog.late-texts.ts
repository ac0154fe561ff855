// Texts of the code that a version of a prompt is exported as.

export const codeDialogTexts = {
  "prompts.code.title": "Code for {name} v{number}",
  "prompts.code.language": "Language",
  "prompts.code.language.typescript": "TypeScript",
  "prompts.code.language.python": "Python",
  "prompts.code.library": "Library",
  "prompts.code.library.openai": "OpenAI",
  "prompts.code.library.anthropic": "Anthropic",
  "prompts.code.library.ai": "Vercel AI SDK",
  "prompts.code.library.client": "Prompt client only",
  "prompts.code.source": "Prompt",
  "prompts.code.source.tag": "Asked for by tag {tag}",
  "prompts.code.source.version": "Asked for as v{number}",
  "prompts.code.source.inline": "Written into the program",
  "prompts.code.source.create": "Created by the program",
  "prompts.code.text": "Program",
} as const;
