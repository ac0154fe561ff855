// Traces of the service itself: a span for each request, commit and run of a job, sent in batches by OTLP. Loaded only where a
// collector is set. What it sends says that it is not to be recorded, so that a collector that honours that, this service above all,
// records nothing of it: neither one that is its own collector nor two that are each other's ever have something to say about it.
import { Metadata } from "@grpc/grpc-js";
import { context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { OTLPTraceExporter as HttpExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  type SpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { OwnTracesConfig } from "../config/own-traces.ts";
import type { AnsweredRequest } from "../http/server.ts";
import type { IngestCommits } from "../ingest/ingest-messages.ts";
import type { Job, JobRun } from "../jobs/job.ts";
import { systemClock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";
import { readTraceparent } from "../kernel/traceparent.ts";
import { type AnsweredExport, exportMethodOf } from "../otlp/transport/grpc.ts";

/** Required, not imported: its CommonJS half names gRPC where the bundler sees it, the other half looks for it when it first sends,
 *  which nothing inside the binary finds. */
const { OTLPTraceExporter: GrpcExporter } =
  require("@opentelemetry/exporter-trace-otlp-grpc") as typeof import("@opentelemetry/exporter-trace-otlp-grpc");

/** As the SDK takes it. */
const nowMilliseconds = () => systemClock.now() / 1000;
/** Milliseconds between two looks for commits, which happen in another thread. */
const COMMITS_EVERY = 1000;
/** What is left at the end gets this long, in milliseconds: a collector that is away must not hold up the stop. */
const LAST_MILLISECONDS = 2000;
const SUCCESS = 0;
/** Codes of gRPC that say that the server is at fault: unknown, deadline, unimplemented, internal, unavailable, data loss. */
const FAULTS = new Set([2, 4, 12, 13, 14, 15]);
/** Asked every few seconds, or a handful a page. */
const UNTRACED_ROUTES = /^\/(?:healthz|readyz|assets\/.*)$/;

interface OwnSpanCounts {
  /** `http` or `grpc`. */
  readonly protocol: string;
  readonly sent: number;
  /** Because too many waited. */
  readonly overflowed: number;
  /** Because the collector was away or refused them. */
  readonly undelivered: number;
}

interface OwnTracesNeeds {
  readonly config: OwnTracesConfig;
  readonly version: string;
  readonly database: "sqlite" | "postgresql";
  /** Commits since the last call. */
  readonly takeCommits: () => Promise<IngestCommits>;
  readonly log: Logger;
}

export interface OwnTraces {
  onRequest(answered: AnsweredRequest): void;
  onExport(answered: AnsweredExport): void;
  onJobRun(run: JobRun): void;
  counts(): readonly OwnSpanCounts[];
  /** Makes spans of commits. */
  readonly job: Job;
  /** Sends what is left, for two seconds at most. */
  stop(): Promise<void>;
}

type Attributes = Readonly<Record<string, string | number>>;

interface FinishedWork {
  readonly name: string;
  readonly kind: SpanKind;
  readonly milliseconds: number;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
  readonly attributes: Attributes;
  readonly traceparent: string | null;
  /** Null for what went well; the text may be empty. */
  readonly failure: string | null;
}

export function createOwnTraces(needs: OwnTracesNeeds): OwnTraces {
  const senders = sendersOf(needs.config, needs.log.named("own traces"));
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": "spanlight",
      "service.version": needs.version,
      "service.instance.id": crypto.randomUUID(),
      "openinference.project.name": "spanlight",
    }),
    // Where a caller records its own part, ours belongs to it; where it does not, neither do we.
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: senders.map(({ processor }) => processor),
  });
  const tracer = provider.getTracer("spanlight", needs.version);

  function record(work: FinishedWork): void {
    const { name, kind, attributes, endedAt, failure } = work;
    const parent = contextOf(work.traceparent);
    const span: Span = tracer.startSpan(name, { kind, attributes, startTime: endedAt - work.milliseconds }, parent);
    if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
    span.end(endedAt);
  }

  async function recordCommits(): Promise<void> {
    const { commits, passedOver } = await needs.takeCommits();
    for (const sender of senders) sender.passOver(passedOver);
    for (const { endedUs, milliseconds, spans, failed } of commits) {
      const attributes = { "db.system.name": needs.database, "spanlight.commit.spans": spans };
      const failure = failed ? "The database did not take all of it" : null;
      const work = { name: "commit", kind: SpanKind.INTERNAL, traceparent: null };
      record({ ...work, milliseconds, endedAt: endedUs / 1000, attributes, failure });
    }
  }

  return {
    onRequest({ method, route, status, milliseconds, traceparent }) {
      if (route !== null && UNTRACED_ROUTES.test(route)) return;
      record({
        name: route === null ? method : `${method} ${route}`,
        kind: SpanKind.SERVER,
        milliseconds,
        endedAt: nowMilliseconds(),
        attributes: {
          "http.request.method": method,
          ...(route === null ? {} : { "http.route": route }),
          "http.response.status_code": status,
        },
        traceparent,
        failure: status >= 500 ? "" : null,
      });
    },
    onExport({ signal, code, milliseconds, traceparent }) {
      const { service, method } = exportMethodOf(signal);
      record({
        name: `${service}/${method}`,
        kind: SpanKind.SERVER,
        milliseconds,
        endedAt: nowMilliseconds(),
        attributes: {
          "rpc.system": "grpc",
          "rpc.service": service,
          "rpc.method": method,
          "rpc.grpc.status_code": code,
        },
        traceparent,
        failure: FAULTS.has(code) ? "" : null,
      });
    },
    onJobRun({ job, done, milliseconds, failure }) {
      // A look that found nothing to do says nothing; else there would be one every few seconds, forever.
      if (done === 0 && failure === null) return;
      record({
        name: `job ${job}`,
        kind: SpanKind.INTERNAL,
        milliseconds,
        endedAt: nowMilliseconds(),
        attributes: { "spanlight.job.name": job, "spanlight.job.done": done },
        traceparent: null,
        failure: failure === null ? null : messageOf(failure),
      });
    },
    counts: () => senders.map(({ counts }) => counts()),
    job: {
      name: "own-traces",
      changes: false,
      everyMilliseconds: COMMITS_EVERY,
      async run() {
        await recordCommits();
        return true;
      },
    },
    async stop() {
      await recordCommits().catch(() => {});
      await Promise.race([provider.shutdown().catch(() => {}), Bun.sleep(LAST_MILLISECONDS)]);
    },
  };
}

