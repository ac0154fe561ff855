// The failures of a project, grouped, and the page of a group.
import type { PageDeclaration, PageScript } from "../../page-declaration.ts";
import { failuresTexts } from "./failures.texts.ts";

export const failurePages = {
  pages: {
    failures: {
      path: "/projects/{projectId}/failures",
      load: (): PageScript => import("./FailuresPage.tsx"),
      projectTab: "plain",
    },
    failureGroup: {
      path: "/projects/{projectId}/failures/{groupId}",
      load: (): PageScript => import("./FailureGroupPage.tsx"),
    },
  },
  texts: failuresTexts,
  entities: { failures: ["FailureGroup", "failureGroups", "failureGroupCounts", "failureGroup"] },
} as const satisfies PageDeclaration;
