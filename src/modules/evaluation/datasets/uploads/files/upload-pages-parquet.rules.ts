// Pages of a Parquet row group, looked at before the library reads them: it believes what they say of themselves, and a few bytes can
// say that they are a thousand million values.
import type { Compressors, PageHeader, SchemaTree } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { deltaBinaryUnpack } from "hyparquet/src/delta.js";
import { readRleBitPackedHybrid } from "hyparquet/src/encoding.js";
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from "hyparquet/src/schema.js";
import { readVarInt } from "hyparquet/src/thrift.js";
import { uploadRefused } from "../../datasets.errors.ts";
import { requireShortStruct } from "./upload-structs-parquet.rules.ts";

interface ParquetColumn {
  readonly codec: string;
  readonly type: string;
  readonly schemaPath: SchemaTree[];
  readonly compressors: Compressors;
}

/** Called for what is found; throws when it is too much. */
interface PageCount {
  page(unpackedBytes: number, values: number): void;
  /** Bytes that values take beside those of their page. */
  repeated(bytes: number): void;
}

interface Reader {
  readonly view: DataView;
  offset: number;
}

/** Of the head of a page: some ten, and two for each bound of its values. */
const MOST_HEAD_VALUES = 1000;

const brokenPage = (problem: string) => uploadRefused(`file: is no Parquet, a page cannot be read: ${problem}`);

const readerOf = (bytes: Uint8Array): Reader => ({
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  offset: 0,
});

/** Goes through the pages of a column of one row group. Throws kind `invalid` for what no honest file has. */
export function countPages(bytes: Uint8Array, column: ParquetColumn, count: PageCount): void {
  const reader = readerOf(bytes);
  // As the library ends.
  while (reader.offset < bytes.byteLength - 1) {
    requireShortStruct(reader, MOST_HEAD_VALUES);
    const header = parquetHeader(reader);
    const { uncompressed_page_size: unpackedBytes, compressed_page_size: packedBytes } = header;
    const { values, nulls } = valuesOf(header);
    requireCounts([unpackedBytes, packedBytes, values, nulls, values - nulls]);
    count.page(unpackedBytes, values);
    requireContent(bytes.subarray(reader.offset, reader.offset + packedBytes), header, column, count);
    reader.offset += packedBytes;
  }
}

function valuesOf({ data_page_header, data_page_header_v2, dictionary_page_header }: PageHeader) {
  const {
    num_values = 0,
    num_nulls = 0,
    num_rows = 0,
  } = {
    ...dictionary_page_header,
    ...data_page_header,
    ...data_page_header_v2,
  } as { num_values?: number; num_nulls?: number; num_rows?: number };
  return { values: Math.max(num_values, num_rows), nulls: num_nulls };
}

function requireCounts(counts: readonly number[]): void {
  if (!counts.every((each) => Number.isSafeInteger(each) && each >= 0)) throw brokenPage("it has a wrong count");
}

/** The content of a page is unpacked for this, and once more by the library. */
function requireContent(packed: Uint8Array, header: PageHeader, column: ParquetColumn, count: PageCount): void {
  const { data_page_header: first, data_page_header_v2: second, uncompressed_page_size: size } = header;
  const definition = getMaxDefinitionLevel(column.schemaPath);
  const repetition = getMaxRepetitionLevel(column.schemaPath);
  if (second !== undefined) {
    const { repetition_levels_byte_length: before, definition_levels_byte_length: levels } = second;
    requireCounts([before, levels, size - before - levels]);
    requireRuns(readerOf(packed.subarray(0, before)), repetition, second.num_values);
    requireRuns(readerOf(packed.subarray(before, before + levels)), definition, second.num_values);
    const rest = packed.subarray(before + levels);
    const values = second.is_compressed === false ? rest : unpack(rest, size - before - levels, column);
    requireValues(readerOf(values), second.encoding, column, second.num_values - (second.num_nulls ?? 0), count);
  } else if (first !== undefined) {
    const reader = readerOf(unpack(packed, size, column));
    skipLevels(reader, column.schemaPath.length > 1 ? repetition : 0, first.num_values);
    const nulls = nullsOf(reader, definition, first.num_values);
    requireValues(reader, first.encoding, column, first.num_values - nulls, count);
  }
}

function unpack(packed: Uint8Array, size: number, { codec, compressors }: ParquetColumn): Uint8Array {
  const unpacking = compressors[codec as keyof Compressors];
  return codec === "UNCOMPRESSED" || unpacking === undefined ? packed : unpacking(packed, size);
}

/** Levels with their length before them. */
function skipLevels(reader: Reader, highest: number, values: number): void {
  if (highest === 0) return;
  const length = reader.view.getUint32(reader.offset, true);
  reader.offset += 4;
  requireRuns({ view: reader.view, offset: reader.offset }, highest, values);
  reader.offset += length;
}

/** How many values are null, by their definition levels. */
function nullsOf(reader: Reader, highest: number, values: number): number {
  if (highest === 0) return 0;
  const levels = { view: reader.view, offset: reader.offset };
  skipLevels(reader, highest, values);
  const definitions = new Uint8Array(values);
  readRleBitPackedHybrid(levels, widthOf(highest), definitions);
  return definitions.reduce((sum, level) => sum + (level === highest ? 0 : 1), 0);
}

const widthOf = (highest: number) => 32 - Math.clz32(highest);

/** Throws for a run of more values than there are: the library fills a list with it. */
function requireRuns(reader: Reader, highest: number, values: number): void {
  if (highest > 0) requireRunsOfWidth(reader, widthOf(highest), values);
}

function requireRunsOfWidth(reader: Reader, width: number, values: number): void {
  for (let seen = 0; seen < values; ) {
    const header = readVarInt(reader);
    const isPacked = (header & 1) === 1;
    const run = isPacked ? (header >>> 1) * 8 : header >>> 1;
    // Packed values come by eight.
    if (run > values + 7) throw brokenPage("a run is longer than it");
    reader.offset += isPacked ? (header >>> 1) * width : Math.ceil(width / 8);
    seen += run;
  }
}

function requireValues(
  reader: Reader,
  encoding: string,
  { type }: ParquetColumn,
  values: number,
  count: PageCount,
): void {
  if (encoding === "DELTA_BYTE_ARRAY") {
    const prefixes = new Int32Array(values);
    deltaBinaryUnpack(reader, values, prefixes);
    const bytes = prefixes.reduce((sum, each) => sum + Math.max(0, each), 0);
    count.repeated(bytes);
  }
  if (!/^(RLE|PLAIN_DICTIONARY|RLE_DICTIONARY)$/.test(encoding) || values === 0) return;
  if (type === "BOOLEAN") {
    reader.offset += 4;
    requireRunsOfWidth(reader, 1, values);
    return;
  }
  const width = reader.view.getUint8(reader.offset++);
  if (width > 0) requireRunsOfWidth(reader, width, values);
}
