// The analysis of traces on read: what determines their time and their costs, what they repeat, and
// how two of them differ.
import { feature } from "../../feature.ts";
import { projectsFeature } from "../projects/projects.feature.ts";
import { spansFeature } from "../spans/spans.feature.ts";
import { tracesFeature } from "../traces/traces.feature.ts";
import { createAnalysedSpansStore } from "./analysed-spans.store.ts";
import { createGoodTracesStore } from "./comparison/good-traces.store.ts";
import { createTraceComparisonService } from "./comparison/trace-comparison.service.ts";
import { createTraceGraphsService } from "./graph/trace-graphs.service.ts";
import { traceAnalysisRoutes } from "./trace-analysis.routes.ts";
import { createTraceAnalysisService } from "./trace-analysis.service.ts";

export const traceAnalysisFeature = feature("trace-analysis", ({ storage: { dialect }, use }) => {
  const { spanReads } = use(spansFeature);
  const { traceReads } = use(tracesFeature);
  const service = createTraceAnalysisService({
    store: createAnalysedSpansStore(dialect),
    spanReads,
    traceReads,
    projects: use(projectsFeature),
  });
  const comparisons = createTraceComparisonService({
    analysis: service,
    spanReads,
    traceReads,
    goodTraces: createGoodTracesStore(),
  });
  const graphs = createTraceGraphsService(service, spanReads);
  return {
    service,
    routes: traceAnalysisRoutes(service, comparisons, graphs),
    graphql: async () => {
      const { addTraceAnalysis } = await import("./trace-analysis.graphql.ts");
      const { addTraceComparison } = await import("./comparison/trace-comparison.graphql.ts");
      const { addTraceGraphs } = await import("./graph/trace-graphs.graphql.ts");
      return (types) => {
        addTraceAnalysis(types, service);
        addTraceComparison(types, comparisons);
        addTraceGraphs(types, graphs);
      };
    },
  };
});
