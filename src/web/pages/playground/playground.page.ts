// The playground: prompts tried with models.
import type { PageDeclaration, PageScript } from "../../page-declaration.ts";
import { playgroundTexts } from "./playground.texts.ts";

const playground = (): PageScript => import("./PlaygroundPage.tsx");

export const playgroundPages = {
  pages: {
    playground: { path: "/playground", load: playground, sidebar: { label: "playground.title" } },
    playgroundOfSpan: { path: "/playground/spans/{spanId}", load: playground },
  },
  texts: playgroundTexts,
} as const satisfies PageDeclaration;
