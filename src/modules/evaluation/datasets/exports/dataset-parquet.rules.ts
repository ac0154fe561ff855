// Datasets as Parquet files: a row an example, written row group by row group as the examples are read.
import { ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import { parseJson } from "../../../../kernel/json.ts";
import { type ExportedExample, idOf, nodeIdOf } from "./dataset-export.rules.ts";

/** Characters and examples from which on a row group is written. It is held whole, and encoded in one go. */
const GROUP_CHARACTERS = 4 * 1024 * 1024;
const GROUP_EXAMPLES = 10_000;

const columns = [
  { name: "id", type: "STRING", value: idOf },
  { name: "node_id", type: "STRING", value: nodeIdOf },
  { name: "input", type: "JSON", value: ({ input }: ExportedExample) => parseJson(input) },
  { name: "output", type: "JSON", value: ({ output }: ExportedExample) => parseJson(output) },
  { name: "metadata", type: "JSON", value: ({ metadata }: ExportedExample) => parseJson(metadata) },
  { name: "splits", type: "JSON", value: ({ splits }: ExportedExample) => [...splits] },
] as const;

/** The bytes of the file, in parts. */
export async function* parquetFile(walk: AsyncIterable<readonly ExportedExample[]>): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const columnsOf = (examples: readonly ExportedExample[]) =>
    columns.map(({ name, type, value }) => ({ name, type, data: examples.map(value), nullable: false }));
  const writer = new ParquetWriter({
    writer: bytes,
    schema: schemaFromColumnData({ columnData: columnsOf([]) }),
    statistics: false,
    createdBy: "spanlight",
  });
  const written = () => {
    const part = bytes.getBytes().slice();
    bytes.index = 0;
    return part;
  };
  let group: ExportedExample[] = [];
  let characters = 0;
  const write = async () => {
    await writer.write({ columnData: columnsOf(group), rowGroupSize: GROUP_EXAMPLES });
    group = [];
    characters = 0;
    return written();
  };
  for await (const part of walk) {
    for (const example of part) {
      group.push(example);
      characters += example.input.length + example.output.length + example.metadata.length;
      if (characters >= GROUP_CHARACTERS || group.length >= GROUP_EXAMPLES) yield await write();
    }
  }
  if (group.length > 0) yield await write();
  await writer.finish();
  yield written();
}
