// The composition root: settings → database → services → transports, and one order in which they start and stop.
import { openPrincipal } from "../access/principal.ts";
import { type BulkReader, createBulkReader } from "../api/bulk-reader.ts";
import { storageLocked } from "../api/storage-lock.ts";
import type { Config } from "../config/config.ts";
import type { PatternProblem } from "../costs/name-search.ts";
import type { PricedModel } from "../costs/price-list.ts";
import { type ListenOptions, listen } from "../http/listen.ts";
import { createHttpServer } from "../http/server.ts";
import { reportFileEvents } from "../jobs/file-events.ts";
import { createStorageGuard, type StorageGuard } from "../jobs/storage-guard.ts";
import { systemClock } from "../kernel/clock.ts";
import { createLifecycle, type Lifecycle, type ServicePart } from "../kernel/lifecycle.ts";
import type { Link } from "../kernel/link.ts";
import { createLogger, type Logger } from "../kernel/logger.ts";
import { otlpFeature } from "../otlp/otlp.feature.ts";
import { type GrpcServerOptions, startGrpcServer } from "../otlp/transport/grpc.ts";
import { createIntakeLink, type IntakeLink, type IntakeLinkOptions } from "../otlp/transport/intake-link.ts";
import { inspectStorage } from "../storage/inspect.ts";
import type { StatementListener } from "../storage/kysely-driver.ts";
import type { StorageLocation } from "../storage/location.ts";
import { claimStorage, migrateStorage, openPostgresStorage, openSqliteStorage } from "../storage/open.ts";
import type { ServerClaim } from "../storage/sqlite/server-claim.ts";
import type { CallContext, Storage } from "../storage/storage.ts";
import { createRollupsService } from "../summaries/rollups/rollups.service.ts";
import {
  blockWorker,
  bodyWorker,
  decodeWorker,
  type IngestWorker,
  readerProcess,
  readerThread,
  startIngestWorker,
} from "../threads.ts";
import { VERSION } from "../version.ts";
import { httpSettingsOf, pagesOf, SLOW_READ_MILLISECONDS } from "./http-settings.ts";
import { backupsOf, createJobs, freeBytesOf } from "./jobs.ts";
import { createServiceMetrics, type ServiceMetrics } from "./metrics.ts";
import { readModelPrices } from "./model-prices.ts";
import type { OwnTraces } from "./own-traces.ts";
import { readinessOf } from "./readiness.ts";
import { requireOwnReplica } from "./replica.ts";
import { createService } from "./service.ts";
import type { SignIns } from "./sign-ins.ts";

/** Running answers may take this long at the end; the whole stop stays below 25 seconds. */
const DRAIN_MILLISECONDS = 15_000;
const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
export const UNHANDLED_REJECTION = "a promise was rejected without a handler; the service goes on";

interface App {
  readonly lifecycle: Lifecycle;
  /** Resolves with the reason when a part is lost that the service cannot go on without. */
  readonly failed: Promise<string>;
}

