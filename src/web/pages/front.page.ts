// Addresses that lead on: the front page, and those under which other programs know a project.
import type { PageDeclaration } from "../page-declaration.ts";

export const frontPages = {
  pages: {
    home: { path: "/" },
    project: { path: "/projects/{projectId}" },
    dashboard: { path: "/dashboards/projects/{projectId}" },
  },
} as const satisfies PageDeclaration;
