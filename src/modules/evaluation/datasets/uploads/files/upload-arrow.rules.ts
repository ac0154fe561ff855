// Arrow files and streams of examples, one record batch after the other; how long one is is checked before it is read.
import type { FileHandle } from "node:fs/promises";
import { DataType, type RecordBatch, RecordBatchReader } from "apache-arrow";
import { Failure, messageOf } from "../../../../../kernel/failure.ts";
import { uploadRefused } from "../../datasets.errors.ts";
import { tooManyRows, type UploadLimits } from "../upload-limits.rules.ts";
import type { UploadRow } from "../upload-parts.rules.ts";
import { jsonOfCell } from "./upload-cells.rules.ts";
import { createRowMaker, neededColumns, requireColumns, type SelectedColumns } from "./upload-columns.rules.ts";
import { requireShortRow } from "./upload-files.rules.ts";
import { type ArrowMessage, readFooter, readMessageHead } from "./upload-message-arrow.rules.ts";
import type { SpooledFile } from "./upload-spool.rules.ts";

const FILE_MARK = "ARROW1";
const FOOTER_LENGTH_BYTES = 4;
/** A message begins with a mark and the length of what it says of itself. */
const PREFIX_BYTES = 8;
const CONTINUES = 0xffffffff;
/** What a message says of itself, and what a record batch or a dictionary has: both are held whole. */
const MOST_HEAD_BYTES = 1024 * 1024;
const MOST_BATCH_BYTES = 96 * 1024 * 1024;
/** All dictionaries are held until the end. */
const MOST_DICTIONARY_BYTES = 96 * 1024 * 1024;
/** What a file says at its end of its columns and of where its batches are. */
const MOST_FOOTER_BYTES = 16 * 1024 * 1024;
const MOST_BATCH_ROWS = 8 * 1024 * 1024;

/** Throws kind `invalid`, naming the row and the column, for what is no example. */
export async function* arrowRows(
  spooled: SpooledFile,
  selected: SelectedColumns,
  limits: UploadLimits,
): AsyncGenerator<UploadRow> {
  const rowOf = createRowMaker(selected, false, limits);
  let first = 0;
  for await (const batch of batchesOf(spooled, selected, limits)) {
    if (batch.numRows > MOST_BATCH_ROWS) throw tooLong("A record batch", `${batch.numRows} rows`, MOST_BATCH_ROWS);
    if (first + batch.numRows > limits.maxRows) throw tooManyRows(limits.maxRows);
    const fields = new Map(
      batch.schema.fields.map((field, at) => [field.name, { type: field.type, values: batch.getChildAt(at) }]),
    );
    for (let at = 0; at < batch.numRows; at++) {
      const place = `Row ${first + at + 1}`;
      const row = rowOf((column) => {
        const field = fields.get(column);
        return field && jsonOfCell(arrowValue(field.values?.get(at), field.type), `${place}, column ${column}`, limits);
      }, place);
      requireShortRow(row, place);
      yield row;
    }
    first += batch.numRows;
  }
}

async function* batchesOf(
  spooled: SpooledFile,
  selected: SelectedColumns,
  limits: UploadLimits,
): AsyncGenerator<RecordBatch> {
  try {
    const reader = await readerOf(spooled);
    await reader.open();
    const { fields } = reader.schema;
    const needed = neededColumns(selected);
    requireColumns(
      "The schema",
      fields.map(({ name }) => name),
      needed,
      limits,
    );
    for (const { name, type } of fields) if (needed.includes(name)) requireReadable(name, type);
    yield* reader as AsyncIterable<RecordBatch>;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw uploadRefused(`file: is no Arrow file or stream: ${messageOf(error)}`);
  }
}

/** A file has a footer that says where its batches are. */
async function readerOf(spooled: SpooledFile) {
  const mark = Buffer.from(await spooled.read(0, FILE_MARK.length)).toString("latin1");
  if (mark !== FILE_MARK) return RecordBatchReader.from(messagesOf(spooled));
  await requireHonestFile(spooled);
  return RecordBatchReader.from(handleOf(spooled) as FileHandle);
}

