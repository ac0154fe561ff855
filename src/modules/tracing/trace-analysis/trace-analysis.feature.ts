// The analysis of traces on read: what determines their time and their costs, and what they repeat.
import { feature } from "../../feature.ts";
import { projectsFeature } from "../projects/projects.feature.ts";
import { spansFeature } from "../spans/spans.feature.ts";
import { tracesFeature } from "../traces/traces.feature.ts";
import { createAnalysedSpansStore } from "./analysed-spans.store.ts";
import { traceAnalysisRoutes } from "./trace-analysis.routes.ts";
import { createTraceAnalysisService } from "./trace-analysis.service.ts";

export const traceAnalysisFeature = feature("trace-analysis", ({ storage: { dialect }, use }) => {
  const service = createTraceAnalysisService({
    store: createAnalysedSpansStore(dialect),
    spanReads: use(spansFeature).spanReads,
    traceReads: use(tracesFeature).traceReads,
    projects: use(projectsFeature),
  });
  return {
    service,
    routes: traceAnalysisRoutes(service),
    graphql: async () => {
      const { addTraceAnalysis } = await import("./trace-analysis.graphql.ts");
      return (types) => addTraceAnalysis(types, service);
    },
  };
});
