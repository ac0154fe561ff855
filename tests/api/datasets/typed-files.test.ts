// Parquet and Arrow files of examples, as uploads and as exports: their values as JSON, and every way in which a file can be wrong, on
// both databases.

import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { Binary, Table, tableFromArrays, tableToIPC, vectorFromArray } from "apache-arrow";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { type ColumnSource, parquetWriteBuffer } from "hyparquet-writer";
import { openTestApi } from "../../support/api.ts";
import { datasetsOf } from "../../support/datasets.ts";
import { forEachDriver } from "../../support/drivers.ts";
import { openForSuite } from "../../support/suite.ts";

type Fields = Readonly<Record<string, string | readonly string[]>>;

const PARQUET = "application/vnd.apache.parquet";
const ARROW = "application/vnd.apache.arrow.file";
const STREAM = "application/vnd.apache.arrow.stream";
const keys = { "input_keys[]": ["q"], "output_keys[]": ["a"] };
const parquetOf = (columnData: readonly ColumnSource[], rowGroupSize = 1000) =>
  new Uint8Array(parquetWriteBuffer({ columnData: [...columnData], rowGroupSize }));
const plain = [
  { name: "q", data: ["one", "two"], type: "STRING" },
  { name: "a", data: ["1", "2"], type: "STRING" },
] as const satisfies readonly ColumnSource[];
const bytesColumn = tableToIPC(new Table({ q: vectorFromArray([new Uint8Array([1])], new Binary()) }), "file");
const arrowOf = (columns: Record<string, readonly unknown[]>, form: "file" | "stream") =>
  tableToIPC(tableFromArrays<Record<string, readonly unknown[]>>(columns), form);

