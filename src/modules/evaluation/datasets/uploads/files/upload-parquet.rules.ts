// Parquet files of examples. The footer stands last and says where everything is, so the file is kept until it is whole; then its row
// groups are read one after the other.
import { zstdDecompressSync } from "node:zlib";
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type SchemaTree,
} from "hyparquet";
import { getTreePath } from "hyparquet/src/schema.js";
import { compressors } from "hyparquet-compressors";
import { Failure, messageOf } from "../../../../../kernel/failure.ts";
import { uploadRefused } from "../../datasets.errors.ts";
import { tooManyRows, tooManyUnpackedBytes, type UploadLimits } from "../upload-limits.rules.ts";
import { acquireLarge } from "../upload-mutex.rules.ts";
import type { UploadRow } from "../upload-parts.rules.ts";
import { jsonOfCell } from "./upload-cells.rules.ts";
import { createRowMaker, neededColumns, requireColumns, type SelectedColumns } from "./upload-columns.rules.ts";
import { requireShortRow } from "./upload-files.rules.ts";
import { countPages } from "./upload-pages-parquet.rules.ts";
import type { SpooledFile } from "./upload-spool.rules.ts";
import { requireShortStruct } from "./upload-structs-parquet.rules.ts";

/** A row group is held whole: bytes of the columns that are read, unpacked, and their cells. */
const MOST_GROUP_BYTES = 96 * 1024 * 1024;
const MOST_GROUP_CELLS = 8 * 1024 * 1024;
const MOST_GROUP_PAGES = 100_000;
/** What the file says of itself at its end. */
const MOST_FOOTER_BYTES = 16 * 1024 * 1024;
const MOST_FOOTER_VALUES = 2_000_000;
const FOOTER_END_BYTES = 8;

/** Throws kind `invalid`, naming the row and the column, for what is no example. */
export async function* parquetRows(
  spooled: SpooledFile,
  selected: SelectedColumns,
  limits: UploadLimits,
): AsyncGenerator<UploadRow> {
  const file: AsyncBuffer = {
    byteLength: spooled.size,
    slice: async (start, end = spooled.size) => (await spooled.read(start, end)).buffer,
  };
  const metadata = await readable("its footer cannot be read", async () => {
    await requireShortFooter(spooled);
    return parquetMetadataAsync(file);
  });
  const columns = neededColumns(selected);
  const schema = parquetSchema(metadata);
  const names = schema.children.map(({ element }) => element.name);
  requireColumns("The schema", names, columns, limits);
  const wanted = names.filter((name) => columns.includes(name) || selected.flatten.includes(name));
  const rowOf = createRowMaker(selected, false, limits);
  let first = 0;
  let unpackedBytes = 0;
  for (const [at, group] of metadata.row_groups.entries()) {
    const rows = Number(group.num_rows);
    if (rows === 0) continue;
    requireFitting(group, at + 1, wanted);
    if (first + rows > limits.maxRows) throw tooManyRows(limits.maxRows);
    const release = await acquireLarge(sizeOf(group, wanted));
    try {
      const read = await readable(`row group ${at + 1} cannot be read`, async () => {
        unpackedBytes += await countGroup(spooled, schema, group, at + 1, wanted);
        if (unpackedBytes > limits.maxUnpackedBytes) {
          throw tooManyUnpackedBytes("file: unpacks to", limits.maxUnpackedBytes);
        }
        const compressors = boundedCompressors(at + 1);
        return parquetReadObjects({
          file,
          metadata,
          columns: wanted,
          rowStart: first,
          rowEnd: first + rows,
          compressors,
        });
      });
      for (const [offset, cells] of read.entries()) {
        const place = `Row ${first + offset + 1}`;
        const row = rowOf(
          (column) =>
            Object.hasOwn(cells, column) ? jsonOfCell(cells[column], `${place}, column ${column}`, limits) : undefined,
          place,
        );
        requireShortRow(row, place);
        yield row;
      }
    } finally {
      release();
    }
    first += rows;
  }
}

