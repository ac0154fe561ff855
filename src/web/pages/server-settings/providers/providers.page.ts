// Providers of models.
import type { PageDeclaration, PageScript } from "../../../page-declaration.ts";
import { providersTexts } from "./providers.texts.ts";

export const providersPage = {
  pages: {
    modelProviders: {
      path: "/settings/providers",
      load: (): PageScript => import("./ProvidersPage.tsx"),
      settingsTab: "everybody",
    },
  },
  texts: providersTexts,
  entities: {
    customProviders: [
      "generativeModelCustomProviders",
      "GenerativeModelCustomProvider",
      "customProvider",
      "endpointModels",
    ],
  },
} as const satisfies PageDeclaration;
