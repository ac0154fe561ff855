// What an Arrow message says of itself, looked at before the library reads it: parts of it may be named many times, and a thousand bytes can
// say that they are a thousand million columns.
import { DictionaryBatch } from "apache-arrow/fb/dictionary-batch";
import { Field } from "apache-arrow/fb/field";
import { Footer } from "apache-arrow/fb/footer";
import type { KeyValue } from "apache-arrow/fb/key-value";
import { Message } from "apache-arrow/fb/message";
import { MessageHeader } from "apache-arrow/fb/message-header";
import { RecordBatch } from "apache-arrow/fb/record-batch";
import { Schema } from "apache-arrow/fb/schema";
import { Timestamp } from "apache-arrow/fb/timestamp";
import { Type } from "apache-arrow/fb/type";
import { Union } from "apache-arrow/fb/union";
import { ByteBuffer, Encoding } from "flatbuffers";
import { uploadRefused } from "../../datasets.errors.ts";

/** Columns with their nested columns and their metadata. */
const MOST_PARTS = 10_000;
const MOST_DEPTH = 64;
/** Batches and dictionaries of a file. */
const MOST_BLOCKS = 100_000;
/** Bytes of names and other texts. */
const MOST_TEXT_BYTES = 4 * 1024 * 1024;
/** Of a place or a length in the body of a batch. */
const ENTRY_BYTES = 16;

export interface ArrowMessage {
  /** Bytes of what comes behind the head. */
  readonly bodyBytes: number;
  readonly kind: "schema" | "batch" | "dictionary";
}

interface Described {
  parts: number;
  textBytes: number;
}

interface WithMetadata {
  customMetadataLength(): number;
  customMetadata(index: number): KeyValue | null;
}

/** Throws kind `invalid` for what no honest file says. */
export function readMessageHead(head: Uint8Array): ArrowMessage {
  const message = Message.getRootAsMessage(new ByteBuffer(head));
  const described: Described = { parts: 0, textBytes: 0 };
  countMetadata(message, described);
  const bodyBytes = Number(message.bodyLength());
  switch (message.headerType()) {
    case MessageHeader.Schema:
      countSchema(message.header(new Schema()) as Schema, described);
      return { bodyBytes, kind: "schema" };
    case MessageHeader.RecordBatch:
      requireEntries(message.header(new RecordBatch()) as RecordBatch, head.byteLength);
      return { bodyBytes, kind: "batch" };
    case MessageHeader.DictionaryBatch: {
      const data = (message.header(new DictionaryBatch()) as DictionaryBatch).data();
      if (data !== null) requireEntries(data, head.byteLength);
      return { bodyBytes, kind: "dictionary" };
    }
    default:
      throw uploadRefused("file: is no Arrow file or stream: it has a message of an unknown kind");
  }
}

/** Where the batches and dictionaries of a file begin. Throws kind `invalid` for what no honest file says. */
export function readFooter(bytes: Uint8Array): number[] {
  const footer = Footer.getRootAsFooter(new ByteBuffer(bytes));
  const described: Described = { parts: 0, textBytes: 0 };
  const schema = footer.schema();
  if (schema !== null) countSchema(schema, described);
  const counts = [footer.dictionariesLength(), footer.recordBatchesLength()] as const;
  if (!counts.every((count) => count >= 0 && count <= MOST_BLOCKS)) {
    throw uploadRefused(`file: its footer names more than ${MOST_BLOCKS} record batches`);
  }
  const blocks = [
    ...Array.from({ length: counts[0] }, (_, at) => footer.dictionaries(at)),
    ...Array.from({ length: counts[1] }, (_, at) => footer.recordBatches(at)),
  ];
  return blocks.map((block) => Number(block!.offset()));
}

function countPart(described: Described, count = 1): void {
  described.parts += count;
  if (described.parts <= MOST_PARTS) return;
  throw uploadRefused(`The schema: has more than ${MOST_PARTS} columns, with those inside of others`);
}

function countText(described: Described, text: string | Uint8Array | null): void {
  described.textBytes += text?.length ?? 0;
  if (described.textBytes <= MOST_TEXT_BYTES) return;
  throw uploadRefused(`The schema: its names have more than ${MOST_TEXT_BYTES} bytes`);
}

function countMetadata(of: WithMetadata, described: Described): void {
  for (let at = 0; at < of.customMetadataLength(); at++) {
    countPart(described);
    const entry = of.customMetadata(at);
    countText(described, entry?.key(Encoding.UTF8_BYTES) ?? null);
    countText(described, entry?.value(Encoding.UTF8_BYTES) ?? null);
  }
}

function countSchema(schema: Schema, described: Described): void {
  countMetadata(schema, described);
  for (let at = 0; at < schema.fieldsLength(); at++) countField(schema.fields(at), described, 0);
}

function countField(field: Field | null, described: Described, depth: number): void {
  countPart(described);
  if (field === null) return;
  if (depth > MOST_DEPTH) throw uploadRefused(`The schema: is nested more than ${MOST_DEPTH} times`);
  countText(described, field.name(Encoding.UTF8_BYTES));
  countMetadata(field, described);
  const kind = field.typeType();
  if (kind === Type.Timestamp) {
    const type = field.type(new Timestamp()) as Timestamp | null;
    countText(described, type?.timezone(Encoding.UTF8_BYTES) ?? null);
  }
  if (kind === Type.Union) countPart(described, (field.type(new Union()) as Union | null)?.typeIdsLength() ?? 0);
  for (let at = 0; at < field.childrenLength(); at++) countField(field.children(at, new Field()), described, depth + 1);
}

/** They stand in the head one after the other. */
function requireEntries(batch: RecordBatch, headBytes: number): void {
  const counts = [batch.nodesLength(), batch.buffersLength(), batch.variadicBufferCountsLength()];
  if (counts.every((count) => count >= 0 && count * ENTRY_BYTES <= 2 * headBytes)) return;
  throw uploadRefused("file: is no Arrow file or stream: a record batch says that it has more parts than fit");
}
