// The list of projects.
import type { PageDeclaration, PageScript } from "../../page-declaration.ts";
import { projectsTexts } from "./projects.texts.ts";

export const projectPages = {
  pages: {
    projects: {
      path: "/projects",
      load: (): PageScript => import("./ProjectsPage.tsx"),
      sidebar: { label: "projects.title", count: "projectCount" },
    },
  },
  texts: projectsTexts,
  entities: { projects: ["Project", "projectCount"] },
} as const satisfies PageDeclaration;