/** Migrates the database and puts the parts together; no port is opened before `lifecycle.start()`. */
export async function createApp(config: Config, location: StorageLocation, log: Logger): Promise<App> {
  const models = await readModelPrices(config.modelPrices.file);
  const claim = await prepareDatabase(config, location, log);
  await requireOwnReplica(location, log.named("storage"));
  const reportRejection = (what: string) => log.error(UNHANDLED_REJECTION, { what });
  const worker = startIngestWorker(reportRejection, (problem) => logPatternProblem(log, problem));
  const failed = worker.died.then((reason) => `the ingest worker ended: ${reason}`);
  const storage = openStorage(config, location, worker.link);
  const ownContext = (): CallContext => ({
    principal: openPrincipal,
    requestId: "server",
    deadline: performance.now() + SLOW_READ_MILLISECONDS,
    signal: null,
    database: storage.handle,
  });

  const backups = backupsOf(config, location, { storage, context: ownContext, log });
  const rollups = createRollupsService(storage, { isReadOnly: config.run.readOnly });
  const intake = createIntake(config, worker, reportRejection, log, {
    onRollupsPending: () => jobs.wake("trace-sums"),
    onStored: () => jobs.onSpansStored(),
  });
  const isStorageLocked = () => guard.isLocked();
  const ownTraces = await loadOwnTraces(config, location, intake, log);
  const metrics = config.metrics.enabled
    ? createServiceMetrics({ storage, location, intake, isStorageLocked, config, ownTraces, context: ownContext, log })
    : null;
  const { signIns, features, modules } = createService({
    storage,
    readiness: readinessOf(storage, intake),
    receiver: intake,
    rollups,
    settings: config,
    models,
    version: VERSION,
    clock: systemClock,
    log,
    ownContext,
    isStorageLocked,
    lookAtStorage: () => guard.look(),
    backupTrouble: () => backups?.trouble() ?? null,
    wakeJob: (name) => jobs.wake(name),
    ...(metrics === null ? {} : { onRefusedSignIn: metrics.onRefusedSignIn, metrics: metrics.registry }),
  });
  const { storageWarnings } = signIns;
  const guard = createStorageGuard(
    { usedBytes: storage.usedBytes, freeBytes: () => freeBytesOf(location) },
    config.storageLimits,
    log.named("storage"),
    storageWarnings === null || config.run.readOnly ? null : (usage) => storageWarnings.warn(ownContext(), usage),
  );
  const jobs = createJobs({
    storage,
    features,
    signIns,
    rollups,
    blockWorker: blockWorker(location, reportRejection),
    others: [backups?.job ?? null, guard.job, ownTraces?.job ?? null],
    config,
    onRun(run) {
      metrics?.onJobRun(run);
      ownTraces?.onJobRun(run);
    },
    context: ownContext,
    log,
  });
  const pages = pagesOf(config, signIns.offers);
  const http = createHttpServer({
    settings: httpSettingsOf(config),
    modules: [...modules, pages.module],
    bulkReader: bulkReaderOf(config, worker, reportRejection, log),
    notFoundPage: pages.notFound,
    database: storage.handle,
    logger: log,
    resolvePrincipal: signIns.resolvePrincipal,
    isStorageLocked,
    ...listenersOf(metrics?.onRequest, ownTraces?.onRequest),
  });

  const parts: ServicePart[] = [
    { name: "claim of the database", changes: false, stop: claim.release },
    ...(metrics === null ? [] : [metricsPart(config, metrics)]),
    ingestWorkerPart({ config, location, models, worker, intake, tracesCommits: ownTraces !== null, log }),
    // Its readers close the file of SQLite before the writer does: the last one writes the log back.
    { name: "storage", changes: false, stop: () => storage.close() },
    {
      name: "first accounts",
      changes: true,
      // The hash of a first account takes its time on a thread of its own.
      start: () => signIns.accounts.seeds.ensureSeedAccounts(ownContext()),
      stop: () => {},
    },
    ...features.parts,
    { name: "storage guard", changes: false, start: guard.start, stop: () => {} },
    // Those that change data are left out of it with `--read-only`.
    { ...jobs, changes: false },
    // Stopped behind the ports, so that it sends what they did last.
    ...(ownTraces === null ? [] : [{ name: "own traces", changes: false, stop: ownTraces.stop }]),
    httpPart(config, http.fetch),
    grpcPart(
      config,
      {
        receiver: intake,
        logs: features.use(otlpFeature).logs,
        ...listenersOf(metrics?.onExport, ownTraces?.onExport),
      },
      signIns,
      guard,
      log,
    ),
    features.ending,
  ];
  const lifecycle = createLifecycle({ log: log.named("lifecycle") });
  for (const part of parts) if (!(part.changes && config.run.readOnly)) lifecycle.add(part);
  return { lifecycle, failed };
}

/** Claims the database for this server and migrates it. */
async function prepareDatabase(config: Config, location: StorageLocation, log: Logger): Promise<ServerClaim> {
  const { waitForFileSeconds: seconds } = config.database;
  const storageLog = log.named("storage");
  const claim = await claimStorage(location, { seconds, onWait: (line) => storageLog.warning(line) });
  await migrateDatabase(config, location, log);
  // Behind the migration: where the file cannot be opened at all, that is the one line to read.
  for (const warning of claim.warnings) storageLog.warning(warning);
  return claim;
}

async function migrateDatabase({ database }: Config, location: StorageLocation, log: Logger): Promise<void> {
  if (database.skipMigrations) {
    // Throws where the database asks for a newer server.
    await inspectStorage(location);
    return;
  }
  const tell = (line: string) => database.logMigrations && log.named("migrate").info(line);
  await migrateStorage(
    location,
    ({ number, name, of }) => tell(`migration ${number} of ${of}: ${name}`),
    database.backupBeforeMigration
      ? { version: VERSION, onBackup: (path, state) => tell(`backup before migrating ${state}: ${path}`) }
      : undefined,
  );
}

function createIntake(
  { server, ingestion }: Config,
  worker: IngestWorker,
  reportRejection: (what: string) => void,
  log: Logger,
  listeners: Pick<IntakeLinkOptions, "onRollupsPending" | "onStored">,
): IntakeLink {
  return createIntakeLink({
    ingest: worker.link,
    decoder: decodeWorker(
      worker,
      { defaultProject: server.projectName, maxDecompressedBodyBytes: ingestion.maxDecompressedBodyBytes },
      (reason) => log.named("ingest").error("the decode worker ended and is started again", { reason }),
      reportRejection,
    ),
    maxQueuedBytes: ingestion.maxQueuedBytes,
    log: log.named("ingest"),
    ...listeners,
  });
}

function bulkReaderOf(
  { ingestion }: Config,
  worker: IngestWorker,
  reportRejection: (what: string) => void,
  log: Logger,
): BulkReader {
  return createBulkReader({
    thread: bodyWorker(
      worker,
      (reason) => log.named("http").error("the body worker ended and is started again", { reason }),
      reportRejection,
    ),
    maxBytes: ingestion.maxQueuedBytes,
  });
}

