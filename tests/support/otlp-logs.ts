// Exports of logs, written as OTLP/JSON objects, in both encodings; those of coding agents come from files.
import type { DecodedLogs } from "../../src/ingest/incoming-logs.ts";
import type { DecodeRequest } from "../../src/otlp/decode/export.ts";
import { decodeLogs } from "../../src/otlp/logs/decode-logs.ts";
import {
  type OtlpAttribute,
  type OtlpValue,
  otlpAttributes,
  otlpValue,
  Writer,
  writeAttributes,
  writeValue,
} from "./otlp-encode.ts";
import { plainRequest, type WireFormat } from "./otlp-request.ts";

/** Ids are hex, instants nanoseconds as text. */
interface OtlpLogRecord {
  readonly traceId?: string;
  readonly spanId?: string;
  readonly timeUnixNano?: string;
  readonly observedTimeUnixNano?: string;
  readonly eventName?: string;
  readonly body?: OtlpValue;
  readonly attributes?: readonly OtlpAttribute[];
}

export interface OtlpLogs {
  readonly resourceLogs: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeLogs: readonly {
      readonly scope: { readonly name: string };
      readonly logRecords: readonly OtlpLogRecord[];
    }[];
  }[];
}

/** An export with the records under one resource and one scope. */
export function otlpLogs(
  records: readonly OtlpLogRecord[],
  resource: Record<string, unknown> = {},
  scope = "test",
): OtlpLogs {
  const scopeLogs = [{ scope: { name: scope }, logRecords: records }];
  return { resourceLogs: [{ resource: { attributes: otlpAttributes(resource) }, scopeLogs }] };
}

/** The body of an export in an encoding. */
export function logsBody(request: OtlpLogs, format: WireFormat): Uint8Array<ArrayBuffer> {
  return format === "protobuf" ? encoded(request) : new Uint8Array(Buffer.from(JSON.stringify(request)));
}

function encoded({ resourceLogs }: OtlpLogs): Uint8Array<ArrayBuffer> {
  const writer = new Writer();
  for (const { resource, scopeLogs } of resourceLogs) {
    writer.message(1, () => {
      writer.message(1, () => writeAttributes(writer, 1, resource.attributes));
      for (const { scope, logRecords } of scopeLogs) {
        writer.message(2, () => {
          writer.message(1, () => writer.text(1, scope.name));
          for (const record of logRecords) writer.message(2, () => writeRecord(writer, record));
        });
      }
    });
  }
  return writer.finish();
}

function writeRecord(writer: Writer, record: OtlpLogRecord): void {
  writer.fixed64(1, record.timeUnixNano);
  if (record.body !== undefined) writeValue(writer, 5, record.body);
  writeAttributes(writer, 6, record.attributes);
  writer.hex(9, record.traceId);
  writer.hex(10, record.spanId);
  writer.fixed64(11, record.observedTimeUnixNano);
  writer.text(12, record.eventName);
}

/** Decodes an export with a budget of 100 MB and the default project `default`. */
export function decodedLogs(request: OtlpLogs, format: WireFormat, options: Partial<DecodeRequest> = {}): DecodedLogs {
  return decodeLogs({ body: logsBody(request, format), format, ...plainRequest, ...options });
}

interface RecordedLogs {
  readonly resource: Record<string, unknown>;
  readonly scope: string;
  /** Attributes of every record. */
  readonly common: Record<string, unknown>;
  readonly exports: readonly (readonly {
    readonly body?: string;
    /** From the beginning of the session. */
    readonly milliseconds: number;
    readonly attributes: Record<string, unknown>;
  }[])[];
}

/** 2026-03-02T09:00:00Z in milliseconds, when recorded sessions begin. */
export const SESSION_START = 1_772_442_000_000;

/** The exports of a recorded session of a coding agent (tests/otlp/recorded/logs), in their order. */
export async function recordedLogs(agent: string): Promise<OtlpLogs[]> {
  const recorded = (await Bun.file(`tests/otlp/recorded/logs/${agent}.json`).json()) as RecordedLogs;
  const { resource, scope, common, exports } = recorded;
  return exports.map((records) =>
    otlpLogs(
      records.map(({ body, milliseconds, attributes }) => ({
        timeUnixNano: `${SESSION_START + milliseconds}000000`,
        ...(body === undefined ? {} : { body: otlpValue(body) }),
        attributes: otlpAttributes({ ...common, ...attributes }),
      })),
      resource,
      scope,
    ),
  );
}