/** The library reads as much as the end of the file says that the footer has. */
async function requireShortFooter(spooled: SpooledFile): Promise<void> {
  const end = await spooled.read(Math.max(0, spooled.size - FOOTER_END_BYTES), spooled.size);
  if (end.byteLength < FOOTER_END_BYTES) throw uploadRefused("file: is no Parquet, it is too short");
  const bytes = new DataView(end.buffer).getUint32(0, true);
  // Then the library says that it is no Parquet.
  if (bytes > spooled.size - FOOTER_END_BYTES) return;
  if (bytes > MOST_FOOTER_BYTES) {
    throw uploadRefused(`file: its footer has ${bytes} bytes, at most ${MOST_FOOTER_BYTES} are read`);
  }
  const endAt = spooled.size - FOOTER_END_BYTES;
  const footer = await spooled.read(endAt - bytes, endAt);
  requireShortStruct({ view: new DataView(footer.buffer), offset: 0 }, MOST_FOOTER_VALUES);
}

type RowGroup = FileMetaData["row_groups"][number];

const columnsRead = (group: RowGroup, columns: readonly string[]) =>
  group.columns.flatMap(({ meta_data }) =>
    meta_data !== undefined && columns.includes(meta_data.path_in_schema[0] ?? "") ? [meta_data] : [],
  );

/** What the footer says of the columns that are read. */
function sizeOf(group: RowGroup, columns: readonly string[]): { readonly bytes: number; readonly values: number } {
  const read = columnsRead(group, columns);
  const bytes = read.reduce(
    (sum, { total_uncompressed_size: unpacked, total_compressed_size: packed }) =>
      sum + Math.max(Number(unpacked), Number(packed)),
    0,
  );
  const values = read.reduce((sum, { num_values }) => sum + Number(num_values), 0);
  return { bytes, values: Math.max(values, Number(group.num_rows)) };
}

function requireFitting(group: RowGroup, number: number, columns: readonly string[]): void {
  const { bytes, values } = sizeOf(group, columns);
  requireFew(number, { bytes, cells: values, pages: 0 });
}

function requireFew(number: number, count: { readonly bytes: number; readonly cells: number; readonly pages: number }) {
  const bounds = { bytes: MOST_GROUP_BYTES, cells: MOST_GROUP_CELLS, pages: MOST_GROUP_PAGES };
  for (const [what, most] of Object.entries(bounds)) {
    const has = count[what as keyof typeof bounds];
    if (has <= most) continue;
    const advice = "write the file with smaller row groups (row_group_size)";
    throw uploadRefused(`Row group ${number} has ${has} ${what}, at most ${most} are read: ${advice}`);
  }
}

/** Counts what the pages of a row group really have, and throws kind `invalid` beyond what is read. Answers with their bytes. */
async function countGroup(
  spooled: SpooledFile,
  schema: SchemaTree,
  group: RowGroup,
  number: number,
  columns: readonly string[],
): Promise<number> {
  const count = { bytes: 0, cells: 0, pages: 0 };
  const compressors = boundedCompressors(number);
  for (const column of columnsRead(group, columns)) {
    const start = Number(column.dictionary_page_offset || column.data_page_offset);
    const bytes = await spooled.read(start, start + Number(column.total_compressed_size));
    const schemaPath = getTreePath(schema, column.path_in_schema);
    countPages(
      bytes,
      { codec: column.codec, type: column.type, schemaPath, compressors },
      {
        page(unpackedBytes, values) {
          count.bytes += unpackedBytes;
          count.cells += values;
          count.pages++;
          requireFew(number, count);
        },
        repeated(more) {
          count.bytes += more;
          requireFew(number, count);
        },
      },
    );
  }
  return count.bytes;
}

/** Those that unpack no more than the row group may have, whatever its metadata says. */
function boundedCompressors(number: number): Compressors {
  let unpacked = 0;
  return Object.fromEntries(
    Object.entries({ ...compressors, ZSTD: unpackZstd }).map(([codec, unpack]) => [
      codec,
      (input: Uint8Array, length: number) => {
        unpacked += length;
        if (unpacked <= 2 * MOST_GROUP_BYTES) return unpack(input, length);
        throw uploadRefused(`Row group ${number} unpacks to more than it says`);
      },
    ]),
  );
}

/** The library's own takes no bound. */
const unpackZstd = (input: Uint8Array, length: number) =>
  zstdDecompressSync(input, { maxOutputLength: Math.max(1, length) });

/** Errors of the library become errors about the file. */
async function readable<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw uploadRefused(`file: is no Parquet, ${what}: ${messageOf(error)}`);
  }
}
