// The analysis of traces on read: what determines their time and their costs, what they repeat, how two of them differ, and what
// many of them have in common.
import { feature } from "../../feature.ts";
import { projectsFeature } from "../projects/projects.feature.ts";
import { spansFeature } from "../spans/spans.feature.ts";
import { tracesFeature } from "../traces/traces.feature.ts";
import { createAnalysedSpansStore } from "./analysed-spans.store.ts";
import { createGoodTracesStore } from "./comparison/good-traces.store.ts";
import { createTraceComparisonService } from "./comparison/trace-comparison.service.ts";
import { createExplainedItemsStore } from "./explanation/explained-items.store.ts";
import { explanationRoute } from "./explanation/explanation.routes.ts";
import { createExplanationService } from "./explanation/explanation.service.ts";
import { createTraceGraphsService } from "./graph/trace-graphs.service.ts";
import { tracePatternsRoute } from "./patterns/trace-patterns.routes.ts";
import { createTracePatternsService } from "./patterns/trace-patterns.service.ts";
import { createSelectedStepsStore } from "./selection/selected-steps.store.ts";
import { selectionAnalysisRoute } from "./selection/selection-analysis.routes.ts";
import { createSelectionAnalysisService } from "./selection/selection-analysis.service.ts";
import { traceAnalysisRoutes } from "./trace-analysis.routes.ts";
import { createTraceAnalysisService } from "./trace-analysis.service.ts";

export const traceAnalysisFeature = feature("trace-analysis", ({ storage: { dialect }, rollups, use }) => {
  const { spanReads, vocabulary } = use(spansFeature);
  const { traceReads, traceList } = use(tracesFeature);
  const projects = use(projectsFeature);
  const store = createAnalysedSpansStore(dialect);
  const service = createTraceAnalysisService({
    store,
    spanReads,
    traceReads,
    projects,
  });
  const comparisons = createTraceComparisonService({
    analysis: service,
    spanReads,
    traceReads,
    goodTraces: createGoodTracesStore(),
  });
  const graphs = createTraceGraphsService(service, spanReads);
  const explanations = createExplanationService({ store: createExplainedItemsStore(dialect), vocabulary, rollups });
  const patterns = createTracePatternsService(store, traceList);
  const selections = createSelectionAnalysisService({
    store: createSelectedStepsStore(dialect),
    traces: traceList,
    graphs,
  });
  const { name, routes } = traceAnalysisRoutes(service, comparisons, graphs);
  const ofLists = [
    explanationRoute(projects, explanations),
    tracePatternsRoute(projects, patterns),
    selectionAnalysisRoute(projects, selections),
  ];
  return {
    service,
    routes: { name, routes: [...routes, ...ofLists] },
    graphql: async () => {
      const { addTraceAnalysis } = await import("./trace-analysis.graphql.ts");
      const { addTraceComparison } = await import("./comparison/trace-comparison.graphql.ts");
      const { addExplanations } = await import("./explanation/explanation.graphql.ts");
      const { addTraceGraphs } = await import("./graph/trace-graphs.graphql.ts");
      const { addTracePatterns } = await import("./patterns/trace-patterns.graphql.ts");
      const { addSelectionAnalysis } = await import("./selection/selection-analysis.graphql.ts");
      return (types) => {
        addTraceAnalysis(types, service);
        addTraceComparison(types, comparisons);
        addTraceGraphs(types, graphs);
        addExplanations(types, explanations);
        addTracePatterns(types, patterns);
        addSelectionAnalysis(types, selections);
      };
    },
  };
});
