// Whether figures for Prometheus are offered, and on which port.
import { boolean, port, type Values } from "./setting.ts";

export const metricsSettings = {
  enabled: boolean({
    name: "SERVICE_ENABLE_PROMETHEUS",
    default: false,
    meaning:
      "Whether figures for Prometheus are offered on a port of their own, over plain HTTP and to everybody who reaches it.",
  }),
  port: port({
    name: "SERVICE_PROMETHEUS_PORT",
    default: 9090,
    meaning: "Port of the figures for Prometheus. It binds to `SERVICE_HOST`.",
  }),
} as const;

export type MetricsConfig = Values<typeof metricsSettings>;
