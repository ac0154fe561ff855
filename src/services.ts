// Part of the composition root: every service over the storage, each built once and handed to those that need it.

import type { Accounts } from "./accounts.ts";
import type { GraphqlServices } from "./graphql/schema.ts";
import type { ApiServices } from "./http/routes.ts";
import { systemClock } from "./kernel/clock.ts";
import type { Logger } from "./kernel/logger.ts";
import type { ApiKeysService } from "./modules/api-keys/api-keys.service.ts";
import { createProjectsService } from "./modules/projects/projects.service.ts";
import { createProjectsStore } from "./modules/projects/projects.store.ts";
import { createSecretCipher } from "./modules/secrets/secret-cipher.rules.ts";
import { createSecretsService, type SecretsService } from "./modules/secrets/secrets.service.ts";
import { createSecretsStore } from "./modules/secrets/secrets.store.ts";
import { createSessionReadsService } from "./modules/sessions/session-reads.service.ts";
import { createSessionReadsStore } from "./modules/sessions/session-reads.store.ts";
import { createSessionsService } from "./modules/sessions/sessions.service.ts";
import { createSessionsStore } from "./modules/sessions/sessions.store.ts";
import { createCandidatesStore } from "./modules/spans/blocks/candidates.store.ts";
import { createFacetCountsStore } from "./modules/spans/blocks/facet-counts.store.ts";
import { createFacetScanStore } from "./modules/spans/blocks/facet-scan.store.ts";
import { createFacetsService } from "./modules/spans/blocks/facets.service.ts";
import { createSpanTablesService, type SpanTablesService } from "./modules/spans/query/span-tables.service.ts";
import { createSearchService } from "./modules/spans/search/search.service.ts";
import { createSearchStore } from "./modules/spans/search/search.store.ts";
import { createSpanListStore } from "./modules/spans/span-list.store.ts";
import { createSpanLookupStore } from "./modules/spans/span-lookup.store.ts";
import { createSpanPayloadsStore } from "./modules/spans/span-payloads.store.ts";
import { createSpanReadsService } from "./modules/spans/span-reads.service.ts";
import { createSpanRowsStore } from "./modules/spans/span-rows.store.ts";
import { createSpanStatisticsService } from "./modules/spans/span-statistics.service.ts";
import { createSpanStatisticsStore } from "./modules/spans/span-statistics.store.ts";
import { createSpansService, type SpanIntake } from "./modules/spans/spans.service.ts";
import { createVocabularyService } from "./modules/spans/vocabulary/vocabulary.service.ts";
import { createVocabularyStore } from "./modules/spans/vocabulary/vocabulary.store.ts";
import { createDeletionService } from "./modules/traces/delete/deletion.service.ts";
import { createTraceListService } from "./modules/traces/list/trace-list.service.ts";
import { createTraceListStore } from "./modules/traces/list/trace-list.store.ts";
import { createProjectChangesService } from "./modules/traces/project-changes.service.ts";
import { createProjectChangesStore } from "./modules/traces/project-changes.store.ts";
import type { RollupsService } from "./modules/traces/rollups/rollups.service.ts";
import { createTraceReadsService } from "./modules/traces/trace-reads.service.ts";
import { createTraceReadsStore } from "./modules/traces/trace-reads.store.ts";
import { createTraceStatisticsService } from "./modules/traces/trace-statistics.service.ts";
import { createTraceStatisticsStore } from "./modules/traces/trace-statistics.store.ts";
import { createTracesService } from "./modules/traces/traces.service.ts";
import { createTracesStore } from "./modules/traces/traces.store.ts";
import { createTransferService } from "./modules/traces/transfer/transfer.service.ts";
import type { ExportReceiver } from "./otlp/receiver.ts";
import type { Storage } from "./storage/storage.ts";

export interface ServicesNeeds {
  readonly storage: Storage;
  readonly intake: ExportReceiver & SpanIntake;
  readonly rollups: RollupsService;
  /** SERVICE_PROJECT_NAME. */
  readonly defaultProjectName: string;
  readonly apiKeys: ApiKeysService;
  readonly accounts: Pick<Accounts, "users" | "userChanges">;
  /** SERVICE_SECRET, or null without one. */
  readonly serviceSecret: string | null;
  readonly log: Logger;
}

