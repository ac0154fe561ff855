// The figures of one server for Prometheus (docs/metrics.md). Labels come from small fixed sets: routes as they are declared, never as
// they were asked for.
import { statSync } from "node:fs";
import type { Config } from "../config/config.ts";
import type { AnsweredRequest } from "../http/server.ts";
import type { JobRun } from "../jobs/job.ts";
import { capacityBytesOf } from "../jobs/storage-guard.ts";
import { systemClock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";
import { createMetrics, type Metrics } from "../kernel/metrics.ts";
import { type OnRefusedSignIn, refusedSignIns } from "../modules/accounts/auth/refused-sign-ins.service.ts";
import type { AnsweredExport } from "../otlp/transport/grpc.ts";
import type { IntakeLink } from "../otlp/transport/intake-link.ts";
import type { StorageLocation } from "../storage/location.ts";
import type { CallContext, Storage } from "../storage/storage.ts";
import { VERSION } from "../version.ts";
import { type Backlog, readBacklog } from "./backlog.store.ts";
import type { OwnTraces } from "./own-traces.ts";

/** Seconds: pages answer in 1 to 100 ms, exports in 10 to 500. */
const REQUEST_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Seconds: a look that finds nothing takes milliseconds, a round of summaries twenty seconds. */
const JOB_BOUNDS = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** A database that is away must not keep the other figures from being read. */
const MOST_WAIT_MILLISECONDS = 2000;
/** The size of a database of PostgreSQL is a sum over its files. */
const SIZE_EVERY_MILLISECONDS = 15_000;

interface MetricsNeeds {
  readonly storage: Storage;
  readonly location: StorageLocation;
  readonly intake: Pick<IntakeLink, "waitingBytes" | "refusals" | "metricsText">;
  readonly isStorageLocked: () => boolean;
  /** Null where no traces of the service itself are sent. */
  readonly ownTraces: Pick<OwnTraces, "counts"> | null;
  readonly config: Pick<Config, "storageLimits">;
  /** A context of the server itself. */
  readonly context: () => CallContext;
  readonly log: Logger;
}

export interface ServiceMetrics {
  /** For the parts that declare figures of their own. */
  readonly registry: Metrics;
  onRequest(answered: AnsweredRequest): void;
  onExport(answered: AnsweredExport): void;
  onJobRun(run: JobRun): void;
  readonly onRefusedSignIn: OnRefusedSignIn;
  /** All figures, in the text format of Prometheus. Figures of a database that does not answer keep their last value. */
  text(): Promise<string>;
}

export function createServiceMetrics(needs: MetricsNeeds): ServiceMetrics {
  const metrics = createMetrics();
  declareProcess(metrics);
  const observe = declareRequests(metrics);
  const onRefusedSignIn = declareSignIns(metrics);
  declareIntake(metrics, needs.intake);
  const tasks = new Set<string>();
  const readDatabase = declareDatabase(metrics, needs, tasks);
  const onJobRun = declareJobs(metrics, tasks);
  const readOwnSpans = needs.ownTraces === null ? () => {} : declareOwnSpans(metrics, needs.ownTraces);
  return {
    registry: metrics,
    ...observe,
    onRefusedSignIn,
    onJobRun,
    async text() {
      const [ingest] = await Promise.all([
        within(needs.intake.metricsText()).catch((error) => {
          needs.log.named("metrics").debug("the ingest worker returned no figures", { reason: messageOf(error) });
          return "";
        }),
        readDatabase(),
      ]);
      readOwnSpans();
      return metrics.text() + ingest;
    },
  };
}

function declareProcess(metrics: Metrics): void {
  metrics.gauge("spanlight_build_info", "1, with the version of the program", ["version"]).set(1, { version: VERSION });
  const startedAt = systemClock.now() / 1_000_000 - process.uptime();
  metrics.measuredGauge("process_start_time_seconds", "Start of the process since 1970", () => startedAt);
  metrics.measuredGauge("process_resident_memory_bytes", "Resident memory", () => process.memoryUsage.rss());
  metrics.measuredCounter("process_cpu_seconds_total", "Processor time of all threads", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  });
}

function declareRequests(metrics: Metrics): Pick<ServiceMetrics, "onRequest" | "onExport"> {
  const requests = metrics.counter("spanlight_http_requests_total", "Requests answered over HTTP", [
    "method",
    "route",
    "status",
  ]);
  const requestSeconds = metrics.histogram(
    "spanlight_http_request_seconds",
    "Time to the answer over HTTP, by kind of route",
    REQUEST_BOUNDS,
    ["kind"],
  );
  const exports = metrics.counter("spanlight_grpc_exports_total", "Calls answered over gRPC", ["signal", "code"]);
  const exportSeconds = metrics.histogram(
    "spanlight_grpc_export_seconds",
    "Time to the answer over gRPC",
    REQUEST_BOUNDS,
    ["signal"],
  );
  return {
    onRequest({ method, route, status, milliseconds }) {
      const labels = { method: METHODS.has(method) ? method : "other", route: route ?? "none", status: String(status) };
      requests.add(1, labels);
      requestSeconds.observe(milliseconds / 1000, { kind: kindOf(route) });
    },
    onExport({ signal, code, milliseconds }) {
      exports.add(1, { signal, code: String(code) });
      exportSeconds.observe(milliseconds / 1000, { signal });
    },
  };
}

function declareSignIns(metrics: Metrics): OnRefusedSignIn {
  const refused = metrics.counter(
    "spanlight_sign_ins_refused_total",
    "Sign-ins that were refused, by what refused them",
    ["by"],
  );
  for (const by of refusedSignIns) refused.add(0, { by });
  return (by) => refused.add(1, { by });
}

