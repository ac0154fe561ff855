// The settings of a project.
import type { PageDeclaration, PageScript } from "../../page-declaration.ts";
import { projectSettingsTexts } from "./project-settings.texts.ts";

export const projectSettingsPage = {
  pages: {
    config: {
      path: "/projects/{projectId}/config",
      load: (): PageScript => import("./ProjectSettingsPage.tsx"),
      projectTab: "plain",
    },
  },
  texts: projectSettingsTexts,
} as const satisfies PageDeclaration;
