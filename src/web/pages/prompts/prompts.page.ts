// The prompts: the list, a prompt with its versions, and the editor.
import type { PageDeclaration, PageScript } from "../../page-declaration.ts";
import { promptCodeTexts } from "./code/prompt-code.texts.ts";
import { promptEditorTexts } from "./editor/prompt-editor.texts.ts";
import { promptsTexts } from "./prompts.texts.ts";
import { promptUsageTexts } from "./usage/prompt-usage.texts.ts";

const prompt = (): PageScript => import("./PromptPage.tsx");
const editor = (): PageScript => import("./editor/PromptEditorPage.tsx");

export const promptPages = {
  pages: {
    prompts: {
      path: "/prompts",
      load: (): PageScript => import("./PromptsPage.tsx"),
      sidebar: { label: "prompts.title", count: "promptCount" },
    },
    newPrompt: { path: "/prompts/new", load: editor },
    prompt: { path: "/prompts/{promptId}", load: prompt },
    promptVersion: { path: "/prompts/{promptId}/versions/{versionId}", load: prompt },
    newPromptVersion: { path: "/prompts/{promptId}/versions/{versionId}/edit", load: editor },
  },
  texts: { ...promptsTexts, ...promptCodeTexts, ...promptEditorTexts, ...promptUsageTexts },
  entities: { prompts: ["Prompt", "promptCount", "PromptVersion"] },
} as const satisfies PageDeclaration;
