// Many targets annotated at once, batch by batch, and taken back by their identifier, on both databases.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { formatInstant } from "../../src/kernel/time.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const TRACES = 7;
const MINUTE_US = 60_000_000;

interface Batch {
  readonly annotatedCount: number;
  readonly next: string | null;
}

forEachDriver("annotating many", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  let project: string;
  beforeAll(async () => {
    await ingestBatch(
      api.stored.ingest,
      Array.from({ length: TRACES }, (_, number) => span(number, "bulk")),
    );
    await ingestBatch(api.stored.ingest, [span(0, "other")]);
    project = (await askData<{ found: { id: string } }>(api, `{ found: getProjectByName(name: "bulk") { id } }`)).found
      .id;
  });

  function span(number: number, projectName: string) {
    const startUs = START_US + number * MINUTE_US;
    return incomingSpan({
      ...{ projectName, startUs, endUs: startUs + 1000, name: number % 2 === 0 ? "even" : "odd" },
      ...{
        spanKey: `${projectName}${number}`,
        traceKey: `${projectName}t${number}`,
        sessionKey: `${projectName}c${number}`,
      },
    });
  }
  const verdict = (identifier: string, rest = 'label: "yes", score: 1') =>
    `name: "helpful", identifier: "${identifier}", ${rest}`;
  const matching = async (given: string) =>
    (
      await askData<{ done: Batch }>(
        api,
        `mutation { done: annotateMatching(input: {projectId: "${project}", ${given}}) { annotatedCount next } }`,
      )
    ).done;
  const listed = async (target: string, identifier: string, name = "bulk") => {
    const path = `/v1/projects/${name}/${target}_annotations?identifier=${identifier}&limit=100`;
    const { data } = (await (await send(api.server, `GET ${path}`)).json()) as { data: Record<string, unknown>[] };
    return data.map((one) => one[`${target}_id`]).sort();
  };
  const refused = (mutation: string) => askRefusal(api, `mutation { ${mutation} { annotatedCount } }`);

  test("goes through all that match, one batch after the other", async () => {
    const counts: number[] = [];
    let after = "";
    for (;;) {
      const { annotatedCount, next } = await matching(
        `target: SPAN, condition: "name == 'even'", first: 2${after}, ${verdict("walk")}`,
      );
      counts.push(annotatedCount);
      if (next === null) break;
      after = `, after: "${next}"`;
      // What comes meanwhile is left out.
      await ingestBatch(api.stored.ingest, [span(100 + counts.length * 2, "bulk")]);
    }
    expect(counts).toEqual([2, 2, 0]);
    expect(await listed("span", "walk")).toEqual(["bulk0", "bulk2", "bulk4", "bulk6"]);
    expect(await listed("span", "walk", "other")).toEqual([]);
  });

  test("a batch that is asked for again writes nothing twice", async () => {
    const given = `target: SPAN, condition: "name == 'odd'", first: 2, ${verdict("again")}`;
    const first = await matching(given);
    expect(await matching(given)).toEqual(first);
    expect(await listed("span", "again")).toEqual(["bulk1", "bulk3"]);
  });

  test("a condition that the annotation itself makes false still reaches every target", async () => {
    const given = `target: TRACE, condition: "trace_annotations['fresh'].explanation is None", timeRange: {end: "${formatInstant(START_US + 5 * MINUTE_US)}"}`;
    const said = 'name: "fresh", identifier: "self", explanation: "seen"';
    let { annotatedCount, next } = await matching(`${given}, first: 2, ${said}`);
    while (next !== null) {
      const batch: Batch = await matching(`${given}, first: 2, after: "${next}", ${said}`);
      annotatedCount += batch.annotatedCount;
      next = batch.next;
    }
    expect(annotatedCount).toBe(5);
    expect(await listed("trace", "self")).toEqual(["bulkt0", "bulkt1", "bulkt2", "bulkt3", "bulkt4"]);
  });

  test.each([
    ["SPAN", "span", "name == 'odd'", "bulk1"],
    ["TRACE", "trace", "num_spans == 1", "bulkt1"],
    ["SESSION", "session", "num_traces == 1", "bulkc1"],
  ] as const)(
    "annotates every %s in a range, and takes it back by the identifier",
    async (target, word, condition, key) => {
      const [start, end] = [START_US + MINUTE_US - 1, START_US + 2 * MINUTE_US - 1].map(formatInstant);
      const range = `timeRange: {start: "${start}", end: "${end}"}`;
      const identifier = `range-${word}`;
      expect(await matching(`target: ${target}, condition: "${condition}", ${range}, ${verdict(identifier)}`)).toEqual({
        ...{ annotatedCount: 1, next: null },
      });
      expect(await listed(word, identifier)).toEqual([key]);
      const undo = `DELETE /v1/projects/bulk/${word}_annotations?identifier=${identifier}&delete_all=true`;
      expect((await send(api.server, undo)).status).toBe(204);
      expect(await listed(word, identifier)).toEqual([]);
    },
  );

  test("annotates targets by their ids, and passes over those that are gone", async () => {
    const { spans } = (
      await askData<{ p: { spans: { edges: { node: { id: string } }[] } } }>(
        api,
        `{ p: getProjectByName(name: "bulk") { spans(first: 3) { edges { node { id } } } } }`,
      )
    ).p;
    const ids = JSON.stringify([...spans.edges.map(({ node }) => node.id), btoa("Span:999999")]);
    const { done } = await askData<{ done: Batch }>(
      api,
      `mutation { done: annotateSelected(input: {target: SPAN, ids: ${ids}, ${verdict("chosen", "score: 0.5")}}) { annotatedCount next } }`,
    );
    expect(done).toEqual({ annotatedCount: 3, next: null });
    expect(await listed("span", "chosen")).toHaveLength(3);
  });

  test("refuses what it cannot do, and says which member", async () => {
    const given = (target: string, rest: string) =>
      `annotateMatching(input: {projectId: "${project}", target: ${target}, ${rest}})`;
    const cases: [string, string][] = [
      [given("SPAN", verdict("")), "BAD_REQUEST identifier: must not be empty"],
      [given("SPAN", `name: " ", identifier: "x", score: 1`), "BAD_REQUEST name: must not be empty"],
      [given("SPAN", `name: "q", identifier: "x"`), "BAD_REQUEST label: give a label, a score or an explanation"],
      [
        given("SPAN", `name: "q", identifier: "x", score: 1e999`),
        "BAD_REQUEST Float cannot represent a number beyond the range of a double: 1e999",
      ],
      [given("SPAN", `first: 1001, ${verdict("x")}`), "BAD_REQUEST first: must be from 1 to 1000"],
    ];
    for (const [mutation, message] of cases) expect(await refused(mutation)).toBe(message);
    expect(await refused(given("TRACE", `name: "note", identifier: "x", score: 1`))).toContain("BAD_REQUEST");
    expect(await refused(given("TRACE", `condition: "nope ==", ${verdict("x")}`))).toContain("BAD_REQUEST");
    expect(await refused(given("TRACE", `after: "bm8=", ${verdict("x")}`))).toContain("BAD_REQUEST");
    expect(await refused(`annotateSelected(input: {target: TRACE, ids: [], ${verdict("x")}})`)).toContain(
      "BAD_REQUEST",
    );
    const wrong = `annotateSelected(input: {target: TRACE, ids: ["${btoa("Span:1")}"], ${verdict("x")}})`;
    expect(await refused(wrong)).toContain("BAD_REQUEST");
    const gone = `annotateMatching(input: {projectId: "${btoa("Project:999")}", target: SPAN, ${verdict("x")}})`;
    expect(await refused(gone)).toContain("NOT_FOUND");
    expect(await listed("span", "x")).toEqual([]);
  });
});
