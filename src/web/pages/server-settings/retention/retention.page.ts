// Data retention: how long traces are stored.
import type { PageDeclaration, PageScript } from "../../../page-declaration.ts";
import { retentionTexts } from "./retention.texts.ts";

export const retentionPage = {
  pages: {
    retentionSettings: {
      path: "/settings/data-retention",
      load: (): PageScript => import("./RetentionPage.tsx"),
      settingsTab: "everybody",
    },
  },
  texts: retentionTexts,
} as const satisfies PageDeclaration;