/** The span that a caller asked from, or none. */
function contextOf(traceparent: string | null) {
  const caller = readTraceparent(traceparent);
  if (caller === null) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = caller;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(context.active(), { traceId, spanId, traceFlags, isRemote: true });
}

interface Sender {
  readonly processor: SpanProcessor;
  counts(): OwnSpanCounts;
  /** Spans that were dropped because the buffer was full. */
  passOver(spans: number): void;
}

function sendersOf({ httpEndpoint, grpcEndpoint, ...limits }: OwnTracesConfig, log: Logger): Sender[] {
  const senders: Sender[] = [];
  const unrecorded = unsampledTraceparent();
  if (httpEndpoint !== null) {
    const exporter = new HttpExporter({ url: httpEndpoint, headers: { traceparent: unrecorded } });
    senders.push(createSender("http", exporter, limits, log));
  }
  if (grpcEndpoint !== null) {
    const metadata = new Metadata();
    metadata.set("traceparent", unrecorded);
    senders.push(createSender("grpc", new GrpcExporter({ url: grpcEndpoint, metadata }), limits, log));
  }
  return senders;
}

/** Says of every request of the exporters that it is not to be recorded. */
function unsampledTraceparent(): string {
  const digits = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)).toHex();
  return `00-${digits(16)}-${digits(8)}-00`;
}

/** Bounded: what waits, and one batch that is on its way. */
function createSender(
  protocol: string,
  exporter: SpanExporter,
  limits: Omit<OwnTracesConfig, "httpEndpoint" | "grpcEndpoint">,
  log: Logger,
): Sender {
  let [sent, overflowed, undelivered, waiting] = [0, 0, 0, 0];
  let isAway = false;
  const maxExportBatchSize = Math.min(limits.maxBatchSpans, limits.maxQueuedSpans);

  function tell(away: boolean, reason: string): void {
    if (away && !isAway) log.warning("the collector takes no traces of this service", { protocol, reason });
    if (!away && isAway) log.info("the collector takes traces of this service again", { protocol });
    isAway = away;
  }

  const counting: SpanExporter = {
    export(spans, done) {
      waiting -= spans.length;
      exporter.export(spans, (result) => {
        if (result.code === SUCCESS) sent += spans.length;
        else undelivered += spans.length;
        tell(result.code !== SUCCESS, result.error === undefined ? "" : messageOf(result.error));
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
  const batches = new BatchSpanProcessor({
    exporter: counting,
    maxExportBatchSize,
    maxQueueSize: limits.maxQueuedSpans,
    scheduledDelayMillis: limits.batchDelayMilliseconds,
    exportTimeoutMillis: limits.exportMilliseconds,
  });
  return {
    counts: () => ({ protocol, sent, overflowed, undelivered }),
    passOver(spans) {
      overflowed += spans;
    },
    processor: {
      onStart() {},
      onEnd(span) {
        if (waiting >= limits.maxQueuedSpans) {
          overflowed++;
          return;
        }
        waiting++;
        batches.onEnd(span);
      },
      forceFlush: () => batches.forceFlush(),
      shutdown: () => batches.shutdown(),
    },
  };
}
