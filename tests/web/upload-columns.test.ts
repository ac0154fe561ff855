// What the columns of a file are taken for, how they are moved, and the form that tells the server.
import { expect, test } from "bun:test";
import { formOf, guessMapping, moveColumn, previewOf } from "../../src/web/pages/datasets/upload/columns.ts";
import { readFirstRows } from "../../src/web/pages/datasets/upload/first-rows.ts";

const csv = new File(['\uFEFFid,q,Answer,split,splits\n1,"a\nb",x,train,test\n'], "a.csv");
const jsonl = new File(['{"input":{"q":1},"output":{"a":2},"metadata":{},"node_id":"x"}\n'], "export.jsonl");

test("columns are guessed from their names; two cannot be the split, and something is input", async () => {
  expect([...guessMapping(await readFirstRows(csv))]).toEqual([
    ["id", "id"],
    ["q", "input"],
    ["Answer", "output"],
    ["split", "split"],
    ["splits", "metadata"],
  ]);
});

test("a column that becomes the id puts the other one out", async () => {
  const moved = moveColumn(guessMapping(await readFirstRows(csv)), "q", "id");
  expect([moved.get("q"), moved.get("id"), moved.get("Answer")]).toEqual(["id", "none", "output"]);
});

test("parts that stand in one column are spread, in the preview and for the server", async () => {
  const first = await readFirstRows(jsonl);
  const mapping = guessMapping(first);
  const { input, output, metadata } = previewOf(mapping, first, first.rows[0]!);
  expect({ input, output, metadata }).toEqual({ input: { q: 1 }, output: { a: 2 }, metadata: {} });
  const form = formOf(jsonl, first, mapping, { name: "back", action: "create" });
  expect([form.getAll("flatten_keys[]"), form.getAll("input_keys[]"), form.get("name")]).toEqual([
    ["input", "output", "metadata"],
    ["input"],
    "back",
  ]);
  expect([...form.keys()].at(-1)).toBe("file");
  expect((form.get("file") as File).type).toStartWith("application/jsonl");
});

test("a row that the look at the beginning cuts off is left out", async () => {
  const long = `q,a\n${"x".repeat(300_000)},1\n${"y".repeat(300_000)},2\n`;
  const { rows } = await readFirstRows(new File([long], "long.csv"));
  expect(rows.map(({ a }) => a)).toEqual(["1"]);
});
