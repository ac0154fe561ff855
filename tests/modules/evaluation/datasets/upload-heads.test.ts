// Uploads that say much of themselves in few bytes: fields, footers and schemas are counted before anything is made of them.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import { Field as FieldTable } from "apache-arrow/fb/field";
import { Footer } from "apache-arrow/fb/footer";
import { Message } from "apache-arrow/fb/message";
import { MessageHeader } from "apache-arrow/fb/message-header";
import { Schema as SchemaTable } from "apache-arrow/fb/schema";
import { Struct_ as StructTable } from "apache-arrow/fb/struct-";
import { Type } from "apache-arrow/fb/type";
import { Builder } from "flatbuffers";
import { parquetWriteBuffer } from "hyparquet-writer";
import { datasetUploadBody } from "../../../../src/modules/evaluation/datasets/uploads/upload-body.rules.ts";
import { requireFewMembersInRows } from "../../../../src/modules/evaluation/datasets/uploads/upload-limits.rules.ts";
import { failureOf } from "../../../support/failures.ts";

const PARQUET = "application/vnd.apache.parquet";
const ARROW_FILE = "application/vnd.apache.arrow.file";
const ARROW_STREAM = "application/vnd.apache.arrow.stream";
const MEBIBYTE = 1024 * 1024;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanlight-uploads-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const field = (name: string, text: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
const formOf = (type: string, file: Uint8Array, fields = "") =>
  Buffer.concat([
    Buffer.from(field("action", "create") + field("name", "a") + field("input_keys[]", "q") + fields),
    Buffer.from(`--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\ncontent-type: ${type}\r\n\r\n`),
    file,
    Buffer.from("\r\n--b--\r\n"),
  ]);

/** Resolves with the number of rows. */
async function read(body: Uint8Array): Promise<number> {
  const spool = { folder, maxBytes: 64 * MEBIBYTE, minimumFreeBytes: 0 };
  const counts = { maxRows: 1000, maxColumns: 100, maxRowMembers: 1000 };
  const upload = datasetUploadBody.open("multipart/form-data; boundary=b");
  try {
    upload.begin({ maxUnpackedBytes: 64 * MEBIBYTE, ...counts, spool });
    await upload.feed(body);
    await upload.end();
    let rows = 0;
    for (let part = await upload.take(); part !== null; part = await upload.take()) rows += part.count;
    return rows;
  } finally {
    await upload.release();
  }
}

async function expectRefused(body: Uint8Array, words: string): Promise<void> {
  expect((await failureOf(read(body))).message).toContain(words);
}

describe("form data", () => {
  const csv = Buffer.from("q,a\n1,2\n");
  test("more than 10,000 fields are refused, and fewer are taken in any number of texts", async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, at) => field("other[]", `${at}`)).join("");
    expect(await read(formOf("text/csv", csv, fields(9000)))).toBe(1);
    await expectRefused(formOf("text/csv", csv, fields(10_000)), "more than 10000 fields");
  });

  test("the names of fields count as their texts", async () => {
    const names = Array.from({ length: 100 }, (_, at) => field(`${at}${"y".repeat(12_000)}`, "")).join("");
    await expectRefused(formOf("text/csv", csv, names), "The fields have more than 1048576 bytes");
  });

  test("a text that is blank, or there twice, is no other column", async () => {
    const fields = field("output_keys[]", "") + field("output_keys[]", "a") + field("output_keys[]", "a");
    expect(await read(formOf("text/csv", csv, fields))).toBe(1);
  });
});

describe("JSON", () => {
  const most = 100;
  const check = (document: unknown) => () => requireFewMembersInRows(Buffer.from(JSON.stringify(document)), most);
  const values = (count: number) => new Array<number>(count).fill(1);

  test("the values of each row are counted before the document is parsed", () => {
    expect(check({ inputs: [{ a: values(10) }, { a: values(most) }], outputs: [] })).toThrow(
      "Row 2: has more than 100",
    );
    expect(check({ inputs: [{ a: values(most) }] })).toThrow("Row 1: has more than 100 values");
    const object = Object.fromEntries(values(most + 1).map((one, at) => [`k${at}`, one]));
    expect(check({ name: "a", inputs: [{}], metadata: [{}, {}, object] })).toThrow("Row 3: has more than 100 values");
  });

  test("neither many rows nor what stands in texts counts", () => {
    expect(
      check({ inputs: values(1000).map(() => ({ a: values(10) })), outputs: values(1000).map(() => ({})) }),
    ).not.toThrow();
    expect(check({ inputs: [{ a: values(most - 2) }, { a: values(most - 2) }] })).not.toThrow();
    expect(check({ inputs: [{ a: `${",[{".repeat(1000)}\\"` }, { '"]}': ",".repeat(1000) }] })).not.toThrow();
  });

  test("a document that is broken is read to its end", () => {
    for (const broken of ['{"inputs":[{"a":"', "]]]]", "{".repeat(150)]) {
      const words = broken.startsWith("{{") ? "has more than" : null;
      const asked = () => requireFewMembersInRows(Buffer.from(`${broken}${" ".repeat(300)}`), most);
      if (words === null) expect(asked).not.toThrow();
      else expect(asked).toThrow(words);
    }
  });
});

