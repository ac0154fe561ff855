// What groups of failures cost: examining failed spans, the list of groups, one group, and the filter. In one process, on a database of its
// own. Usage: tests/bench/README.md
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drawFrom } from "../../src/demo-data/draw.ts";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { failuresFeature } from "../../src/modules/tracing/failures/failures.feature.ts";
import { openTestApi } from "../support/api.ts";
import { askData } from "../support/graphql.ts";
import { createPostgresDatabase } from "../support/postgres.ts";
import { incomingSpan } from "../support/spans.ts";
import { readArguments } from "./arguments.ts";
import { endProgress, machine, median, milliseconds, progress, short, table } from "./figures.ts";

const options = readArguments({
  driver: { default: "sqlite", choices: ["sqlite", "postgres"], meaning: "database" },
  spans: { default: 1_000_000, meaning: "spans in the database" },
  failed: { default: 50_000, meaning: "of them with an error" },
  groups: { default: 300, meaning: "causes of the errors" },
  runs: { default: 7, meaning: "answers of each question" },
});
const BATCH = 5000;
const SPANS_A_TRACE = 10;
const WEEK_US = 7 * 24 * 3_600_000_000;

const folder = await mkdtemp(join(tmpdir(), "spanlight-bench-failures-"));
const database =
  options.driver === "sqlite"
    ? { url: `sqlite:///${join(folder, "spanlight.db")}`, drop: async () => {} }
    : await createPostgresDatabase();
const api = await openTestApi(database.url);
const draw = drawFrom(7);
const endUs = Date.now() * 1000;
const every = Math.round(options.spans / options.failed);

function spanOf(at: number): IncomingSpan {
  const startUs = Math.floor(endUs - WEEK_US + (at / options.spans) * WEEK_US);
  const shared = {
    projectName: "failing",
    traceKey: `trace ${Math.floor(at / SPANS_A_TRACE)}`,
    spanKey: `span ${at}`,
    startUs,
  };
  const user = { userKey: `user ${Math.floor(draw.between(0, 2000))}`, endUs: startUs + 1000 };
  if (at % every !== 0) return incomingSpan({ ...shared, ...user });
  const cause = Math.floor(draw.between(0, options.groups));
  const letters = [...String(cause)].map((digit) => "abcdefghij"[Number(digit)]).join("");
  const message = `order ${at} failed in ${letters}`;
  const attributes = { "exception.type": "ValueError", "exception.message": message };
  return incomingSpan({
    ...{ ...shared, ...user, status: "ERROR", statusMessage: message },
    events: JSON.stringify([{ name: "exception", timestamp: 1, attributes }]),
    extra: JSON.stringify({
      resource: { attributes: { "service.version": `2.${Math.floor((at / options.spans) * 9)}` } },
    }),
  });
}

let stored = 0;
for (let first = 0; first < options.spans; first += BATCH) {
  const spans = Array.from({ length: Math.min(BATCH, options.spans - first) }, (_, at) => spanOf(first + at));
  const began = performance.now();
  await ingestBatch(api.stored.ingest, spans);
  stored += performance.now() - began;
  progress(`stored ${short(first + spans.length)}`);
}
const { settlement } = api.features.use(failuresFeature);
const settledIn = await timed(() => settlement.settle(api.context()));
const { project } = await askData<{
  project: { id: string; groups: { edges: { node: { id: string; key: string } }[] } };
}>(
  api,
  `{ project: getProjectByName(name: "failing") { id groups: failureGroups(first: 1, sort: SPAN_COUNT) { edges { node { id key } } } } }`,
);
const group = project.groups.edges[0]!.node;
const inProject = (fields: string) => `{ node(id: "${project.id}") { ... on Project { ${fields} } } }`;
const inGroup = (fields: string) => `{ node(id: "${group.id}") { ... on FailureGroup { ${fields} } } }`;
const figures = "edges { node { key message state isNew spanCount traceCount sessionCount userCount lastSeenAt } }";
const questions: readonly (readonly [string, string])[] = [
  ["list of 100 groups", inProject(`failureGroups(first: 100) { ${figures} } failureGroupCounts { open new }`)],
  [
    "with trends of a week by hour",
    inProject("failureGroups(first: 100) { edges { node { key trend { timestamp spanCount } } } }"),
  ],
  ["one group with versions", inGroup("key versions { version spanCount } exampleSpan { name }")],
  ["100 spans of a group", inGroup("spans(first: 100) { edges { node { name } } }")],
  [
    "spans with the filter",
    inProject(`spans(first: 50, filterCondition: "error_group == '${group.key}'") { edges { node { name } } }`),
  ],
];
const rows: string[][] = [];
for (const [name, query] of questions) {
  const times: number[] = [];
  for (let run = 0; run < options.runs; run++) times.push(await timed(() => askData(api, query)));
  rows.push([name, milliseconds(median(times)), milliseconds(Math.max(...times))]);
}
await api.close();
await database.drop();
await rm(folder, { recursive: true, force: true });
endProgress("done");

console.log(`\n${await machine()}`);
console.log(
  `${options.driver}, ${short(options.spans)} spans, ${short(options.failed)} with an error of ${options.groups} causes; stored in ${milliseconds(stored)}, errors examined in ${milliseconds(settledIn)}\n`,
);
console.log(table([["question", "median", "highest"], ...rows]));

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
