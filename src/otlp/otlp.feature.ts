// Traces and logs of OpenTelemetry over HTTP. (Over gRPC they come by a port of their own: grpc.ts.)

import { pendingRowsJob } from "../jobs/pending-rows.ts";
import { feature } from "../modules/feature.ts";
import { modelsFeature } from "../modules/tracing/models/models.feature.ts";
import { owned } from "../storage/owned-tables.ts";
import { createTraceSumsStore } from "../storage/trace-sums.ts";
import { createMetricsRefusal } from "./decode/metrics.ts";
import { createLogsService } from "./logs/logs.service.ts";
import { createMessagedTracesStore } from "./logs/messaged-traces.store.ts";
import { createPendingMessages } from "./logs/pending-messages.service.ts";
import { createPendingMessagesStore } from "./logs/pending-messages.store.ts";
import { createSpanMessagesStore } from "./logs/span-messages.store.ts";
import { createTurnsStore } from "./logs/turns.store.ts";
import { otlpRoutes } from "./transport/otlp.routes.ts";

export const otlpFeature = feature(
  "otlp",
  { ownedTables: [owned("span", "span_messages", "span_id"), owned("span", "message_fills", "span_id")] },
  ({ storage, clock, receiver, rollups, settings, log, ownContext, use }) => {
    const { dialect } = storage;
    const messages = createPendingMessages({
      storage,
      pending: createPendingMessagesStore(dialect),
      spans: createSpanMessagesStore(dialect),
      traces: createMessagedTracesStore(),
      sums: createTraceSumsStore(storage),
      rollups,
      calls: use(modelsFeature).changedCalls,
      clock,
      log: log.named("messages"),
    });
    const logs = createLogsService({
      receiver,
      storage,
      turns: createTurnsStore(dialect),
      pending: messages,
      context: ownContext,
      clock,
      log: log.named("otlp"),
    });
    return {
      service: { logs, messages },
      jobs: [pendingRowsJob("messages", messages, log.named("jobs"))],
      routes: otlpRoutes({
        receiver,
        logs,
        bodyLimit: settings.bodyLimit,
        refuseMetrics: createMetricsRefusal(log.named("otlp")),
      }),
    };
  },
);
