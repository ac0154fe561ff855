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
} from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { Failure, messageOf } from "../../kernel/failure.ts";
import { uploadRefused } from "./datasets.errors.ts";
import { jsonOfCell } from "./upload-cells.rules.ts";
import { createRowMaker, neededColumns, requireColumns, type SelectedColumns } from "./upload-columns.rules.ts";
import { requireShortRow } from "./upload-files.rules.ts";
import type { UploadLimits } from "./upload-limits.rules.ts";
import type { UploadRow } from "./upload-parts.rules.ts";
import type { SpooledFile } from "./upload-spool.rules.ts";

/** A row group is held whole: bytes of the columns that are read, unpacked, and their cells. */
const MOST_GROUP_BYTES = 96 * 1024 * 1024;
const MOST_GROUP_CELLS = 8 * 1024 * 1024;

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
  const metadata = await readable("its footer cannot be read", () => parquetMetadataAsync(file));
  const columns = neededColumns(selected);
  const names = parquetSchema(metadata).children.map(({ element }) => element.name);
  requireColumns("The schema", names, columns, limits);
  const wanted = names.filter((name) => columns.includes(name) || selected.flatten.includes(name));
  const rowOf = createRowMaker(selected, false, limits);
  let first = 0;
  for (const [at, group] of metadata.row_groups.entries()) {
    const rows = Number(group.num_rows);
    requireFitting(group, at + 1, wanted);
    const read = await readable(`row group ${at + 1} cannot be read`, () =>
      parquetReadObjects({
        file,
        metadata,
        columns: wanted,
        rowStart: first,
        rowEnd: first + rows,
        compressors: boundedCompressors(at + 1),
      }),
    );
    for (const [offset, cells] of read.entries()) {
      const place = `Row ${first + offset + 1}`;
      const row = rowOf(
        (column) =>
          Object.hasOwn(cells, column) ? jsonOfCell(cells[column], `${place}, column ${column}`) : undefined,
        place,
      );
      requireShortRow(row, place);
      yield row;
    }
    first += rows;
  }
}

function requireFitting(group: FileMetaData["row_groups"][number], number: number, columns: readonly string[]): void {
  const read = group.columns.filter(({ meta_data }) => columns.includes(meta_data?.path_in_schema[0] ?? ""));
  const bytes = read.reduce((sum, { meta_data }) => sum + Number(meta_data?.total_uncompressed_size ?? 0), 0);
  const cells = read.reduce((sum, { meta_data }) => sum + Number(meta_data?.num_values ?? 0), 0);
  const advice = "write the file with smaller row groups (row_group_size)";
  if (bytes > MOST_GROUP_BYTES) {
    throw uploadRefused(`Row group ${number} has ${bytes} bytes, at most ${MOST_GROUP_BYTES} are read: ${advice}`);
  }
  if (Math.max(cells, Number(group.num_rows)) > MOST_GROUP_CELLS) {
    throw uploadRefused(`Row group ${number} has ${cells} cells, at most ${MOST_GROUP_CELLS} are read: ${advice}`);
  }
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

/** What the library says of a file is told as what is wrong with the file. */
async function readable<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw uploadRefused(`file: is no Parquet, ${what}: ${messageOf(error)}`);
  }
}
