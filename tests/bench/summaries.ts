// What block summaries are good for and what they cost: how fast they are built, how long questions take that they answer, and
// whether ingestion feels them. Usage: tests/bench/README.md

import { blockOf } from "../../src/model/summaries/blocks/block.ts";
import { createBlocksStore } from "../../src/summaries/blocks/blocks.store.ts";
import type { RunningService } from "../support/server.ts";
import { openTestStorage } from "../support/storage.ts";
import { readArguments, storedOptions } from "./arguments.ts";
import { milliseconds, percentile, progress, short, table } from "./figures.ts";
import { printHead, startOnStored } from "./measured.ts";
import { startSenders } from "./senders.ts";
import { PROJECT } from "./stored.ts";

const options = readArguments({
  stored: { default: 1_000_000, meaning: "spans of 2 to 8 KB in the database" },
  reads: { default: 20, meaning: "reads of each question, at most" },
  "seconds-a-question": { default: 3, meaning: "time for each question, at most" },
  seconds: { default: 10, meaning: "how long spans arrive, while blocks are built and afterwards" },
  ...storedOptions,
});

const { service, finish, databaseUrl } = await startOnStored({ ...options, size: "page", spans: options.stored });
const store = await openTestStorage(databaseUrl);
const blocks = createBlocksStore(store.storage);

const whileBuilding = await ingestRate();
const building = await waitUntilBuilt();
const afterwards = await ingestRate();
await waitUntilBuilt();
const rows = await askQuestions(service);
await store.close();
await finish();

await printHead(options, `${short(options.stored)} spans of 2 to 8 KB stored`);
console.log(
  `${table([
    ["block summaries", "figure"],
    ["blocks built a second, nothing else going on", building.toFixed(1)],
    ["spans summarised a second", short(building * 4096)],
    ["small spans stored a second while blocks are built", short(whileBuilding)],
    ["the same afterwards", short(afterwards)],
  ])}\n`,
);
console.log(table([["question", "p50", "p99", "reads"], ...rows]));
process.exit();

/** Spans acknowledged a second, by 32 senders without pause. */
async function ingestRate(): Promise<number> {
  progress("storing spans");
  const sending = startSenders({ service, senders: 32, spansPerRequest: 100, project: "arriving", rate: 0 });
  await Bun.sleep(2000);
  sending.reset();
  const began = performance.now();
  await Bun.sleep(options.seconds * 1000);
  const { acknowledgedSpans } = sending.counts();
  const seconds = (performance.now() - began) / 1000;
  await sending.stop();
  return acknowledgedSpans / seconds;
}

/** Blocks a second until all are built. */
async function waitUntilBuilt(): Promise<number> {
  const newest = await store.storage.handle
    .read(store.context(), "short")
    .selectFrom("spans")
    .select((eb) => eb.fn.max("id").as("id"))
    .executeTakeFirstOrThrow();
  const due = blockOf((newest.id ?? 0) + 1);
  const [began, first] = [performance.now(), await blocks.countBlocks(store.context())];
  for (let built = first; built < due; built = await blocks.countBlocks(store.context())) {
    progress(`building blocks: ${built} of ${due}`);
    await Bun.sleep(200);
  }
  return (due - first) / ((performance.now() - began) / 1000);
}

interface Question {
  readonly name: string;
  ask(url: string): Promise<Response>;
}

async function askQuestions({ url }: RunningService): Promise<string[][]> {
  const answers: string[][] = [];
  for (const question of await questions()) {
    progress(question.name);
    const latencies: number[] = [];
    const end = performance.now() + options["seconds-a-question"] * 1000;
    while (latencies.length < options.reads && (latencies.length < 2 || performance.now() < end)) {
      const began = performance.now();
      const response = await question.ask(url);
      const body = await response.text();
      latencies.push(performance.now() - began);
      if (response.status !== 200 || body.startsWith('{"errors"') || body.includes('"errors":[')) {
        throw new Error(`${question.name}: ${response.status} ${body.slice(0, 500)}`);
      }
    }
    const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
    answers.push([question.name, milliseconds(p50), milliseconds(p99), String(latencies.length)]);
  }
  return answers;
}

