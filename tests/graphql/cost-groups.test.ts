// What calls cost by model, by user and by kind of token, against numbers worked out by hand.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { openTestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { GIVEN, INPUT, OUTPUT, testPrices } from "../support/prices.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const HOUR_US = 3_600_000_000;
const USD = 1e12;
const CALL = { kind: "LLM", model: "known", promptTokens: 10, completionTokens: 4 } as const;
const KNOWN = (10 * INPUT + 4 * OUTPUT) / USD;

interface Groups {
  readonly timestamps: readonly string[];
  readonly groups: readonly {
    readonly value: string | null;
    readonly tokens: number | null;
    readonly cost: number | null;
    readonly unknownCount: number;
    readonly costs: readonly (number | null)[];
  }[];
  readonly all: readonly (number | null)[];
}

forEachDriver("GraphQL cost groups", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    // Ada asks at the root of her trace, Bob at his call; the third trace names nobody. One call was recorded twice.
    const later = { startUs: START_US + HOUR_US, endUs: START_US + HOUR_US + 1 };
    const project = { projectName: "groups" };
    await ingestBatch(
      api.stored.ingest,
      [
        incomingSpan({ ...project, traceKey: "ada", spanKey: "agent", kind: "AGENT", userKey: "ada" }),
        incomingSpan({ ...project, ...CALL, traceKey: "ada", spanKey: "outer", parentKey: "agent" }),
        incomingSpan({ ...project, ...CALL, traceKey: "ada", spanKey: "inner", parentKey: "outer" }),
        incomingSpan({
          ...project,
          ...CALL,
          traceKey: "ada",
          spanKey: "next",
          parentKey: "agent",
          promptTokens: 20,
          ...later,
        }),
        incomingSpan({ ...project, ...CALL, traceKey: "bob", spanKey: "given", model: "given", userKey: "bob" }),
        incomingSpan({ ...project, ...CALL, traceKey: "nobody", spanKey: "strange", model: "strange" }),
        incomingSpan({ ...CALL, projectName: "other", traceKey: "other", spanKey: "other" }),
      ],
      testPrices,
    );
  });

  const instant = (hours: number) => new Date((START_US + hours * HOUR_US) / 1000).toISOString();
  const groupsBy = async (by: string, more = "") => {
    const field = `costGroups(by: ${by}, timeRange: {start: "${instant(0)}", end: "${instant(2)}"} ${more}) {
      timestamps groups { value tokens cost unknownCount costs } all }`;
    const { project } = await askData<{ project: { costGroups: Groups } }>(
      api,
      `{ project: getProjectByName(name: "groups") { ${field} } }`,
    );
    return project.costGroups;
  };
  const NEXT = (20 * INPUT + 4 * OUTPUT) / USD;
  const ALL = [(10 * INPUT + 4 * OUTPUT + GIVEN) / USD, NEXT];

  test("by model: dearest first, those that nobody knows last and without an amount", async () => {
    const { timestamps, groups, all } = await groupsBy("MODEL");
    expect(timestamps.map((each) => Date.parse(each) * 1000)).toEqual([START_US, START_US + HOUR_US]);
    expect(groups).toEqual([
      {
        ...{ value: "known", tokens: 38, unknownCount: 0, costs: [KNOWN, NEXT] },
        cost: (30 * INPUT + 8 * OUTPUT) / USD,
      },
      { value: "given", tokens: 14, cost: GIVEN / USD, unknownCount: 0, costs: [GIVEN / USD, null] },
      { value: "strange", tokens: 14, cost: null, unknownCount: 1, costs: [null, null] },
    ]);
    expect(all).toEqual(ALL);
  });

  test("by user: who is named at the call, or else anywhere in its trace", async () => {
    const { groups } = await groupsBy("USER");
    expect(groups.map(({ value, costs }) => ({ value, costs }))).toEqual([
      { value: "ada", costs: [KNOWN, NEXT] },
      { value: "bob", costs: [GIVEN / USD, null] },
      { value: null, costs: [null, null] },
    ]);
  });

  test("by kind of token; what came without kinds is in the sum of all only", async () => {
    const { groups, all } = await groupsBy("KIND");
    expect(groups.map(({ value, costs }) => ({ value, costs }))).toEqual([
      { value: "out output", costs: [(4 * OUTPUT) / USD, (4 * OUTPUT) / USD] },
      { value: "in input", costs: [(10 * INPUT) / USD, (20 * INPUT) / USD] },
    ]);
    expect(all).toEqual(ALL);
  });

  test("as many as are asked for; the sum holds the others, too", async () => {
    const { groups, all } = await groupsBy("MODEL", "first: 1");
    expect(groups.map(({ value }) => value)).toEqual(["known"]);
    expect(all).toEqual(ALL);
    for (const first of [0, 101]) {
      const message = await askRefusal(
        api,
        `{ getProjectByName(name: "groups") {
          costGroups(by: USER, timeRange: {start: "${instant(0)}"}, first: ${first}) { all } } }`,
      );
      expect(message).toContain("first");
    }
  });

  test("nothing where nothing was called", async () => {
    const field = `costGroups(by: MODEL, timeRange: {start: "${instant(5)}", end: "${instant(6)}"}) { groups { value } all }`;
    expect(await askData<unknown>(api, `{ project: getProjectByName(name: "groups") { ${field} } }`)).toEqual({
      project: { costGroups: { groups: [], all: [null] } },
    });
  });
});