/** Looks at what the library will read: the footer, and the head of every batch. */
async function requireHonestFile(spooled: SpooledFile): Promise<void> {
  const endAt = spooled.size - FILE_MARK.length - FOOTER_LENGTH_BYTES;
  const end = Buffer.from(await spooled.read(Math.max(0, endAt), spooled.size));
  if (endAt < 0 || end.toString("latin1", FOOTER_LENGTH_BYTES) !== FILE_MARK) throw cutOff();
  const footerBytes = end.readInt32LE(0);
  if (footerBytes <= 0 || footerBytes > Math.min(endAt, MOST_FOOTER_BYTES)) throw cutOff();
  const count = createMessageCount();
  for (const at of readFooter(await spooled.read(endAt - footerBytes, endAt))) count(await messageAt(spooled, at));
}

/** As much of a file handle as the library asks for. */
function handleOf(spooled: SpooledFile) {
  return {
    fd: -1,
    stat: async () => ({ size: spooled.size }),
    async read(into: Uint8Array, offset: number, length: number, position: number) {
      if (length > MOST_BATCH_BYTES) throw tooLong("A record batch", `${length} bytes`, MOST_BATCH_BYTES);
      const bytes = await spooled.read(position, position + length);
      into.set(bytes, offset);
      return { bytesRead: bytes.byteLength, buffer: into };
    },
    close: async () => {},
  };
}

/** The messages of a stream up to the mark of its end. */
async function* messagesOf(spooled: SpooledFile): AsyncGenerator<Uint8Array> {
  const count = createMessageCount();
  for (let at = 0; at < spooled.size; ) {
    const message = await messageAt(spooled, at);
    if (message === null) return;
    count(message);
    yield await spooled.read(at, message.endAt);
    at = message.endAt;
  }
}

/** What begins there; null for the mark of the end. Throws kind `invalid` for what is not whole, or too long to be read. */
async function messageAt(
  spooled: SpooledFile,
  at: number,
): Promise<(ArrowMessage & { readonly endAt: number }) | null> {
  if (!(at >= 0)) throw cutOff();
  const prefix = new DataView((await spooled.read(at, at + PREFIX_BYTES)).buffer);
  if (prefix.byteLength < PREFIX_BYTES) throw cutOff();
  const headBytes = prefix.getInt32(4, true);
  if (prefix.getUint32(0, true) !== CONTINUES || headBytes < 0 || headBytes > MOST_HEAD_BYTES) {
    throw uploadRefused(`file: is no Arrow file or stream: it is wrong at byte ${at}`);
  }
  if (headBytes === 0) return null;
  const bodyAt = at + PREFIX_BYTES + headBytes;
  if (bodyAt > spooled.size) throw cutOff();
  const message = readMessageHead(await spooled.read(at + PREFIX_BYTES, bodyAt));
  const { bodyBytes } = message;
  if (bodyBytes > MOST_BATCH_BYTES) throw tooLong("A record batch", `${bodyBytes} bytes`, MOST_BATCH_BYTES);
  if (!(bodyBytes >= 0) || bodyAt + bodyBytes > spooled.size) throw cutOff();
  return { ...message, endAt: bodyAt + bodyBytes };
}

/** Throws kind `invalid` for messages that together keep too much. */
function createMessageCount(): (message: ArrowMessage | null) => void {
  let dictionaryBytes = 0;
  return (message) => {
    if (message?.kind === "dictionary") dictionaryBytes += message.bodyBytes;
    if (dictionaryBytes <= MOST_DICTIONARY_BYTES) return;
    throw uploadRefused(`file: its dictionaries have more than ${MOST_DICTIONARY_BYTES} bytes`);
  };
}

function tooLong(what: string, has: string, most: number) {
  return uploadRefused(
    `${what} has ${has}, at most ${most} are read: write the file with smaller ones (max_chunksize)`,
  );
}

const cutOff = () => uploadRefused("file: is cut off: its last message is not whole");

function requireReadable(name: string, type: DataType): void {
  if (
    DataType.isBinary(type) ||
    DataType.isLargeBinary(type) ||
    DataType.isFixedSizeBinary(type) ||
    DataType.isDecimal(type)
  ) {
    throw uploadRefused(`The schema, column ${name}: ${type} is no JSON, write it as a text or a number`);
  }
}

/** Instants come as milliseconds. */
function arrowValue(value: unknown, type: DataType): unknown {
  if (typeof value === "number" && (DataType.isTimestamp(type) || DataType.isDate(type))) return new Date(value);
  return value;
}
