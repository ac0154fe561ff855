// Files of examples as uploads: CSV, packed CSV and lines of JSON, how their columns become examples, and every way in which a
// file can be wrong, on both databases.

import { describe, expect, test } from "bun:test";
import { deflateSync, gzipSync } from "node:zlib";
import { sql } from "kysely";
import { openTestApi } from "../../support/api.ts";
import { BOUNDARY, datasetsOf, formOf, sendForm } from "../../support/datasets.ts";
import { forEachDriver } from "../../support/drivers.ts";
import { openForSuite } from "../../support/suite.ts";

type Fields = Readonly<Record<string, string | readonly string[]>>;

forEachDriver("files of examples", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const { ask, uploadFile, examples } = datasetsOf(() => api);
  let last = 0;
  const freshName = () => `file ${++last}`;

  const csv = (content: string | Uint8Array, fields: Fields, more: { encoding?: string; name?: string } = {}) =>
    uploadFile({ name: freshName(), ...fields }, { content, type: "text/csv", ...more });
  const jsonl = (content: string, fields: Fields) =>
    uploadFile({ name: freshName(), ...fields }, { content, type: "application/jsonl", name: "a.jsonl" });
  const storedOf = async (answer: { status: number; text: string; data: { dataset_id: string } }) => {
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: answer.text });
    return examples(answer.data.dataset_id);
  };
  const contents = async (answer: Parameters<typeof storedOf>[0]) =>
    (await storedOf(answer)).map(({ input, output, metadata }) => [input, output, metadata]);
  const leftOver = async () => {
    const database = api.stored.storage.handle.read(api.context(), "short");
    const counted = await Promise.all(
      ["dataset_uploads", "dataset_upload_rows", "dataset_upload_splits"].map((table) =>
        sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(database),
      ),
    );
    const loose = await sql<{ n: number }>`select count(*) as n from dataset_contents
      where id not in (select content_id from dataset_revisions where content_id is not null)`.execute(database);
    return [...counted, loose].map(({ rows }) => Number(rows[0]!.n));
  };
  const datasetCount = async () => (await ask("GET /v1/datasets?limit=1000")).data.length as number;
  const keys = { "input_keys[]": ["q"], "output_keys[]": ["a"] };

  describe("CSV", () => {
    test("columns become texts, quotes and line breaks stay, blank cells and lines are left out", async () => {
      const text = 'q,a,extra\n"say ""hi"", now","two\nlines",1\n\n only ,,\nlast,"x"\n';
      expect(await contents(await csv(text, { ...keys, "metadata_keys[]": ["extra"] }))).toEqual([
        [{ q: 'say "hi", now' }, { a: "two\nlines" }, { extra: "1" }],
        [{ q: " only " }, {}, {}],
        [{ q: "last" }, { a: "x" }, {}],
      ]);
    });

    test("rows that are too short or too long are taken as far as they go", async () => {
      expect(await contents(await csv("q,a\none\ntwo,2,surplus\n", keys))).toEqual([
        [{ q: "one" }, {}, {}],
        [{ q: "two" }, { a: "2" }, {}],
      ]);
    });

    test("lines may end as on Windows, the last without any, behind a byte order mark", async () => {
      const text = '\uFEFFq,a\r\n1,"2"\r\n3,4';
      expect(await contents(await csv(text, keys))).toEqual([
        [{ q: "1" }, { a: "2" }, {}],
        [{ q: "3" }, { a: "4" }, {}],
      ]);
    });

    test.each([
      ["gzip", gzipSync],
      ["deflate", deflateSync],
    ] as const)("a file may be packed with %s, and names the dataset's description", async (encoding, pack) => {
      const answer = await csv(pack("q,a\n1,2\n"), keys, { encoding, name: "packed.csv" });
      expect(await contents(answer)).toEqual([[{ q: "1" }, { a: "2" }, {}]]);
      expect((await ask(`GET /v1/datasets/${answer.data.dataset_id}`)).data.description).toBe("packed.csv");
    });

    test("names with dots become objects, and what looks like JSON becomes it", async () => {
      const text = 'input.q.deep,output.a,metadata.m\nx,"[1, {""b"": 2}]",{no\n';
      const fields = {
        "input_keys[]": ["input.q.deep"],
        "output_keys[]": ["output.a"],
        "metadata_keys[]": ["metadata.m"],
      };
      expect(await contents(await csv(text, fields))).toEqual([
        [{ q: { deep: "x" } }, { a: [1, { b: 2 }] }, { m: "{no" }],
      ]);
    });

    test("columns of objects are spread, empty members left out", async () => {
      const text = 'o,p\n"{""x"": 1, ""y"": """"}",1\n"{""z"": null}",2\n';
      const fields = { "input_keys[]": ["o", "p"], "flatten_keys[]": ["o"] };
      expect((await contents(await csv(text, fields))).map(([input]) => input)).toEqual([
        { x: 1, p: "1" },
        { z: null, p: "2" },
      ]);
    });

    test("columns of ids and splits", async () => {
      const text = 'q,id,where\n1,a,"[""train"", "" test ""]"\n2,nan,train\n3, ,\n';
      const fields = { "input_keys[]": ["q"], example_id_key: "id", split_key: "where" };
      const answer = await csv(text, fields);
      const found = await storedOf(answer);
      expect(found.map(({ id, node_id }) => (id === node_id ? null : id))).toEqual(["a", null, null]);
      const inSplit = await examples(answer.data.dataset_id, "?split=test");
      expect(inSplit.map(({ id }) => id)).toEqual(["a"]);
      expect((await examples(answer.data.dataset_id, "?split=train")).length).toBe(2);
    });

    test("a file may stand before its fields, and come in pieces of any size", async () => {
      const name = freshName();
      // A byte order mark is a character of its cell, wherever a piece begins.
      const whole = formOf({}, { content: "q,a\n\uFEFF1,2\n", type: "text/csv" }).toString();
      const field = (key: string, value: string) =>
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`;
      const body = whole.replace(
        `--${BOUNDARY}--\r\n`,
        `${field("name", name)}${field("input_keys[]", "q")}--${BOUNDARY}--\r\n`,
      );
      const bytes = Buffer.from(body);
      const pieces = new ReadableStream({
        start(controller) {
          for (let at = 0; at < bytes.byteLength; at += 7)
            controller.enqueue(new Uint8Array(bytes.subarray(at, at + 7)));
          controller.close();
        },
      });
      const response = await sendForm(api, pieces);
      expect(response.status).toBe(200);
      const { data } = (await response.json()) as { data: { dataset_id: string } };
      expect((await examples(data.dataset_id)).map(({ input }) => input)).toEqual([{ q: "\uFEFF1" }]);
    });
  });

  describe("lines of JSON", () => {
    test("values stay what they are, null too, and what is missing is left out", async () => {
      const text = '{"q": 1.0, "a": null, "id": 7, "s": ["x", "y"]}\r\n{"q": {"deep": [true]}}\n';
      const fields = { ...keys, example_id_key: "id", split_key: "s" };
      const answer = await jsonl(text, fields);
      expect(await contents(answer)).toEqual([
        [{ q: 1 }, { a: null }, {}],
        [{ q: { deep: [true] } }, {}, {}],
      ]);
      expect((await examples(answer.data.dataset_id, "?split=y")).map(({ id }) => id)).toEqual(["7"]);
    });

    test("a line separator of Unicode inside a text ends no line", async () => {
      expect(await contents(await jsonl('{"q": "a\u2028b"}', keys))).toEqual([[{ q: "a\u2028b" }, {}, {}]]);
    });
  });

  describe("what is refused by line and column, with nothing left of it", () => {
    const wrongCsv: readonly [string, string | Uint8Array, Fields, string][] = [
      ["an empty file", "", keys, "empty"],
      ["a column twice", "q,a,q\n1,2,3\n", keys, "column q"],
      ["a column that is not there", "q\n1\n", keys, "column a"],
      ["a quote that is never closed", 'q,a\n1,2\n3,"4\n5,6\n', keys, "Line 3"],
      ["a quote inside a quoted cell", 'q,a\n1,2\n"3"4,5\n', keys, "Line 3"],
      ["bytes that are no UTF-8", new Uint8Array([113, 44, 97, 10, 0xff, 44, 49, 10]), keys, "UTF-8"],
      ["UTF-16", new Uint8Array(Buffer.from("\uFEFFq,a\n1,2\n", "utf16le")), keys, "UTF-8"],
      ["Latin-1", new Uint8Array(Buffer.from("q,a\né,2\n", "latin1")), keys, "UTF-8"],
      ["a file that ends within a letter", new Uint8Array(Buffer.from("q,a\n1,é").subarray(0, -1)), keys, "UTF-8"],
      ["an own id twice", "q,a\nx,1\nx,2\n", { ...keys, example_id_key: "q" }, "x"],
      [
        "an object to spread that is none",
        "o,p\n{},1\n5,2\n",
        { "input_keys[]": ["o"], "flatten_keys[]": ["o"] },
        "Line 3, column o",
      ],
      [
        "a number beyond every double in an object to spread",
        'o,p\n"{""x"": 1e400}",1\n',
        { "input_keys[]": ["o"], "flatten_keys[]": ["o"] },
        "Line 2, column o: The number 1e400",
      ],
      [
        "a member that is a column, too",
        'o,x\n"{""x"": 1}",2\n',
        { "input_keys[]": ["o", "x"], "flatten_keys[]": ["o"] },
        "Line 2, column o",
      ],
      [
        "a path through a value",
        "input.a,input.a.b\n1,2\n",
        { "input_keys[]": ["input.a", "input.a.b"] },
        "Line 2, column input.a.b",
      ],
      ["two ways to name splits", "q,a\n", { ...keys, split_key: "a", "split_keys[]": ["a"] }, "split_key"],
      ["no name", "q,a\n", { ...keys, name: "" }, "name"],
      ["another action", "q,a\n", { ...keys, action: "replace" }, "Invalid dataset action"],
      ["the last of many rows", `q,a\n${"1,2\n".repeat(3000)}3,"4\n`, keys, "Line 3002"],
    ];
    test.each(wrongCsv)("%s", async (_what, content, fields, word) => {
      const before = await datasetCount();
      const { status, text } = await csv(content, fields);
      expect({ status, text, named: text.includes(word) }).toEqual({ status: 422, text, named: true });
      expect([await datasetCount(), await leftOver()]).toEqual([before, [0, 0, 0, 0]]);
    });

    const wrongLines: readonly [string, string, string][] = [
      ["a blank line", '{"q": 1}\n\n{"q": 2}\n', "Line 2"],
      ["what is no JSON", '{"q": 1}\n{"q": }\n', "Line 2"],
      ["what is no object", '{"q": 1}\n[1]\n', "Line 2"],
      ["a number beyond every double", '{"q": 1e308}\n{"q": [1e400]}\n', "Line 2: The number 1e400"],
    ];
    test.each(wrongLines)("lines with %s", async (_what, content, word) => {
      const { status, text } = await jsonl(content, keys);
      expect([status, text.includes(word)]).toEqual([422, true]);
      expect(await leftOver()).toEqual([0, 0, 0, 0]);
    });

    test("100 MB in one cell", async () => {
      const { status, text } = await csv(`q,a\n1,"${"x".repeat(100_000_000)}"\n`, keys);
      expect([status, text.includes("Line 2")]).toEqual([422, true]);
      expect(await leftOver()).toEqual([0, 0, 0, 0]);
    });

    test("an upload that is cut off half-way", async () => {
      const rows = `q,a\n${Array.from({ length: 5000 }, (_, at) => `${at},${"x".repeat(300)}\n`).join("")}`;
      const whole = formOf({ name: freshName(), ...keys }, { content: rows, type: "text/csv" });
      const half = new Uint8Array(whole.subarray(0, whole.byteLength / 2));
      const before = await datasetCount();
      expect((await sendForm(api, half)).status).toBe(422);
      const broken = new ReadableStream({
        start(controller) {
          controller.enqueue(half);
          controller.error(new Error("gone"));
        },
      });
      expect((await sendForm(api, broken)).status).toBe(400);
      expect([await datasetCount(), await leftOver()]).toEqual([before, [0, 0, 0, 0]]);
    });

    test("what is no file, another format, invalid packed bytes", async () => {
      const file = { content: "q,a\n1,2\n", type: "text/csv" };
      const status = async (fields: Fields, given: Parameters<typeof uploadFile>[1]) =>
        (await uploadFile({ name: freshName(), ...fields }, given)).status;
      expect(await status(keys, { ...file, type: "text/csv; charset=utf-8" })).toBe(422);
      expect(await status(keys, { ...file, type: "application/x-pandas-pyarrow" })).toBe(422);
      expect(await status(keys, { ...file, encoding: "br" })).toBe(422);
      expect(await status(keys, { ...file, encoding: "gzip" })).toBe(422);
      const cutOff = gzipSync("q,a\n1,2\n");
      expect(await status(keys, { ...file, content: cutOff.subarray(0, -8), encoding: "gzip" })).toBe(422);
      expect(await leftOver()).toEqual([0, 0, 0, 0]);
    });
  });

  test("an export comes back as the same dataset", async () => {
    const { data } = await jsonl(
      '{"q": {"x": "1", "l": [1, "é"]}, "a": "two\\nlines, \\"quoted\\""}\n{"q": {"y": "z"}}\n',
      {
        ...keys,
        "flatten_keys[]": ["q"],
      },
    );
    const text = await (
      await api.server.fetch(new Request(`http://localhost/v1/datasets/${data.dataset_id}/csv`))
    ).text();
    const [head] = text.split("\n");
    const columns = head!.split(",");
    const again = await csv(text, {
      "input_keys[]": columns.filter((name) => name.startsWith("input.")),
      "output_keys[]": columns.filter((name) => name.startsWith("output.")),
    });
    const said = async (id: string) => (await examples(id)).map(({ input, output }) => [input, output]);
    expect(await said(again.data.dataset_id)).toEqual(await said(data.dataset_id));
  });
});
