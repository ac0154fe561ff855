// Traces of OpenTelemetry over HTTP. (Over gRPC they come by a port of their own: grpc.ts.)
import { feature } from "../modules/feature.ts";
import { createMetricsRefusal } from "./metrics.ts";
import { otlpRoutes } from "./otlp.routes.ts";

export const otlpFeature = feature("otlp", ({ receiver, settings, log }) => ({
  service: null,
  routes: otlpRoutes(receiver, settings.bodyLimit, createMetricsRefusal(log.named("otlp"))),
}));
