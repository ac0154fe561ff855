// The settings of the server: the entry, and the tabs that everybody sees first.
import type { PageDeclaration, PageScript } from "../../page-declaration.ts";
import { settingsTexts } from "./settings.texts.ts";

const general = (): PageScript => import("./GeneralPage.tsx");

export const settingsPages = {
  pages: {
    settings: { path: "/settings", load: general, sidebar: { label: "settings.title", below: true } },
    generalSettings: { path: "/settings/general", load: general, settingsTab: "everybody" },
    annotationConfigs: {
      path: "/settings/annotations",
      load: (): PageScript => import("./AnnotationConfigsPage.tsx"),
      settingsTab: "everybody",
    },
  },
  texts: settingsTexts,
} as const satisfies PageDeclaration;
