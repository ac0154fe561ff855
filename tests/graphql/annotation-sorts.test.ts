// Lists of spans and sessions in the order of an annotation's score or label, page by page, against the same worked out here, on both
// databases.

import { beforeAll, describe, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { labelHead } from "../../src/model/annotation.ts";
import { openTestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { type AnnotationRow, storeAnnotations } from "../support/filter-data.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const COUNT = 30;
const keys = Array.from({ length: COUNT }, (_, number) => number);
const LONG = "long ".repeat(30);
const labels = ["bad", "Good", "good", `${LONG}b`, `${LONG}a`, "", "Ünï 😀\nnext"];

/** Two of one name on every fourth, none on every fifth, ties in every value, some without a value. */
const rows: readonly AnnotationRow[] = keys.flatMap((number) =>
  (["span", "session"] as const).flatMap((owner) => {
    const count = number % 5 === 0 ? 0 : number % 4 === 0 ? 2 : 1;
    return Array.from({ length: count }, (_, nth) => ({
      owner,
      key: `${owner}-${number}`,
      name: "it's :quality",
      label: number % 7 === 3 ? null : labels[(number + nth * 3) % labels.length]!,
      score: number % 6 === 1 ? null : ((number * 7 + nth * 5) % 11) / 10 - 0.3,
      explanation: null,
      identifier: `rev-${nth}`,
      annotatorKind: "HUMAN" as const,
    }));
  }),
);

type Owner = "span" | "session";
type Attr = "score" | "label";

/** Keys in the order; of several values of one row the first in the order counts. */
function expected(owner: Owner, attr: Attr, dir: "asc" | "desc", listed: (number: number) => boolean): string[] {
  const factor = dir === "asc" ? 1 : -1;
  const compare = (one: number | string, other: number | string) =>
    typeof one === "number"
      ? one - Number(other)
      : Buffer.compare(Buffer.from(labelHead(one)), Buffer.from(labelHead(String(other))));
  const best = keys.filter(listed).flatMap((number) => {
    const values = rows
      .filter((row) => row.owner === owner && row.key === `${owner}-${number}`)
      .map((row) => row[attr])
      .filter((value) => value !== null)
      .sort((one, other) => factor * compare(one, other));
    return values.length === 0 ? [] : [{ number, value: values[0]! }];
  });
  return best
    .sort((one, other) => factor * (compare(one.value, other.value) || one.number - other.number))
    .map(({ number }) => `${owner}-${number}`);
}

interface Page {
  readonly project: {
    readonly list: {
      readonly edges: readonly { readonly node: { readonly key: string } }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
}

const lists = {
  span: { field: "spans", key: "spanId", sort: "evalResultKey", filter: "filterCondition" },
  session: { field: "sessions", key: "sessionId", sort: "annoResultKey", filter: "sessionFilterCondition" },
} as const;

forEachDriver("GraphQL lists by annotation", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    for (const number of keys) {
      const span = incomingSpan({
        projectName: number % 10 === 9 ? "other" : "listed",
        traceKey: `trace-${number}`,
        sessionKey: `session-${number}`,
        spanKey: `span-${number}`,
        parentKey: number % 3 === 0 ? "elsewhere" : null,
        startUs: START_US + number,
        endUs: START_US + number + 10,
      });
      await ingestBatch(api.stored.ingest, [span]);
    }
    await storeAnnotations(api.stored, rows);
  });

  function ask(owner: Owner, sort: string, rest = "", after: string | null = null, first = 4): Promise<Page> {
    const { field, key } = lists[owner];
    const query = `query ($first: Int!, $after: String) { project: getProjectByName(name: "listed") {
      list: ${field}(first: $first, after: $after, sort: { ${sort} } ${rest}) {
        edges { node { key: ${key} } } pageInfo { hasNextPage endCursor } } } }`;
    return askData<Page>(api, query, { first, after });
  }

  async function listAll(owner: Owner, sort: string, rest = ""): Promise<string[]> {
    const found: string[] = [];
    for (let after: string | null = null; ; ) {
      const { list }: Page["project"] = (await ask(owner, sort, rest, after)).project;
      found.push(...list.edges.map(({ node }) => node.key));
      if (!list.pageInfo.hasNextPage) return found;
      after = list.pageInfo.endCursor;
    }
  }

  const sortBy = (owner: Owner, attr: Attr, dir: string, name = "it's :quality") =>
    `${lists[owner].sort}: { name: "${name}", attr: ${attr} }, dir: ${dir}`;

  describe.each(["span", "session"] as const)("of %ss", (owner) => {
    test.each([
      ["score", "asc"],
      ["score", "desc"],
      ["label", "asc"],
      ["label", "desc"],
    ] as const)("by %s %s hold each row with a value once", async (attr, dir) => {
      const found = await listAll(owner, sortBy(owner, attr, dir));
      expect(found).toEqual(expected(owner, attr, dir, (number) => number % 10 !== 9));
      expect(found.length).toBeGreaterThan(15);
    });

    test("are narrowed by conditions and ranges", async () => {
      const at = (number: number) =>
        new Date(START_US / 1000).toISOString().replace(".000Z", `.${String(number).padStart(6, "0")}Z`);
      const range = `timeRange: { start: "${at(4)}", end: "${at(20)}" }`;
      const condition = `${lists[owner].filter}: "${owner}_id != '${owner}-8'"`;
      expect(await listAll(owner, sortBy(owner, "score", "desc"), `${condition}`)).toEqual(
        expected(owner, "score", "desc", (number) => number % 10 !== 9 && number !== 8),
      );
      if (owner === "span")
        expect(await listAll(owner, sortBy(owner, "score", "desc"), range)).toEqual(
          expected(owner, "score", "desc", (number) => number % 10 !== 9 && number >= 4 && number < 20),
        );
    });

    test("of a name that nobody used are empty", async () => {
      expect(await listAll(owner, sortBy(owner, "score", "desc", "nobody"))).toEqual([]);
    });

    test("are asked for by either a column or an annotation", async () => {
      const refusal = (sort: string) =>
        askRefusal(
          api,
          `{ getProjectByName(name: "listed") { ${lists[owner].field}(first: 1, sort: { ${sort} }) { edges { cursor } } } }`,
        );
      const both = await refusal(`col: startTime, ${sortBy(owner, "score", "asc")}`);
      expect(both).toContain("sort: name either a column or an annotation");
      expect(await refusal("dir: asc")).toContain("sort: name either");
    });

    test("take no cursor of another order", async () => {
      const { list } = (await ask(owner, sortBy(owner, "score", "asc"))).project;
      const query = (sort: string) =>
        `{ getProjectByName(name: "listed") { ${lists[owner].field}(first: 1, after: "${list.pageInfo.endCursor}", sort: { ${sort} }) { edges { cursor } } } }`;
      for (const sort of [
        sortBy(owner, "score", "desc"),
        sortBy(owner, "label", "asc"),
        sortBy(owner, "score", "asc", "x"),
      ])
        expect(await askRefusal(api, query(sort))).toContain("is not one of this list");
    });
  });
});
