// Models and their prices.
import type { PageDeclaration, PageScript } from "../../../page-declaration.ts";
import { modelsTexts } from "./models.texts.ts";

export const modelsPage = {
  pages: {
    models: {
      path: "/settings/models",
      load: (): PageScript => import("./ModelsPage.tsx"),
      settingsTab: "everybody",
    },
  },
  texts: modelsTexts,
} as const satisfies PageDeclaration;