export function createServices(needs: ServicesNeeds): ApiServices {
  const { storage, intake, rollups, defaultProjectName, accounts, apiKeys } = needs;
  const { dialect } = storage;
  const secrets = createSecrets(needs);
  const transfer = createTransferService(storage);
  const deletion = createDeletionService({ storage, rollups, transfer });
  const projects = createProjectsService({
    store: createProjectsStore(dialect),
    clock: systemClock,
    defaultProjectName,
    deleteProjectContents: deletion.deleteProjectContents,
  });
  const traces = createTracesService({ store: createTracesStore(dialect), projects, deletion, transfer, rollups });
  return {
    projects,
    intake,
    spans: createSpansService({
      list: createSpanListStore(dialect),
      payloads: createSpanPayloadsStore(dialect),
      lookup: createSpanLookupStore(dialect),
      projects,
      intake,
    }),
    spanTables: createSpanTables({ dialect, projects, rollups, defaultProjectName }),
    traces,
    secrets,
    users: accounts.users,
    apiKeys,
    graphql: createGraphqlServices({ dialect, projects, traces, rollups, secrets, apiKeys, ...accounts }),
    sessions: createSessionsService({ store: createSessionsStore(dialect), projects, deletion, rollups }),
    deletion,
    clock: systemClock,
    ping: storage.ping,
  };
}

type SpanTablesNeeds = Pick<ApiServices, "projects"> &
  Pick<ServicesNeeds, "rollups" | "defaultProjectName"> &
  Pick<Storage, "dialect">;

/** Spans as data frames read them. */
export function createSpanTables({ dialect, ...services }: SpanTablesNeeds): SpanTablesService {
  return createSpanTablesService({
    rows: createSpanRowsStore(dialect),
    list: createSpanListStore(dialect),
    payloads: createSpanPayloadsStore(dialect),
    ...services,
  });
}

/** Secrets encrypted with a key made of SERVICE_SECRET. */
export function createSecrets({
  storage,
  serviceSecret,
  log,
}: Pick<ServicesNeeds, "storage" | "serviceSecret" | "log">): SecretsService {
  return createSecretsService({
    store: createSecretsStore(storage.dialect),
    storage,
    cipher: createSecretCipher(serviceSecret),
    isProtected: serviceSecret !== null,
    clock: systemClock,
    log: log.named("secrets"),
  });
}

type GraphqlNeeds = Pick<GraphqlServices, "projects" | "traces" | "secrets" | "apiKeys" | "users" | "userChanges"> &
  Pick<ServicesNeeds, "rollups"> &
  Pick<Storage, "dialect">;

/** What GraphQL reads besides: every field in bulk. */
export function createGraphqlServices(needs: GraphqlNeeds): GraphqlServices {
  const { dialect, projects, traces, rollups, secrets, apiKeys, users, userChanges } = needs;
  const traceReads = createTraceReadsService(createTraceReadsStore(dialect));
  return {
    projects,
    traces,
    secrets,
    apiKeys,
    users,
    userChanges,
    traceReads,
    traceList: createTraceListService(createTraceListStore(dialect), rollups),
    traceStatistics: createTraceStatisticsService(
      createTraceStatisticsStore(dialect, createCandidatesStore(dialect).inScope),
      rollups,
    ),
    spanReads: createSpanReadsService({
      rows: createSpanRowsStore(dialect),
      payloads: createSpanPayloadsStore(dialect),
      lookup: createSpanLookupStore(dialect),
      rollups,
    }),
    search: createSearchService({ store: createSearchStore(dialect), rollups }),
    vocabulary: createVocabularyService({
      store: createVocabularyStore(dialect),
      rows: createSpanRowsStore(dialect),
      traceReads,
    }),
    projectChanges: createProjectChangesService(createProjectChangesStore(), systemClock),
    spanStatistics: createSpanStatisticsService(createSpanStatisticsStore(dialect), rollups),
    spanFacets: createFacetsService({
      counts: createFacetCountsStore(dialect),
      scan: createFacetScanStore(dialect),
      rollups,
    }),
    sessionReads: createSessionReadsService(createSessionReadsStore(dialect), rollups),
  };
}
