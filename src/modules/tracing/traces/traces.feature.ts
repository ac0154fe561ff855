// Traces: lists, statistics, deletion and transfer.
import { createCandidatesStore } from "../../../summaries/blocks/candidates.store.ts";
import { feature } from "../../feature.ts";
import { deletionFeature } from "../deletion/deletion.feature.ts";
import { projectsFeature } from "../projects/projects.feature.ts";
import { createTraceFacetsStore } from "./list/trace-facets.store.ts";
import { createTraceListService } from "./list/trace-list.service.ts";
import { createTraceListStore } from "./list/trace-list.store.ts";
import { createProjectChangesService } from "./project-changes.service.ts";
import { createProjectChangesStore } from "./project-changes.store.ts";
import { createTraceReadsService } from "./reads/trace-reads.service.ts";
import { createTraceReadsStore } from "./reads/trace-reads.store.ts";
import { createTraceStatisticsService } from "./statistics/trace-statistics.service.ts";
import { createTraceStatisticsStore } from "./statistics/trace-statistics.store.ts";
import { traceRoutes } from "./traces.routes.ts";
import { createTracesService } from "./traces.service.ts";
import { createTracesStore } from "./traces.store.ts";

export const tracesFeature = feature("traces", ({ storage, clock, rollups, use }) => {
  const { dialect } = storage;
  const projects = use(projectsFeature);
  const statistics = createTraceStatisticsStore(dialect, createCandidatesStore(dialect).inScope);
  const store = createTracesStore(dialect);
  const traces = createTracesService({ store, projects, ...use(deletionFeature) });
  const traceReads = createTraceReadsService(createTraceReadsStore(dialect));
  const services = {
    traces,
    traceReads,
    traceList: createTraceListService({
      list: createTraceListStore(dialect),
      facets: createTraceFacetsStore(dialect),
      traces: store,
      projects,
      rollups,
    }),
    traceStatistics: createTraceStatisticsService(statistics, rollups),
    projectChanges: createProjectChangesService(createProjectChangesStore(), clock),
    projects,
  };
  return {
    service: { traces, traceReads, traceList: services.traceList },
    routes: traceRoutes(services),
    graphql: async () => {
      const { addTraceTypes } = await import("./traces.graphql.ts");
      return (types) => addTraceTypes(types, services);
    },
  };
});
