// Bounds of uploads: each is counted where it is read, refused with 413 by the name of its setting, and leaves nothing.

import { expect, test } from "bun:test";
import { deflateSync, gzipSync } from "node:zlib";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import { parquetWriteBuffer } from "hyparquet-writer";
import { openTestApi } from "../../support/api.ts";
import { datasetsOf } from "../../support/datasets.ts";
import { forEachDriver } from "../../support/drivers.ts";
import { openForSuite } from "../../support/suite.ts";

const SENT = 32 * 1024;
const UNPACKED = 256 * 1024;
const ROWS = 3000;
const COLUMNS = 20;
const MEMBERS = 50;

const CSV = "text/csv";
const LINES = "application/jsonl";
const PARQUET = "application/vnd.apache.parquet";
const ARROW = "application/vnd.apache.arrow.stream";

const keys = { "input_keys[]": ["q"] };
const names = (count: number) => Array.from({ length: count }, (_, at) => (at === 0 ? "q" : `c${at}`));
const parquetOf = (columns: Record<string, readonly unknown[]>) =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: Object.entries(columns).map(([name, data]) => ({ name, data: [...data], type: "STRING" as const })),
    }),
  );
const arrowOf = (columns: Record<string, readonly unknown[]>) =>
  tableToIPC(tableFromArrays<Record<string, readonly unknown[]>>(columns), "stream");
const wide = Object.fromEntries(names(COLUMNS + 1).map((name) => [name, ["x"]]));
const long = { q: new Array(ROWS + 1).fill("x") };
/** A dictionary has each text once: the file stays small. */
const repeated = { q: new Array(100).fill("x".repeat(4000)) };

forEachDriver("bounds of uploads", (driver) => {
  const api = openForSuite(async () =>
    openTestApi(await driver.createDatabase(), {
      variables: {
        SERVICE_MAX_UPLOAD_BYTES: String(SENT),
        SERVICE_MAX_UPLOAD_UNPACKED_BYTES: String(UNPACKED),
        SERVICE_MAX_UPLOAD_ROWS: String(ROWS),
        SERVICE_MAX_UPLOAD_COLUMNS: String(COLUMNS),
        SERVICE_MAX_UPLOAD_ROW_MEMBERS: String(MEMBERS),
      },
    }),
  );
  const { ask, upload, uploadFile } = datasetsOf(() => api);

  test.each([
    ["BYTES", CSV, undefined, `q\n${"x".repeat(SENT)}\n`],
    ["UNPACKED_BYTES", CSV, "gzip", gzipSync(`q\n${`${"x".repeat(1000)}\n`.repeat(300)}`)],
    ["UNPACKED_BYTES", CSV, "deflate", deflateSync(`q\n${"\n".repeat(UNPACKED)}`)],
    ["UNPACKED_BYTES", PARQUET, "gzip", gzipSync(Buffer.alloc(UNPACKED + 1))],
    ["UNPACKED_BYTES", PARQUET, undefined, parquetOf(repeated)],
    ["UNPACKED_BYTES", ARROW, "gzip", gzipSync(arrowOf({ q: new Array(100).fill("x".repeat(4000)) }))],
    ["ROWS", CSV, undefined, `q\n${"1\n".repeat(ROWS + 1)}`],
    ["ROWS", LINES, undefined, '{"q":1}\n'.repeat(ROWS + 1)],
    ["ROWS", PARQUET, undefined, parquetOf(long)],
    ["ROWS", ARROW, "gzip", gzipSync(arrowOf(long))],
    ["COLUMNS", CSV, undefined, `${names(COLUMNS + 1).join(",")}\n`],
    ["COLUMNS", CSV, undefined, `q\n${",".repeat(COLUMNS)}\n`],
    ["COLUMNS", PARQUET, "gzip", gzipSync(parquetOf(wide))],
    ["COLUMNS", ARROW, undefined, arrowOf(wide)],
    ["ROW_MEMBERS", LINES, undefined, `{"q":[${"1,".repeat(MEMBERS)}1]}\n`],
    ["ROW_MEMBERS", ARROW, undefined, arrowOf({ q: [new Array(MEMBERS + 1).fill(1)] })],
  ] as const)("%s of %s packed with %s", async (bound, type, encoding, content) => {
    const name = `${bound} of ${type}`;

    const answer = await uploadFile(
      { name, ...keys },
      { content, type, ...(encoding === undefined ? {} : { encoding }) },
    );
    expect({ status: answer.status, text: answer.text }).toEqual({
      status: 413,
      text: expect.stringContaining(`(SERVICE_MAX_UPLOAD_${bound})`),
    });
    expect((await ask("GET /v1/datasets")).data).toEqual([]);
  });

  test.each([
    ["ROWS", { inputs: new Array(ROWS + 1).fill({}) }],
    ["UNPACKED_BYTES", { inputs: new Array(200).fill({ q: "x".repeat(2000) }) }],
    ["ROW_MEMBERS", { inputs: [{ q: new Array(MEMBERS + 1).fill(0) }] }],
  ])("%s of a JSON document", async (bound, lists) => {
    const { status, text } = await upload({ name: "document", ...lists });
    expect({ status, text }).toEqual({
      status: 413,
      text: expect.stringContaining(`(SERVICE_MAX_UPLOAD_${bound})`),
    });
    expect((await ask("GET /v1/datasets")).data).toEqual([]);
  });

  test("what is just within is taken, and commas in texts are no values", async () => {
    const within = [
      [CSV, `q\n${"1\n".repeat(ROWS)}`],
      [CSV, `${names(COLUMNS).join(",")}\n${",".repeat(COLUMNS - 1)}1\n`],
      [LINES, `${JSON.stringify({ q: `,[{\\"${",".repeat(5000)}` })}\n`],
      [LINES, `${JSON.stringify({ q: new Array(MEMBERS - 2).fill(0) })}\n`],
    ] as const;
    for (const [at, [type, content]] of within.entries()) {
      const { status, text } = await uploadFile({ name: `within ${at}`, ...keys }, { content, type });
      expect({ status, text }).toEqual({ status: 200, text });
    }
    expect((await ask("GET /v1/datasets")).data).toHaveLength(within.length);
  });
});