forEachDriver("files of typed columns", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const { ask, uploadFile, examples } = datasetsOf(() => api);
  let last = 0;
  const upload = (content: Uint8Array, type: string, fields: Fields, encoding?: string) =>
    uploadFile(
      { name: `typed ${++last}`, ...fields },
      { content, type, name: "a.bin", ...(encoding === undefined ? {} : { encoding }) },
    );
  const contents = async (answer: Awaited<ReturnType<typeof upload>>) => {
    expect(answer.text).toStartWith('{"data":{"dataset_id"');
    return (await examples(answer.data.dataset_id)).map(({ input, output, metadata }) => [input, output, metadata]);
  };

  describe("Parquet", () => {
    test("values are what JSON has for them, nothing is null", async () => {
      const file = parquetOf([
        { name: "q", data: [{ deep: [1, "x"] }, "text"], type: "JSON" },
        { name: "a", data: [9007199254740993n, null], type: "INT64", nullable: true },
        { name: "at", data: [new Date("2026-03-01T10:00:00Z"), new Date("2026-03-02T10:00:00Z")], type: "TIMESTAMP" },
        { name: "score", data: [0.5, Number.NaN], type: "DOUBLE" },
        { name: "good", data: [true, false], type: "BOOLEAN" },
        { name: "unread", data: ["x", "y"], type: "STRING" },
      ]);
      const answer = await upload(file, PARQUET, { ...keys, "metadata_keys[]": ["at", "score", "good"] });
      expect(await contents(answer)).toEqual([
        // Digits that a double would lose are compared as the text of the answer has them.
        [
          { q: { deep: [1, "x"] } },
          { a: 9007199254740992 },
          { at: "2026-03-01T10:00:00.000Z", score: 0.5, good: true },
        ],
        [{ q: "text" }, { a: null }, { at: "2026-03-02T10:00:00.000Z", score: null, good: false }],
      ]);
      const { text } = await ask(`GET /v1/datasets/${answer.data.dataset_id}/examples`);
      expect(text).toContain('"a":9007199254740993');
    });

    test("row groups come one after the other, with ids and splits of their own", async () => {
      const rows = Array.from({ length: 2500 }, (_, at) => at);
      const file = parquetOf(
        [
          { name: "q", data: rows.map((at) => `question ${at}`), type: "STRING" },
          { name: "id", data: rows.map((at) => `r${at}`), type: "STRING" },
          { name: "split", data: rows.map((at) => (at % 2 === 0 ? "even" : "odd")), type: "STRING" },
        ],
        300,
      );
      const fields = { "input_keys[]": ["q"], example_id_key: "id", split_key: "split" };
      const { data } = await upload(gzipSync(file), PARQUET, fields, "gzip");
      expect(data.num_created_examples).toBe(2500);
      const even = await examples(data.dataset_id, "?split=even");
      expect([even.length, even.at(-1)!.id, even.at(-1)!.input]).toEqual([1250, "r2498", { q: "question 2498" }]);
    });

    test.each([
      ["no file at all", new Uint8Array(), keys, "empty"],
      ["what is no Parquet", Buffer.from("q,a\n1,2\n"), keys, "no Parquet"],
      ["a file that is cut off", parquetOf(plain).subarray(0, -20), keys, "no Parquet"],
      ["a file whose middle is overwritten", parquetOf(plain).fill(0xff, 4, 60), keys, "row group 1"],
      ["a column that is not there", parquetOf(plain), { "input_keys[]": ["q", "z"] }, "no column z"],
      [
        "an own id twice",
        parquetOf([{ name: "q", data: ["x", "x"], type: "STRING" }]),
        { "input_keys[]": ["q"], example_id_key: "q" },
        "x",
      ],
      ["an object to spread that is none", parquetOf(plain), { ...keys, "flatten_keys[]": ["q"] }, "Row 1, column q"],
      [
        "a row group of many cells",
        parquetOf([{ name: "q", data: new Array(8_400_000).fill(true), type: "BOOLEAN" }], 9_000_000),
        { "input_keys[]": ["q"] },
        "at most",
      ],
    ] as const)("refused: %s", async (_what, content, fields, word) => {
      const { status, text } = await upload(new Uint8Array(content), PARQUET, fields);
      expect({ status, text, named: text.includes(word) }).toEqual({ status: 422, text, named: true });
      expect((await ask(`GET /v1/datasets?name=typed ${last}`)).data).toEqual([]);
    });

    test("what is exported comes back as the same dataset", async () => {
      const file = parquetOf([
        { name: "q", data: [{ x: "1", l: [1, "é"] }, { y: 9007199254740993n.toString() }], type: "JSON" },
        { name: "a", data: ["two\nlines", null], type: "STRING", nullable: true },
        { name: "id", data: ["r1", "r2"], type: "STRING" },
        { name: "split", data: ["train", ""], type: "STRING" },
      ]);
      const fields = { ...keys, example_id_key: "id", split_key: "split" };
      const { data } = await upload(file, PARQUET, fields);
      const response = await api.server.fetch(new Request(`http://localhost/v1/datasets/${data.dataset_id}/parquet`));
      expect(response.headers.get("content-type")).toBe(PARQUET);
      const exported = await response.arrayBuffer();
      const rows = await parquetReadObjects({ file: exported, compressors });
      expect(rows.map(({ id, input, splits }) => [id, input, splits])).toEqual([
        ["r1", { q: { x: "1", l: [1, "é"] } }, ["train"]],
        ["r2", { q: { y: "9007199254740993" } }, []],
      ]);
      const again = await upload(new Uint8Array(exported), PARQUET, {
        "input_keys[]": ["input"],
        "output_keys[]": ["output"],
        "flatten_keys[]": ["input", "output"],
        example_id_key: "id",
        split_key: "splits",
      });
      expect(await contents(again)).toEqual(await contents({ ...again, data }));
      expect((await examples(again.data.dataset_id, "?split=train")).map(({ id }) => id)).toEqual(["r1"]);
    });

    test("a dataset without examples is exported as a file without rows", async () => {
      const { data } = await datasetsOf(() => api).upload({ name: "none", inputs: [] });
      const response = await api.server.fetch(new Request(`http://localhost/v1/datasets/${data.dataset_id}/parquet`));
      expect(await parquetReadObjects({ file: await response.arrayBuffer(), compressors })).toEqual([]);
    });
  });

  describe("Arrow", () => {
    test.each([
      ["file", ARROW],
      ["stream", STREAM],
    ] as const)("a %s: values are what JSON has for them", async (form, type) => {
      const content = arrowOf(
        {
          q: ["one", "two"],
          a: [{ deep: [1, 2] }, { deep: [] }],
          n: [9007199254740993n, 7n],
          at: [new Date("2026-03-01T10:00:00Z"), null],
        },
        form,
      );
      const answer = await upload(content, type, { ...keys, "metadata_keys[]": ["n", "at"] });
      expect(await contents(answer)).toEqual([
        [{ q: "one" }, { a: { deep: [1, 2] } }, { n: 9007199254740992, at: "2026-03-01T10:00:00.000Z" }],
        [{ q: "two" }, { a: { deep: [] } }, { n: 7, at: null }],
      ]);
    });

    test.each([
      ["what is no Arrow", Buffer.from("q,a\n1,2\n34567890"), keys, "wrong at byte 0"],
      ["a stream that is cut off", arrowOf({ q: ["x"], a: ["y"] }, "stream").subarray(0, -60), keys, "cut off"],
      ["a column that is not there", arrowOf({ q: ["x"] }, "file"), keys, "no column a"],
      ["bytes", bytesColumn, { "input_keys[]": ["q"] }, "column q"],
    ] as const)("refused: %s", async (_what, content, fields, word) => {
      const { status, text } = await upload(new Uint8Array(content), ARROW, fields);
      expect({ status, text, named: text.includes(word) }).toEqual({ status: 422, text, named: true });
      expect((await ask(`GET /v1/datasets?name=typed ${last}`)).data).toEqual([]);
    });
  });
});
