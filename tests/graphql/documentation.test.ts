// The examples of docs/graphql.md are asked, and answered as it says.

import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { MAX_VALUES } from "../../src/graphql/call.ts";
import { MAX_FIRST } from "../../src/graphql/connection.ts";
import { MAX_ALIASES, MAX_CHARACTERS, MAX_FIELDS, MAX_SELECTION_DEPTH } from "../../src/http/graphql/limits.ts";
import { MAX_ROWS } from "../../src/modules/tracing/spans/reading/span-reads.service.ts";
import { openTestApi } from "../support/api.ts";
import { DATASET_PROJECT, exportInto, sendDataset } from "../support/dataset.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { openForSuite } from "../support/suite.ts";

const guide = readFileSync(new URL("../../docs/graphql.md", import.meta.url), "utf8");
const examples = [
  ...guide.matchAll(/```graphql( refused)?\n([\s\S]*?)\n```\n\n```(?:json|text)\n([\s\S]*?)\n?```/g),
].map(([, refused, query = "", answer = ""]) => ({ isRefused: refused !== undefined, query, answer }));

forEachDriver("the guide to GraphQL", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    await sendDataset(exportInto(api));
  });

  describe("examples", () => {
    test.each(examples.filter(({ isRefused }) => !isRefused))("$query", async ({ query, answer }) => {
      expect(await askData<unknown>(api, query, { project: DATASET_PROJECT })).toEqual(JSON.parse(answer));
    });

    test.each(examples.filter(({ isRefused }) => isRefused))("refused: $query", async ({ query, answer }) => {
      expect(await askRefusal(api, query)).toBe(answer.trim());
    });
  });
});

test("the guide has examples, and names the limits as they are", () => {
  expect(examples.length).toBeGreaterThan(6);
  expect(guide.match(/```graphql/g)?.length).toBe(examples.length);
  const limits = guide.slice(guide.indexOf("## Limits"));
  for (const limit of [MAX_CHARACTERS, MAX_SELECTION_DEPTH, MAX_ALIASES, MAX_FIELDS, MAX_VALUES, MAX_ROWS]) {
    expect(limits).toContain(`| ${limit.toLocaleString("en")} |`);
  }
  expect(guide).toContain(`1 to ${MAX_FIRST}`);
});
