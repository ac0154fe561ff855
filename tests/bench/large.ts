// How long every question of the pages about a project takes in a database of one size and in one several times as large, in time and in
// processor time of the service and its database. Usage: tests/bench/README.md

import { join } from "node:path";
import { createCurrentPrices } from "../../src/ingest/current-prices.ts";
import { createIntake } from "../../src/ingest/intake.ts";
import { globalId } from "../../src/kernel/ids.ts";
import { blockOf } from "../../src/model/summaries/blocks/block.ts";
import { decodeExport } from "../../src/otlp/decode/export.ts";
import { createBlocksStore } from "../../src/summaries/blocks/blocks.store.ts";
import { builtInModels } from "../support/prices.ts";
import { locationOf, openIngestStore, openTestStorage } from "../support/storage.ts";
import { readArguments, sharedOptions } from "./arguments.ts";
import { endProgress, machine, median, milliseconds, progress, ratio, short, table } from "./figures.ts";
import { createPayloads } from "./payloads.ts";
import { cpuSeconds } from "./process-tree.ts";
import { programName, startMeasured, stopMeasured } from "./service.ts";
import { type Driver, ensureStored, PROJECT } from "./stored.ts";

const DAY_MS = 24 * 3_600_000;
/** The bench's project is the first of an empty database. */
const PROJECT_ID = 1;
/** What the service itself gives a slow read, and a little more. */
const LONGEST_MS = 60_000;

const options = readArguments({
  driver: { default: "sqlite", choices: ["sqlite", "postgres"], meaning: "database" },
  stored: { default: 1_000_000, meaning: "small spans of thirty days in the smaller database" },
  times: { default: 3, meaning: "how many times as large the other one is; 1 leaves it out" },
  projects: { default: 2000, meaning: "further projects, of a trace of twenty spans each" },
  runs: { default: 5, meaning: "answers of each question, at most" },
  "seconds-a-question": { default: 10, meaning: "time for each question, at most" },
  only: { default: "", meaning: "only questions whose name contains this text" },
  ...sharedOptions,
});

