// The bodies in docs/data-frames.md give the frames that stand below them.

import { beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { openTestApi, send } from "../support/api.ts";
import { DATASET_PROJECT, exportInto, sendDataset } from "../support/dataset.ts";
import { forEachDriver } from "../support/drivers.ts";
import { openForSuite } from "../support/suite.ts";

const guide = readFileSync(new URL("../../docs/data-frames.md", import.meta.url), "utf8");
const examples = [...guide.matchAll(/```python\nquery = (.+)[\s\S]*?```json\n(.+)\n```\n\n((?:\|.*\n)+)/g)].map(
  ([, query = "", body = "", table = ""]) => ({ query, body, rows: rowsOf(table) }),
);

function rowsOf(table: string): string[][] {
  const lines = table
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith("|---"));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

interface Frame {
  readonly schema: { readonly fields: readonly { readonly name: string }[] };
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

forEachDriver("the guide to data frames", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    await sendDataset(exportInto(api));
  });

  test.each(examples)("$query", async ({ body, rows }) => {
    const headers = { accept: "application/json", "content-type": "application/json" };
    const response = await send(api.server, `POST /v1/spans?project_name=${DATASET_PROJECT}`, { body, headers });
    expect(response.status).toBe(200);
    const frame = JSON.parse((await response.text()).split("\r\n\r\n")[1]!.split("\r\n--")[0]!) as Frame;
    const columns = frame.schema.fields.map(({ name }) => name);
    const shown = (value: unknown) => (typeof value === "string" ? value.replaceAll("\n", "↵") : String(value ?? ""));
    const found = frame.data.map((row) => columns.map((name) => shown(row[name])));
    expect([columns.map((name) => name.replace(/^\d+_/, "")), ...found.sort()]).toEqual([
      rows[0]!,
      ...rows.slice(1).toSorted(),
    ]);
  });

  test("has its examples", () => {
    expect(examples.length).toBe(3);
    expect(guide).toContain(`project_name=${DATASET_PROJECT}`);
  });
});
