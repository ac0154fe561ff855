// The lists of traces and of spans, with a trace opened over them.
import type { PageDeclaration, PageScript } from "../../page-declaration.ts";
import { traceComparisonTexts } from "./comparison/trace-comparison.texts.ts";
import { tracesTexts } from "./traces.texts.ts";

const traces = (): PageScript => import("./TracesPage.tsx");
const spans = (): PageScript => import("./SpansPage.tsx");

export const tracePages = {
  pages: {
    traces: { path: "/projects/{projectId}/traces", load: traces, projectTab: "pinned" },
    trace: { path: "/projects/{projectId}/traces/{traceId}", load: traces },
    traceComparison: {
      path: "/projects/{projectId}/traces/{traceId}/compare",
      load: (): PageScript => import("./comparison/TraceComparisonPage.tsx"),
    },
    spans: { path: "/projects/{projectId}/spans", load: spans, projectTab: "pinned" },
    graph: {
      path: "/projects/{projectId}/graph",
      load: (): PageScript => import("./project-graph/ProjectGraphPage.tsx"),
      projectTab: "plain",
    },
    traceOfSpan: { path: "/projects/{projectId}/spans/{traceId}", load: spans },
  },
  texts: { ...tracesTexts, ...traceComparisonTexts },
  entities: {
    // Projects show counts of their traces, spans and sessions.
    traces: [
      "projects",
      "projectCount",
      "Project",
      "ProjectSession",
      "Trace",
      "Span",
      "getTraceByOtelId",
      "getSpanByOtelId",
      "previewTraceRetention",
      "previewDatasetSelection",
      "dbContents",
    ],
  },
} as const satisfies PageDeclaration;