describe("Parquet", () => {
  const varInt = (value: number): number[] =>
    value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varInt(Math.floor(value / 0x80))];
  /** A file of nothing but a footer. */
  const withFooter = (footer: Uint8Array) => {
    const end = Buffer.alloc(8);
    end.writeUInt32LE(footer.byteLength);
    end.write("PAR1", 4, "latin1");
    return formOf(PARQUET, Buffer.concat([Buffer.from("PAR1"), footer, end]));
  };
  const listOf = (type: number, length: number) => [0xf0 | type, ...varInt(length)];

  test("lists in lists, each of which says that it is long", async () => {
    const lists = Array.from({ length: 1000 }, () => listOf(9, 99_000)).flat();
    await expectRefused(withFooter(Buffer.from([0xe9, ...lists])), "has a list that is longer than it");
    const short = Array.from({ length: 100 }, () => [0x19]).flat();
    await expectRefused(withFooter(Buffer.from([0xe9, ...short])), "is nested more than 16 times");
  });

  test("a list of more structs than are read", async () => {
    const structs = Buffer.from([0x49, ...listOf(12, 3_000_000), ...new Uint8Array(3_000_000)]);
    await expectRefused(withFooter(structs), "has more than 2000000 values");
  });

  test("a file that is cut off in its footer", async () => {
    await expectRefused(withFooter(Buffer.from([0x18, ...varInt(1000), 1])), "is cut off");
    await expectRefused(withFooter(Buffer.from([0x15])), "its footer cannot be read");
  });

  test("an honest one is read", async () => {
    const columns = Array.from({ length: 50 }, (_, at) => ({ name: at === 0 ? "q" : `c${at}`, data: ["x", "y"] }));
    const file = new Uint8Array(parquetWriteBuffer({ columnData: columns, rowGroupSize: 1 }));
    expect(await read(formOf(PARQUET, file))).toBe(2);
  });
});

describe("Arrow", () => {
  /** A column with `fan` columns inside, which all are the same one; that again, `depth` times. */
  function writeSchema(builder: Builder, depth: number, fan: number): number {
    const name = builder.createString("q");
    StructTable.startStruct_(builder);
    const type = StructTable.endStruct_(builder);
    let inner: number | null = null;
    for (let level = 0; level <= depth; level++) {
      const same: number[] = inner === null ? [] : new Array<number>(fan).fill(inner);
      const children = FieldTable.createChildrenVector(builder, same);
      FieldTable.startField(builder);
      FieldTable.addName(builder, name);
      FieldTable.addTypeType(builder, Type.Struct_);
      FieldTable.addType(builder, type);
      FieldTable.addChildren(builder, children);
      inner = FieldTable.endField(builder);
    }
    const fields = SchemaTable.createFieldsVector(builder, [inner!]);
    SchemaTable.startSchema(builder);
    SchemaTable.addFields(builder, fields);
    return SchemaTable.endSchema(builder);
  }

  function streamOf(depth: number, fan: number): Uint8Array {
    const builder = new Builder();
    const schema = writeSchema(builder, depth, fan);
    Message.startMessage(builder);
    Message.addHeaderType(builder, MessageHeader.Schema);
    Message.addHeader(builder, schema);
    Message.finishMessageBuffer(builder, Message.endMessage(builder));
    const head = builder.asUint8Array();
    const bytes = Buffer.alloc(8 + Math.ceil(head.byteLength / 8) * 8 + 8, 0xff);
    bytes.writeInt32LE(bytes.byteLength - 16, 4);
    bytes.set(head, 8);
    bytes.writeInt32LE(0, bytes.byteLength - 4);
    return bytes;
  }

  function fileOf(depth: number, fan: number): Uint8Array {
    const builder = new Builder();
    const schema = writeSchema(builder, depth, fan);
    Footer.startFooter(builder);
    Footer.addSchema(builder, schema);
    Footer.finishFooterBuffer(builder, Footer.endFooter(builder));
    const footer = builder.asUint8Array();
    const length = Buffer.alloc(4);
    length.writeInt32LE(footer.byteLength);
    return Buffer.concat([Buffer.from("ARROW1\0\0"), footer, length, Buffer.from("ARROW1")]);
  }

  test.each([
    ["a stream", ARROW_STREAM, streamOf],
    ["a file", ARROW_FILE, fileOf],
  ])("%s whose columns hold the same column many times", async (_what, type, write) => {
    expect(await read(formOf(type, write(1, 10)))).toBe(0);
    expect(write(5, 100).byteLength).toBeLessThan(4000);
    await expectRefused(formOf(type, write(5, 100)), "has more than 10000 columns, with those inside of others");
    await expectRefused(formOf(type, write(70, 1)), "is nested more than 64 times");
  });

  test("a file whose end is missing, or says that the footer is longer than it", async () => {
    const file = tableToIPC(tableFromArrays({ q: ["x"] }), "file");
    expect(await read(formOf(ARROW_FILE, file))).toBe(1);
    await expectRefused(formOf(ARROW_FILE, file.subarray(0, -20)), "is cut off");
    const long = file.slice();
    new DataView(long.buffer).setInt32(long.byteLength - 10, 2 ** 30, true);
    await expectRefused(formOf(ARROW_FILE, long), "is cut off");
  });
});
