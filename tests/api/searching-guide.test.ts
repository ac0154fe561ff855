// The examples of docs/searching.md are run.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { containsFolded, foldCase } from "../../src/kernel/fold-case.ts";
import { parseJson } from "../../src/kernel/json.ts";
import { readValue } from "../../src/kernel/validation.ts";
import { Violations } from "../../src/kernel/violations.ts";
import { SpanSearchAnswer } from "../../src/modules/tracing/spans/search/search.schema.ts";
import { MAX_TEXT_BYTES } from "../../src/modules/tracing/spans/search/search.service.ts";
import { MOST_WAITING } from "../../src/storage/stopped-read.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { createSqliteDatabase } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { storeSpoken } from "../support/search-data.ts";

const guide = readFileSync(new URL("../../docs/searching.md", import.meta.url), "utf8");
const blocks = (language: string) => [...guide.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``, "g"))];

describe("the guide to searching", () => {
  let database: Awaited<ReturnType<typeof createSqliteDatabase>>;
  let api: TestApi;
  beforeAll(async () => {
    database = await createSqliteDatabase();
    api = await openTestApi(database.url);
    await storeSpoken(api, "example-support-agent", [
      { name: "question", minute: 1, input: "Where is my PARCEL?" },
      { name: "look up", minute: 2, statusMessage: "Timeout of the warehouse" },
    ]);
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const rows = [...guide.matchAll(/^\| `(.+?)` \| (.+?) \| /gm)].map(([, text, found]) => [text!, found!] as const);
  test.each(rows)("%s finds %s", (text, row) => {
    const [found, missed = ""] = row.split("; not ");
    for (const word of found!.split(", ")) expect(containsFolded(word, foldCase(text))).toBe(true);
    if (missed !== "") expect(containsFolded(missed, foldCase(text))).toBe(false);
  });

  const requests = blocks("sh").flatMap(([, block]) => block!.replaceAll("\\\n", "").split("\n"));
  test.each(requests)("%s is answered", async (line) => {
    const url = new URL(/http:\S+/.exec(line)![0]);
    for (const [, single, double] of line.matchAll(/--data-urlencode (?:'(.*?)'|"(.*?)")(?= |$)/g)) {
      const [name, ...value] = (single ?? double)!.split("=");
      url.searchParams.set(name!, value.join("="));
    }
    const response = await send(api.server, `GET ${url.pathname}${url.search}`);
    expect([response.status, (await response.json()).progress.complete]).toEqual([200, true]);
  });

  test("the answer it shows is one", () => {
    const violations = new Violations();
    readValue(SpanSearchAnswer, parseJson(blocks("json")[0]![1]!), [], violations);
    expect(violations.list()).toEqual([]);
  });

  test("the query of GraphQL is answered", async () => {
    const answer = JSON.stringify(await askData(api, blocks("graphql")[0]![1]!));
    expect(answer).toContain('"edges":[{"foundIn":"ERROR","node":{"traceId":');
  });

  test("the bounds are those of the code", () => {
    expect(guide).toContain(`A text has 1 to ${MAX_TEXT_BYTES.toLocaleString("en")} bytes.`);
    expect(guide).toContain(`Up to ${MOST_WAITING} queries wait`);
  });
});
