// The intake of spans inside the test's own process: what the ingest worker does, without its thread.

import { createCurrentPrices } from "../../src/ingest/current-prices.ts";
import { createIntake } from "../../src/ingest/intake.ts";
import type { ExportReceiver, SpanIntake } from "../../src/ingest/receiver.ts";
import type { SpanStoring } from "../../src/modules/tracing/spans/bodies/new-spans.rules.ts";
import { decodeExport } from "../../src/otlp/decode/export.ts";
import { decodeLogs } from "../../src/otlp/logs/decode-logs.ts";
import type { IngestStore } from "../../src/storage/ingest-store.ts";
import { builtInModels } from "./prices.ts";

export interface TestIntake extends Omit<ExportReceiver, "storeSpans">, SpanIntake, SpanStoring {
  /** Resolves when everything accepted is stored. */
  close(): Promise<void>;
}

export function createTestIntake(store: IngestStore, defaultProject: string): TestIntake {
  const intake = createIntake({
    store,
    queues: 1,
    prices: createCurrentPrices(builtInModels),
    maxQueuedSpans: 20_000,
    onBatch: () => {},
  });
  return {
    requireCapacity: intake.requireCapacity,
    reserveBytes() {
      intake.requireCapacity();
      return { announce() {}, take() {}, release() {} };
    },
    storing: (_bytes, store) => store(),
    storeSpans: async (spans) => ({ ...(await intake.submit(spans)), rollupsPending: false }),
    close: intake.close,
    decodeLogs: async (request) => decodeLogs({ ...request, defaultProject, limitBytes: 64 * 1024 * 1024 }),
    async receive(request) {
      const decoded = decodeExport({ ...request, defaultProject, limitBytes: 64 * 1024 * 1024 });
      const { rejections } = await intake.submit(decoded.spans);
      return { rejectedSpans: decoded.rejections.count + rejections.length, message: decoded.rejections.message };
    },
  };
}
