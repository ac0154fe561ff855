// The metrics of a project.
import type { PageDeclaration, PageScript } from "../../page-declaration.ts";
import { metricsTexts } from "./metrics.texts.ts";

export const metricsPage = {
  pages: {
    metrics: {
      path: "/projects/{projectId}/metrics",
      load: (): PageScript => import("./MetricsPage.tsx"),
      projectTab: "pinned",
    },
  },
  texts: metricsTexts,
} as const satisfies PageDeclaration;
