// Spans: lists, payloads, data frames, text search, facets and the words of their filters.
import type { ActionRows } from "../../../access/policy.ts";
import { createFacetCountsStore } from "../../../summaries/blocks/facet-counts.store.ts";
import { feature } from "../../feature.ts";
import { deletionFeature } from "../deletion/deletion.feature.ts";
import { projectsFeature } from "../projects/projects.feature.ts";
import { tracesFeature } from "../traces/traces.feature.ts";
import { createFacetScanStore } from "./facets/facet-scan.store.ts";
import { createFacetsService } from "./facets/facets.service.ts";
import { createSpanListStore } from "./list/span-list.store.ts";
import { createSpanPagesStore } from "./list/span-pages.store.ts";
import { createTraceSpansStore } from "./list/trace-spans.store.ts";
import { createListedService } from "./listed/listed.service.ts";
import { createSpanPayloadsStore } from "./payload/span-payloads.store.ts";
import { createSpanTablesService } from "./query/span-tables.service.ts";
import { createSpanReadsService } from "./reading/span-reads.service.ts";
import { createKeySpansStore } from "./rows/key-spans.store.ts";
import { createSpanAttributesStore } from "./rows/span-attributes.store.ts";
import { createSpanRowsStore } from "./rows/span-rows.store.ts";
import { createSpanTreesStore } from "./rows/span-trees.store.ts";
import { createSearchService } from "./search/search.service.ts";
import { createSearchStore } from "./search/search.store.ts";
import { createSpanLookupStore } from "./span-lookup.store.ts";
import { spanRoutes } from "./spans.routes.ts";
import { createSpansService } from "./spans.service.ts";
import { createSpanStatisticsService } from "./statistics/span-statistics.service.ts";
import { createSpanStatisticsStore } from "./statistics/span-statistics.store.ts";
import { createAnnotationNamesStore } from "./vocabulary/annotation-names.store.ts";
import { createVocabularyService } from "./vocabulary/vocabulary.service.ts";
import { createVocabularyStore } from "./vocabulary/vocabulary.store.ts";

const actions = {
  /** `query` only reads, but by POST, which no viewer may send. */
  spans: { read: "read", create: "write", query: "write", delete: "write" },
} as const satisfies ActionRows;
type SpansActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends SpansActions {}
}

export const spansFeature = feature(
  "spans",
  { actions },
  ({ storage: { dialect }, clock, log, rollups, receiver, settings, use }) => {
    const projects = use(projectsFeature);
    const { traceReads, traceList } = use(tracesFeature);
    const { deletion } = use(deletionFeature);
    const rows = createSpanRowsStore(dialect);
    const pages = createSpanPagesStore(dialect);
    const list = createSpanListStore(dialect);
    const payloads = createSpanPayloadsStore(dialect, log.named("spans"));
    const lookup = createSpanLookupStore(dialect);
    const spans = createSpansService({ list, payloads, lookup, projects, intake: receiver });
    const spanReads = createSpanReadsService({
      pages,
      traceSpans: createTraceSpansStore(dialect),
      rows,
      trees: createSpanTreesStore(dialect),
      keySpans: createKeySpansStore(dialect),
      payloads,
      attributes: createSpanAttributesStore(dialect),
      lookup,
      rollups,
    });
    const { defaultProjectName } = settings;
    const spanTables = createSpanTablesService({ pages, rows, list, payloads, projects, rollups, defaultProjectName });
    const search = createSearchService({ store: createSearchStore(dialect), rollups });
    const counts = createFacetCountsStore(dialect);
    const services = {
      spanReads,
      spanStatistics: createSpanStatisticsService(createSpanStatisticsStore(dialect), rollups),
      spanFacets: createFacetsService({ counts, scan: createFacetScanStore(dialect), rollups }),
      vocabulary: createVocabularyService({
        store: createVocabularyStore(dialect),
        annotationNames: createAnnotationNamesStore(dialect),
        rows,
        traceReads,
      }),
      traceReads,
      traceList,
      listed: createListedService(search),
      search,
      projects,
    };
    const { requireCapacity } = receiver;
    return {
      service: { ...spans, spanReads, vocabulary: services.vocabulary },
      routes: spanRoutes({ spans, spanTables, deletion, searching: services, clock, requireCapacity }),
      graphql: async () => {
        const [{ addSpanTypes }, { addVocabularyTypes }, { addConditionChecks }] = await Promise.all([
          import("./spans.graphql.ts"),
          import("./vocabulary/vocabulary.graphql.ts"),
          import("./condition-checks.graphql.ts"),
        ]);
        return (types) => {
          addSpanTypes(types, services);
          addVocabularyTypes(types, services);
          addConditionChecks(types, services);
        };
      },
    };
  },
);