interface Question {
  readonly name: string;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

interface Taken {
  readonly milliseconds: number;
  /** Processor time of the service; without that of PostgreSQL. */
  readonly processor: number;
  readonly failure: string | null;
}

const questions = (await pageQuestions()).filter(({ name }) => name.includes(options.only));
const sizes = options.times <= 1 ? [options.stored] : [options.stored, options.stored * options.times];
const taken: Taken[][] = [];
for (const size of sizes) taken.push(await measure(size));
endProgress("done");

console.log(`\n${await machine()}`);
console.log(
  `service ${programName(options.binary)}, ${options.driver}, small spans of 30 days, ${options.projects} projects\n`,
);
const shown = ({ milliseconds: time, failure }: Taken) => failure ?? milliseconds(time);
const headings = sizes.flatMap((size) => [`${short(size)}: median`, "processor"]);
console.log(
  table([
    ["question", ...headings, ...(sizes.length > 1 ? ["ratio"] : [])],
    ...questions.map(({ name }, at) => {
      const ofSizes = taken.map((ofSize) => ofSize[at]!);
      const [first, second] = ofSizes;
      const growth = second === undefined ? [] : [ratio(second.milliseconds, first!.milliseconds)];
      return [name, ...ofSizes.flatMap((one) => [shown(one), milliseconds(one.processor)]), ...growth];
    }),
  ]),
);
process.exit();

async function measure(spans: number): Promise<Taken[]> {
  const stored = await ensureStored({ ...options, driver: options.driver as Driver, size: "small", spans });
  const copy = await stored.copy();
  await addProjects(copy.url);
  const service = await startMeasured(copy.url, options.binary);
  await waitUntilSummarised(copy.url);
  const found: Taken[] = [];
  for (const question of questions) {
    progress(`${short(spans)} spans: ${question.name}`);
    found.push(await ask(service.url, service.pid, question));
  }
  await stopMeasured(service);
  await copy.remove();
  await stored.dispose();
  return found;
}

async function ask(url: string, pid: number, { document: query, variables }: Question): Promise<Taken> {
  const times: number[] = [];
  const until = performance.now() + options["seconds-a-question"] * 1000;
  let processorBefore = 0;
  // The first answer also compiles the query.
  while (times.length <= options.runs && (times.length < 2 || performance.now() < until)) {
    if (times.length === 1) processorBefore = await cpuSeconds(pid);
    const began = performance.now();
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    const answer = (await response.json()) as { readonly errors?: readonly { readonly message: string }[] };
    times.push(performance.now() - began);
    const failure = answer.errors?.[0]?.message;
    if (failure !== undefined) {
      console.error(failure);
      return {
        milliseconds: Number.NaN,
        processor: Number.NaN,
        failure: `failed after ${milliseconds(times.at(-1)!)}`,
      };
    }
  }
  const processor = ((await cpuSeconds(pid)) - processorBefore) / (times.length - 1);
  return { milliseconds: median(times.slice(1)), processor: processor * 1000, failure: null };
}

/** By the ingest path of the service, in this process. */
async function addProjects(url: string): Promise<void> {
  const location = locationOf(url);
  const { ingest } = openIngestStore(location);
  const intake = createIntake({
    ...{ store: ingest, queues: 1, maxQueuedSpans: 1e6, onBatch: () => {} },
    prices: createCurrentPrices(builtInModels),
  });
  const startMs = Date.now() - DAY_MS;
  const payloads = createPayloads({
    ...{ size: "small", project: PROJECT, spansPerRequest: 20 },
    traceStart: () => BigInt(startMs) * 1_000_000n,
  });
  const request = { format: "protobuf", encoding: null, defaultProject: PROJECT, limitBytes: 1e9 } as const;
  for (let number = 0; number < options.projects; number += 50) {
    const names = Array.from({ length: Math.min(50, options.projects - number) }, (_, at) => `project ${number + at}`);
    await Promise.all(
      names.map((projectOverride) =>
        intake.submit(decodeExport({ ...request, body: payloads.next(), projectOverride }).spans),
      ),
    );
    progress(`${number} of ${options.projects} projects`);
  }
  await intake.close();
  await ingest.close();
}

async function waitUntilSummarised(url: string): Promise<void> {
  const store = await openTestStorage(url);
  const blocks = createBlocksStore(store.storage);
  const { newest } = await store.storage.handle
    .read(store.context(), "short")
    .selectFrom("spans")
    .select((eb) => eb.fn.max("id").as("newest"))
    .executeTakeFirstOrThrow();
  const due = blockOf((newest ?? 0) + 1);
  for (let built = 0; built < due; built = await blocks.countBlocks(store.context())) {
    progress(`${built} of ${due} blocks`);
    await Bun.sleep(200);
  }
  await store.close();
}

/** What the pages send, by the names of the operations: read from their files, because modules of pages need a browser. */
async function documentsOf(...files: readonly string[]): Promise<(name: string) => string> {
  const texts = new Map<string, string>();
  for (const file of files) {
    const source = await Bun.file(join(import.meta.dir, "../../src/web", file)).text();
    for (const [, text] of source.matchAll(/graphql\(\s*`([^`]*)`/g)) {
      texts.set(/\b(?:query|mutation|fragment)\s+(\w+)/.exec(text!)![1]!, text!);
    }
  }
  const withFragments = (name: string): string => {
    const text = texts.get(name);
    if (text === undefined) throw new Error(`No page sends ${name} any more`);
    const spread = [...text.matchAll(/\.\.\.(\w+)/g)].map(([, fragment]) => fragment!);
    return [text, ...spread.filter((fragment) => texts.has(fragment)).map(withFragments)].join("\n");
  };
  return withFragments;
}

async function pageQuestions(): Promise<Question[]> {
  const document = await documentsOf(
    ...["pages/projects/projects.queries.ts", "pages/traces/lists.queries.ts", "pages/metrics/metrics.queries.ts"],
    ...["pages/sessions/sessions.queries.ts", "pages/project-settings/project-settings.queries.ts"],
    ...["explorer/explorer.queries.ts", "pages/server-settings/retention/retention.queries.ts"],
  );
  const end = Math.ceil(Date.now() / 3_600_000) * 3_600_000;
  const days = (count: number) => ({
    start: new Date(end - count * DAY_MS).toISOString(),
    end: new Date(end).toISOString(),
  });
  const [month, week] = [days(31), days(7)];
  const id = globalId("Project", PROJECT_ID);
  const bins = { scale: "DAY" };
  const list = {
    ...{ id, first: 100, after: null, timeRange: month, attributes: [], judged: [], anyJudged: false },
    ...{ rootJudged: [], anyRootJudged: false },
  };
  const listed = { id, timeRange: month, condition: null, text: null, period: month, bins };
  const projects = { first: 1000, filter: null, sort: { col: "endTime", dir: "desc" } };
  const question = (name: string, operation: string, variables: Readonly<Record<string, unknown>>): Question => ({
    ...{ name, variables },
    document: document(operation),
  });
  const conditions = {
    "an attribute of every span": "attributes['app']['customer']['tier'] == 'gold'",
    "an attribute of 1 span in 20": "attributes['user']['id'] == 'user-3'",
    "a value that no span has": "attributes['app']['customer']['tier'] == 'platinum'",
    "numbers that no span has": "attributes['app']['score'] > 5",
    "a latency that no span has": "latency_ms > 1000000",
  };
  return [
    question("projects page: names", "Projects", projects),
    question("projects page: figures of 7 days", "ProjectFigures", { ...projects, timeRange: week }),
    question("projects page: figures of 30 days", "ProjectFigures", { ...projects, timeRange: month }),
    question("projects page: figures of all time", "ProjectFigures", { ...projects, timeRange: null }),
    question("head of a project", "ProjectHead", { id }),
    question("traces: first page", "TraceList", list),
    question("traces: figures and chart of 30 days", "TracesListed", listed),
    question("traces: figures of all time", "TraceFigures", { id, timeRange: null, condition: null }),
    question("traces: facets of 30 days", "TracesFacets", listed),
    question("spans: first page", "SpanList", list),
    question("spans: figures and chart of 30 days", "SpansListed", listed),
    question("spans: facets of 30 days", "SpansFacets", listed),
    question("spans: cost of 30 days", "SpansCost", listed),
    ...Object.entries(conditions).flatMap(([name, condition]) => [
      question(`spans with ${name}: first page`, "SpanList", { ...list, condition }),
      question(`spans with ${name}: figures`, "SpansListed", { ...listed, condition }),
      question(`spans with ${name}: facets`, "SpansFacets", { ...listed, condition }),
    ]),
    question("text that no span has: first page", "SpanListSearch", { ...list, text: "xylophone quartz" }),
    question("sessions: first page", "SessionList", list),
    question("sessions: figures of 30 days", "SessionFigures", { id, timeRange: month, condition: null }),
    question("sessions: facets of 30 days", "SessionFacets", { id, timeRange: month, condition: null }),
    ...["TraceSeries", "LatencySeries", "TokenSeries", "SpanSeries", "TopCosts"].map((operation) =>
      question(`metrics of 30 days: ${operation}`, operation, { id, timeRange: month, bins }),
    ),
    question("metrics of 30 days: histograms", "TraceHistograms", { id, timeRange: month }),
    question("metrics of 30 days: top values", "TopValues", { id, timeRange: month }),
    question("settings: contents of all time", "ProjectContents", { id, timeRange: null }),
    question("settings: contents of the database", "DatabaseContents", {}),
  ];
}