async function questions(): Promise<Question[]> {
  const database = store.storage.handle.read(store.context(), "short");
  const project = await database
    .selectFrom("projects")
    .select("id")
    .where("name", "=", PROJECT)
    .executeTakeFirstOrThrow();
  const sessions = await database
    .selectFrom("sessions")
    .select("session_key")
    .where("project_id", "=", project.id)
    .execute();
  const session = sessions[sessions.length >> 1]!.session_key;
  const days = (count: number) => {
    const now = Date.now();
    const start = new Date(now - count * 24 * 3_600_000).toISOString();
    return `{ start: "${start}", end: "${new Date(now).toISOString()}" }`;
  };
  const rest = (name: string, query: string): Question => ({
    name,
    ask: (url) => fetch(`${url}/v1/projects/${PROJECT}/spans?limit=100&${query}`),
  });
  const graphql = (name: string, fields: string): Question => ({
    name,
    ask: (url) =>
      fetch(`${url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query: `{ project: getProjectByName(name: "${PROJECT}") { ${fields} } }` }),
      }),
  });
  const page = (condition: string, sort = "startTime") =>
    `spans(first: 100, sort: { col: ${sort}, dir: desc }, filterCondition: ${JSON.stringify(condition)}) {
      edges { node { name spanKind statusCode startTime latencyMs } } }`;
  const facets = (range: string, condition = "") =>
    `spanFacets(timeRange: ${range}${condition}) { kinds { value count } statuses { value count } models { value count }
      names { value count } users { value count } errorTypes { value count } latencies { minMs maxMs count } }`;
  const bar = (range: string) =>
    `traceCount(timeRange: ${range}) tokenCountTotal(timeRange: ${range})
      p50: latencyMsQuantile(probability: 0.5, timeRange: ${range}) p99: latencyMsQuantile(probability: 0.99, timeRange: ${range})`;
  const strip = (range: string, scale: string) =>
    `traceCountByStatusTimeSeries(timeRange: ${range}, timeBinConfig: { scale: ${scale} }) { data { timestamp okCount errorCount } }
      spanCountTimeSeries(timeRange: ${range}, timeBinConfig: { scale: ${scale} }) { data { timestamp okCount errorCount unsetCount } }`;
  const costs = (by: string, range: string, fields: string) =>
    `costGroups(by: ${by}, timeRange: ${range}, timeBinConfig: { scale: DAY }) { ${fields} }`;
  return [
    graphql("explorer: first page", page("")),
    rest("REST, attribute of every span", "attribute=app.customer.tier:gold"),
    rest("REST, attribute of one span in 20", "attribute=user.id:user-3"),
    rest("REST, attribute of 100 spans", `attribute=session.id:${session}`),
    rest("REST, the same by start time", `sort=start_time&attribute=session.id:${session}`),
    rest("REST, attribute of no span", "attribute=app.customer.tier:platinum"),
    graphql("filter: attribute of 100 spans", page(`attributes['session']['id'] == '${session}'`)),
    graphql("filter: the same, by latency", page(`attributes['session']['id'] == '${session}'`, "latencyMs")),
    graphql("filter: attribute of no span", page("attributes['app']['customer']['tier'] == 'platinum'")),
    graphql("filter: kind and status", page("span_kind == 'TOOL' and status_code == 'ERROR'")),
    graphql("filter: kind and status, no match", page("span_kind == 'LLM' and status_code == 'ERROR'")),
    graphql("filter: latency bound, no match", page("latency_ms > 20000")),
    graphql("facets of all 30 days", facets(days(31))),
    graphql("facets of 7 days", facets(days(7))),
    graphql(
      "facets of an attribute of 100 spans",
      facets(days(31), `, filterCondition: ${JSON.stringify(`attributes['session']['id'] == '${session}'`)}`),
    ),
    graphql("statistics bar of 30 days", bar(days(31))),
    graphql("statistics bar of 7 days", bar(days(7))),
    graphql("chart strip of 30 days, by hour", strip(days(31), "HOUR")),
    graphql("chart strip of 7 days, by hour", strip(days(7), "HOUR")),
    graphql("costs of 30 days", `costSummary(timeRange: ${days(31)}) { total { cost } }`),
    ...["MODEL", "USER", "KIND"].flatMap((by) => [
      graphql(`costs of 30 days by ${by.toLowerCase()}`, costs(by, days(31), "groups { value cost tokens }")),
      graphql(`the same by day`, costs(by, days(31), "all groups { value costs }")),
    ]),
    graphql("spans of 30 days", `recordCount(timeRange: ${days(31)})`),
    graphql("span latency p99 of 30 days", `spanLatencyMsQuantile(probability: 0.99, timeRange: ${days(31)})`),
  ];
}