function declareJobs(metrics: Metrics, tasks: Set<string>): ServiceMetrics["onJobRun"] {
  const seconds = metrics.histogram(
    "spanlight_job_seconds",
    "Time of a run of a job, its pauses included",
    JOB_BOUNDS,
    ["task"],
  );
  const failures = metrics.counter("spanlight_job_failures_total", "Runs and items of a job that failed", ["task"]);
  const lastRun = metrics.gauge("spanlight_job_last_run_timestamp_seconds", "When the last run of a job ended", [
    "task",
  ]);
  // Prometheus itself gives every series a label `job`.
  return ({ job: task, milliseconds, failedItems, failure }) => {
    tasks.add(task);
    seconds.observe(milliseconds / 1000, { task });
    failures.add(failedItems + (failure === null ? 0 : 1), { task });
    lastRun.set(systemClock.now() / 1_000_000, { task });
  };
}

function declareOwnSpans(metrics: Metrics, ownTraces: Pick<OwnTraces, "counts">): () => void {
  const sent = metrics.measuredCounters(
    "spanlight_own_spans_sent_total",
    "Spans of the service itself that a collector took",
    ["protocol"],
  );
  const dropped = metrics.measuredCounters(
    "spanlight_own_spans_dropped_total",
    "Spans of the service itself that were dropped",
    ["protocol", "reason"],
  );
  return () => {
    for (const { protocol, sent: taken, overflowed, undelivered } of ownTraces.counts()) {
      sent.set(taken, { protocol });
      dropped.set(overflowed, { protocol, reason: "queue" });
      dropped.set(undelivered, { protocol, reason: "collector" });
    }
  };
}

function kindOf(route: string | null): string {
  if (route === null) return "none";
  if (route === "/v1/traces" || route === "/v1/logs") return "export";
  if (route.startsWith("/v1/")) return "rest";
  if (route === "/graphql") return "graphql";
  return route.startsWith("/auth/") || route.startsWith("/oauth2/") ? "sign-in" : "page";
}

function declareIntake(metrics: Metrics, intake: MetricsNeeds["intake"]): void {
  metrics.measuredGauge(
    "spanlight_ingest_waiting_bytes",
    "Bytes of exports, as sent, that are on their way to the database",
    intake.waitingBytes,
  );
  metrics.measuredCounter(
    "spanlight_ingest_refusals_total",
    "Exports that were refused, to be retried, because too many were waiting",
    intake.refusals,
  );
}

/** Returns what reads the figures again. */
function declareDatabase(metrics: Metrics, needs: MetricsNeeds, tasks: Set<string>): () => Promise<void> {
  const { storage, location, config, isStorageLocked, context } = needs;
  const log = needs.log.named("metrics");
  const capacityBytes = capacityBytesOf(config.storageLimits);
  const up = metrics.gauge("spanlight_database_up", "1 when the database answered this reading, else 0");
  const bytes = metrics.gauge("spanlight_database_bytes", "What the database holds");
  if (capacityBytes !== null)
    metrics.gauge("spanlight_database_capacity_bytes", "What the operator allotted to it").set(capacityBytes);
  metrics.measuredGauge(
    "spanlight_database_locked",
    "1 while nothing is added because the database is too full, else 0",
    () => (isStorageLocked() ? 1 : 0),
  );
  if (location.kind === "sqlite")
    metrics.measuredGauge(
      "spanlight_database_log_bytes",
      "The write-ahead log beside the file",
      () => statSync(`${location.path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    );
  const backlog = declareBacklog(metrics, tasks);
  const tellConnections = location.kind === "postgres" ? declareConnections(metrics, storage) : () => {};
  let sizeReadAt = Number.NEGATIVE_INFINITY;

  return async () => {
    tellConnections();
    try {
      backlog(await within(readBacklog(context())));
      const now = performance.now();
      if (now - sizeReadAt >= SIZE_EVERY_MILLISECONDS) {
        bytes.set(await within(storage.usedBytes()));
        sizeReadAt = now;
      }
      up.set(1);
    } catch (error) {
      up.set(0);
      log.debug("the database returned no figures", { reason: messageOf(error) });
    }
  };
}

function declareConnections(metrics: Metrics, storage: Pick<Storage, "poolUsage">): () => void {
  const connections = metrics.gauge("spanlight_database_connections", "Connections of a pool", ["pool", "state"]);
  return () => {
    for (const { pool, open, busy, waiting } of storage.poolUsage()) {
      connections.set(open - busy, { pool, state: "idle" });
      connections.set(busy, { pool, state: "busy" });
      connections.set(waiting, { pool, state: "awaited" });
    }
  };
}

/** `tasks`: jobs that have run here, of which each has a figure. */
function declareBacklog(metrics: Metrics, tasks: Set<string>): (backlog: Backlog) => void {
  const traces = metrics.gauge("spanlight_backlog_traces", "Traces whose sums must be computed again");
  const spans = metrics.gauge("spanlight_backlog_spans", "Spans that no block of the newest form summarises yet");
  const kept = metrics.gauge("spanlight_backlog_kept", "What came before its span, trace or session and waits for it", [
    "what",
  ]);
  const failing = metrics.gauge("spanlight_job_failing_items", "Items of a job that failed last time", ["task"]);
  return (backlog) => {
    for (const task of backlog.failing.keys()) tasks.add(task);
    for (const task of tasks) failing.set(backlog.failing.get(task) ?? 0, { task });
    traces.set(backlog.traces);
    spans.set(backlog.spans);
    kept.set(backlog.annotations, { what: "annotations" });
    kept.set(backlog.messages, { what: "messages" });
  };
}

async function within<Result>(work: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`No answer in ${MOST_WAIT_MILLISECONDS} ms`)),
    MOST_WAIT_MILLISECONDS,
  );
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
