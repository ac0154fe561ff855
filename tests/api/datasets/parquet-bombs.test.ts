// Parquet files whose pages say that they are far more than they are: refused by what they would unpack to, before anything of that size
// is made.

import { expect, test } from "bun:test";
import { parquetMetadata } from "hyparquet";
import { ByteWriter, parquetWriteBuffer } from "hyparquet-writer";
import { serializeTCompactProtocol } from "hyparquet-writer/src/thrift.js";
import { openTestApi } from "../../support/api.ts";
import { datasetsOf } from "../../support/datasets.ts";
import { forEachDriver } from "../../support/drivers.ts";
import { openForSuite } from "../../support/suite.ts";

const ROWS = 4;
/** By their numbers in the format. */
const PLAIN_DICTIONARY = 2;
const DELTA_BYTE_ARRAY = 7;
const RLE_DICTIONARY = 8;

/** A file of one column, whose only page is replaced by one of the same length. */
function fileWithPage(
  length: number,
  header: { readonly values: number; readonly encoding: number; readonly size?: number },
  content: Uint8Array,
): Uint8Array {
  const data = Array.from({ length: ROWS }, (_, at) => `${at}`.padEnd(length / ROWS, "x"));
  const file = new Uint8Array(
    parquetWriteBuffer({ columnData: [{ name: "q", data, type: "STRING", nullable: false }], codec: "UNCOMPRESSED" }),
  );
  const { data_page_offset, total_compressed_size } = parquetMetadata(file.buffer as ArrayBuffer).row_groups[0]!
    .columns[0]!.meta_data!;
  const [start, bytes] = [Number(data_page_offset), Number(total_compressed_size)];
  let head = new Uint8Array();
  // How long the head is depends on the number that it names.
  for (let turn = 0; turn < 3; turn++) {
    const writer = new ByteWriter();
    serializeTCompactProtocol(writer, {
      field_1: 0,
      field_2: header.size ?? bytes - head.byteLength,
      field_3: bytes - head.byteLength,
      field_5: { field_1: header.values, field_2: header.encoding, field_3: 3, field_4: 3 },
    });
    head = writer.getBytes();
  }
  file.fill(0, start, start + bytes);
  file.set(head, start);
  file.set(content, start + head.byteLength);
  return file;
}

function varInt(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varInt(Math.floor(value / 0x80))];
}

const zigZag = (value: number) => varInt(value < 0 ? -value * 2 - 1 : value * 2);

/** Numbers packed as differences: eight of `first`, `first + step`, …, then the last of them again and again. */
function deltas(count: number, first: number, step: number): number[] {
  const blocks = Math.ceil((count - 1) / 8) - 1;
  const same = new Array<number>(blocks * 2).fill(0);
  return [...varInt(8), ...varInt(1), ...varInt(count), ...zigZag(first), ...zigZag(step), 0, ...same];
}

/** Each value repeats what stands before it: 800 characters, a million times. */
const repeating = Buffer.from([...deltas(1_000_001, 0, 100), ...deltas(1_000_001, 800, -100)]);

forEachDriver("Parquet files that say too much", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const { ask, uploadFile } = datasetsOf(() => api);

  test.each([
    [
      "a page of a thousand million values",
      fileWithPage(400, { values: 2 ** 30, encoding: PLAIN_DICTIONARY }, Buffer.from([0])),
      "1073741824 cells",
    ],
    [
      "a run of a thousand million values",
      fileWithPage(400, { values: ROWS, encoding: RLE_DICTIONARY }, Buffer.from([1, ...varInt(2 ** 31 - 2), 0])),
      "a run is longer than it",
    ],
    [
      "a page that unpacks to a thousand million bytes",
      fileWithPage(400, { values: ROWS, encoding: RLE_DICTIONARY, size: 2 ** 30 }, Buffer.from([0])),
      "1073741824 bytes",
    ],
    [
      "a page with fewer bytes than none",
      fileWithPage(400, { values: ROWS, encoding: RLE_DICTIONARY, size: -1 }, Buffer.from([0])),
      "a wrong count",
    ],
    [
      "values that each repeat the one before",
      fileWithPage(600_000, { values: 1_000_001, encoding: DELTA_BYTE_ARRAY }, repeating),
      "bytes, at most",
    ],
  ])("refused: %s", async (name, content, words) => {
    const { status, text } = await uploadFile(
      { name, "input_keys[]": ["q"] },
      { content, type: "application/vnd.apache.parquet" },
    );
    expect({ status, text }).toEqual({ status: 422, text: expect.stringContaining(words) });
    expect((await ask("GET /v1/datasets")).data).toEqual([]);
  });
});