/** On SQLite the ingest worker writes for everybody, and readers of their own read. */
function openStorage(config: Config, location: StorageLocation, writer: Link): Storage {
  const onStatement = statementLog(config);
  if (location.kind === "postgres") return openPostgresStorage(location, { onStatement });
  const readers = { startReaderThread: readerThread(location), startReaderProcess: readerProcess(location) };
  return openSqliteStorage({ writer, ...readers }, onStatement);
}

interface IngestParts {
  readonly config: Config;
  readonly location: StorageLocation;
  readonly models: readonly PricedModel[];
  readonly worker: IngestWorker;
  readonly intake: IntakeLink;
  readonly tracesCommits: boolean;
  readonly log: Logger;
}

function ingestWorkerPart(parts: IngestParts): ServicePart {
  const { config, location, models, worker, intake, tracesCommits, log } = parts;
  let isLost = false;
  void worker.died.then(() => {
    isLost = true;
  });
  return {
    name: "ingest worker",
    changes: false,
    async start() {
      const { maxQueuedSpans } = config.ingestion;
      await intake.start({ location, maxQueuedSpans, models, tracesCommits });
      if (location.kind === "sqlite") void reportFileEvents(worker.link, log.named("storage"));
    },
    async stop() {
      if (!isLost) {
        const counts = await intake.counts();
        // A start that was refused prints its one reason and nothing else.
        if (Object.values(counts).some((count) => count > 0)) {
          log.named("ingest").info("storing what was accepted", { ...counts });
        }
        await intake.stop();
      }
      worker.stop();
    },
  };
}

function logPatternProblem(log: Logger, { modelName, namePattern, problem }: PatternProblem): void {
  log.named("models").warning(`the pattern of a model is ${problem}`, { model: modelName, name_pattern: namePattern });
}

/** Its libraries take their time and memory where a collector is set, and nowhere else. */
async function loadOwnTraces(
  config: Config,
  location: StorageLocation,
  { takeCommits }: IntakeLink,
  log: Logger,
): Promise<OwnTraces | null> {
  const { httpEndpoint, grpcEndpoint } = config.ownTraces;
  if (httpEndpoint === null && grpcEndpoint === null) return null;
  const { createOwnTraces } = await import("./own-traces.ts");
  const database = location.kind === "postgres" ? "postgresql" : "sqlite";
  return createOwnTraces({ config: config.ownTraces, version: VERSION, database, takeCommits, log });
}

/** One listener for all, or null, so that nothing is measured without a listener. */
function listenersOf<Event>(...listeners: readonly (((event: Event) => void) | undefined)[]) {
  const present = listeners.filter((listener) => listener !== undefined);
  if (present.length === 0) return {};
  return {
    onAnswer(event: Event) {
      for (const listener of present) listener(event);
    },
  };
}

/** SERVICE_LOG_SQL, or the database's own level at debug. Bulk inserts of spans are not among the statements. */
function statementLog({ database, logging }: Config): StatementListener | undefined {
  if (!database.logSql && logging.databaseLevel !== "debug") return undefined;
  const log = createLogger({ level: "debug", mode: logging.mode }, "database");
  return (sql, milliseconds) => log.debug(sql, { ms: Math.round(milliseconds * 10) / 10 });
}

/** Any path is answered, as the programs expect that read such ports. */
function metricsPart({ server, metrics: { port } }: Config, metrics: ServiceMetrics): ServicePart {
  let stopListening = async () => {};
  return {
    name: "metrics",
    changes: false,
    start() {
      const listener = listen({
        host: server.host,
        port,
        portSetting: "SERVICE_PROMETHEUS_PORT",
        tls: null,
        fetch: async () => new Response(await metrics.text(), { headers: { "content-type": METRICS_TYPE } }),
      });
      stopListening = () => listener.stop(0);
    },
    stop: () => stopListening(),
  };
}

function httpPart({ server, tls }: Config, fetch: ListenOptions["fetch"]): ServicePart {
  let stopListening = async () => {};
  return {
    name: "http",
    changes: false,
    start() {
      const listener = listen({ host: server.host, port: server.port, tls: tls.http, fetch });
      stopListening = () => listener.stop(DRAIN_MILLISECONDS);
    },
    stop: () => stopListening(),
  };
}

function grpcPart(
  config: Config,
  doors: Pick<GrpcServerOptions, "receiver" | "logs" | "onAnswer">,
  signIns: SignIns,
  guard: StorageGuard,
  log: Logger,
): ServicePart {
  let stopListening = async () => {};
  return {
    name: "grpc",
    changes: true,
    async start() {
      const server = await startGrpcServer({
        host: config.server.host,
        port: config.server.grpcPort,
        tls: config.tls.grpc,
        ...doors,
        resolvePrincipal: signIns.resolveBearer,
        storageLock: () => (guard.isLocked() ? storageLocked(config.server.supportEmail) : null),
        maxMessageBytes: config.ingestion.maxBodyBytes,
        log,
      });
      stopListening = () => server.stop();
    },
    stop: () => stopListening(),
  };
}
