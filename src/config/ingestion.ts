// Bounds of ingestion: what may wait and how large a request may be, so that memory stays bounded under any load.
import type { Values } from "./setting.ts";
import { integer, positiveInteger } from "./setting.ts";

const MEBIBYTE = 1024 * 1024;

export const ingestionSettings = {
  maxQueuedSpans: integer({
    name: "SERVICE_MAX_SPANS_QUEUE_SIZE",
    default: 20_000,
    unit: "spans",
    check: positiveInteger,
    meaning: "Spans that may wait for insertion; beyond it senders are told to try again (503, `UNAVAILABLE`).",
  }),
  maxQueuedBytes: integer({
    name: "SERVICE_MAX_INGEST_QUEUE_BYTES",
    default: 64 * MEBIBYTE,
    unit: "bytes",
    check: positiveInteger,
    meaning:
      "Bodies that may wait for insertion or are being read, in all, as sent; beyond it senders are told to try again (503, `UNAVAILABLE`). One body at a time is unpacked.",
  }),
  maxBodyBytes: integer({
    name: "SERVICE_MAX_REQUEST_BODY_BYTES",
    default: 64 * MEBIBYTE,
    unit: "bytes",
    check: positiveInteger,
    meaning:
      "Largest body of an export, or of another request that carries data in bulk; a larger one is refused (413).",
  }),
  maxJsonBodyBytes: integer({
    name: "SERVICE_MAX_JSON_BODY_BYTES",
    default: MEBIBYTE,
    unit: "bytes",
    check: positiveInteger,
    meaning: "Largest body of GraphQL and of every other JSON request; a larger one is refused (413).",
  }),
  maxDecompressedBodyBytes: integer({
    name: "SERVICE_MAX_DECOMPRESSED_BODY_BYTES",
    default: 256 * MEBIBYTE,
    unit: "bytes",
    check: positiveInteger,
    meaning: "Largest request body after decompression; a larger one is refused (413).",
  }),
} as const;

export type IngestionConfig = Values<typeof ingestionSettings>;
