// Where traces of the service itself are sent, and in what batches.
import { describe, expect, test } from "bun:test";
import { loadSettings, refusalOf } from "../support/load-settings.ts";

const HTTP = "SERVICE_SERVER_INSTRUMENTATION_OTLP_TRACE_COLLECTOR_HTTP_ENDPOINT";
const GRPC = "SERVICE_SERVER_INSTRUMENTATION_OTLP_TRACE_COLLECTOR_GRPC_ENDPOINT";

describe("traces of the service itself", () => {
  test("are off, and an address without a path leads to the path of OTLP", () => {
    expect(loadSettings({}).config.ownTraces).toMatchObject({
      httpEndpoint: null,
      grpcEndpoint: null,
      maxQueuedSpans: 2048,
    });
    const endpointOf = (text: string) => loadSettings({ [HTTP]: text }).config.ownTraces.httpEndpoint;
    expect(endpointOf("http://collector:4318")).toBe("http://collector:4318/v1/traces");
    expect(endpointOf("http://collector:4318/")).toBe("http://collector:4318/v1/traces");
    expect(endpointOf("https://example.org/otlp/v1/traces?x=1")).toBe("https://example.org/otlp/v1/traces?x=1");
    expect(loadSettings({ [GRPC]: "http://collector:4317" }).config.ownTraces.grpcEndpoint).toBe(
      "http://collector:4317",
    );
    expect(loadSettings({ OTEL_BSP_MAX_QUEUE_SIZE: "10" }).config.ownTraces.maxQueuedSpans).toBe(10);
  });

  test("what is no address, and a batch of nothing, stop the start", () => {
    for (const name of [HTTP, GRPC]) {
      for (const value of ["collector:4317", "ftp://collector", "http://", "here"]) {
        const { problems } = refusalOf({ [name]: value });
        expect(problems.length).toBe(1);
        expect(problems[0]).toStartWith(`${name}: `);
        expect(problems[0]).toContain("must be a valid URL");
      }
    }
    for (const name of ["OTEL_BSP_MAX_QUEUE_SIZE", "OTEL_BSP_SCHEDULE_DELAY", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE"]) {
      expect(refusalOf({ [name]: "0" }).problems[0]).toContain("must be a positive integer");
      expect(refusalOf({ [name]: "many" }).problems[0]).toContain("must be an integer");
    }
  });
});
