// Traces and logs of OpenTelemetry over HTTP. (Over gRPC they come by a port of their own: grpc.ts.)
import { feature } from "../modules/feature.ts";
import { createLogsService } from "./logs/logs.service.ts";
import { createTurnsStore } from "./logs/turns.store.ts";
import { createMetricsRefusal } from "./metrics.ts";
import { otlpRoutes } from "./otlp.routes.ts";

export const otlpFeature = feature("otlp", ({ storage, receiver, settings, log, ownContext }) => {
  const logs = createLogsService({
    receiver,
    turns: createTurnsStore(storage.dialect),
    context: ownContext,
    log: log.named("otlp"),
  });
  return {
    service: { logs },
    routes: otlpRoutes({
      receiver,
      logs,
      bodyLimit: settings.bodyLimit,
      refuseMetrics: createMetricsRefusal(log.named("otlp")),
    }),
  };
});
