// How fast runs of experiments are stored when many clients post them, and how fast experiments are compared.
// Usage: tests/bench/README.md
import { readArguments, storedOptions } from "./arguments.ts";
import { median, milliseconds, progress, short, table } from "./figures.ts";
import { printHead, startOnStored } from "./measured.ts";
import { cpuSeconds } from "./process-tree.ts";

const options = readArguments({
  examples: { default: 1000, meaning: "examples of the dataset" },
  repetitions: { default: 3, meaning: "runs of each in every experiment" },
  experiments: { default: 3, meaning: "experiments, the first of them the base" },
  clients: { default: 16, meaning: "runs posted at once" },
  runs: { default: 7, meaning: "answers of each question" },
  ...storedOptions,
});

interface Posted {
  /** Requests. */
  readonly perSecond: number;
  /** Of the service, for each request, with the processes it starts and without the database server. */
  readonly cpuMicroseconds: number;
}

/** Spans in the database do not matter here: as few as there may be. */
const { service, ask, finish } = await startOnStored({ ...options, size: "small", spans: 2000 });

const inputs = Array.from({ length: options.examples }, (_none, at) => ({ question: `Question ${at}` }));
const { dataset_id } = await post("datasets/upload?sync=true", { name: "bench", inputs });
const { examples } = await get(`datasets/${dataset_id}/examples`);
const exampleIds = (examples as { node_id: string }[]).map(({ node_id }) => node_id);
// The first run would also start the thread that reads bodies.
await postRuns(await newExperiment(), 100);

const ids: string[] = [];
const runsPosted: Posted[] = [];
const evaluationsPosted: Posted[] = [];
for (let at = 0; at < options.experiments; at++) {
  progress(`experiment ${at + 1} of ${options.experiments}`);
  const id = await newExperiment();
  ids.push(id);
  runsPosted.push(await postRuns(id, options.examples * options.repetitions));
  evaluationsPosted.push(await postEvaluations(id));
}

const [base, ...others] = ids;
const compared = `baseExperimentId: "${base}", compareExperimentIds: ${JSON.stringify(others)}`;
const group = "experimentId averageLatencyMs annotationSummaries { annotationName meanScore } runs { id error }";
const rowsTaken = await timed(
  `{ compareExperiments(first: 50, ${compared}) { edges { node { example { id } repeatedRunGroups { ${group} } } } } }`,
);
const condition = JSON.stringify("evals['correctness'].score < 0.5 and latency_ms > 900");
const narrowedTaken = await timed(
  `{ compareExperiments(first: 50, filterCondition: ${condition}, ${compared}) { edges { node { example { id } repeatedRunGroups { ${group} } } } } }`,
);
const wordsTaken = await timed(
  `{ experimentRunFilterVocabulary(experimentIds: ${JSON.stringify(ids)}) { name values } }`,
);
const count = "{ numRunsImproved numRunsRegressed numRunsEqual numRunsWithoutComparison }";
const metricsTaken = await timed(
  `{ experimentRunMetricComparisons(${compared}) { latency ${count} totalTokenCount ${count} } }`,
);
const figures = "runCount errorRate averageRunLatencyMs annotationSummaries { annotationName meanScore }";
const figuresTaken = await timed(
  `{ node(id: "${dataset_id}") { ... on Dataset { experiments { edges { node { ${figures} } } } } } }`,
);

await finish();
await printHead(options);
console.log(
  table([
    [`${options.experiments} × ${short(options.examples)} × ${options.repetitions}`, "figure"],
    [`runs a second, ${options.clients} clients, p50 of the experiments`, perSecond(runsPosted)],
    ["CPU of the service a run", cpuOfOne(runsPosted)],
    ["evaluations a second, the same, p50", perSecond(evaluationsPosted)],
    ["CPU of the service an evaluation", cpuOfOne(evaluationsPosted)],
    ["first 50 rows of the comparison, p50", milliseconds(rowsTaken)],
    ["the same under a condition on runs, p50", milliseconds(narrowedTaken)],
    ["words for completing a condition, p50", milliseconds(wordsTaken)],
    ["improved, regressed, equal, p50", milliseconds(metricsTaken)],
    ["figures of all experiments, p50", milliseconds(figuresTaken)],
  ]),
);
process.exit();

function perSecond(posted: readonly Posted[]): string {
  return short(median(posted.map((one) => one.perSecond)));
}

function cpuOfOne(posted: readonly Posted[]): string {
  return `${Math.round(median(posted.map((one) => one.cpuMicroseconds)))} µs`;
}

async function newExperiment(): Promise<string> {
  return (await post(`datasets/${dataset_id}/experiments`, { repetitions: options.repetitions })).id;
}

function momentAt(milliseconds: number): string {
  return new Date(Date.parse("2026-03-01T10:00:00Z") + milliseconds).toISOString();
}

function postRuns(experimentId: string, amount: number): Promise<Posted> {
  return sendAll(amount, (at) =>
    post(`experiments/${experimentId}/runs`, {
      dataset_example_id: exampleIds[at % exampleIds.length],
      repetition_number: 1 + Math.floor(at / exampleIds.length),
      output: { answer: `An answer to question ${at}` },
      start_time: momentAt(0),
      end_time: momentAt(100 + (at % 900)),
    }),
  );
}

/** One of every run. */
async function postEvaluations(experimentId: string): Promise<Posted> {
  const runs = (await get(`experiments/${experimentId}/runs`)) as { id: string }[];
  return sendAll(runs.length, (at) =>
    post("experiment_evaluations", {
      experiment_run_id: runs[at]!.id,
      name: "correctness",
      annotator_kind: "CODE",
      start_time: momentAt(0),
      end_time: momentAt(10),
      result: { label: at % 3 === 0 ? "bad" : "good", score: (at % 5) / 4, explanation: "By the words of the answer." },
    }),
  );
}

/** Each is acknowledged before its client sends the next one. */
async function sendAll(amount: number, request: (at: number) => Promise<unknown>): Promise<Posted> {
  let next = 0;
  const cpuBefore = await cpuSeconds(service.pid);
  const began = performance.now();
  const client = async () => {
    for (let at = next++; at < amount; at = next++) await request(at);
  };
  await Promise.all(Array.from({ length: options.clients }, client));
  const seconds = (performance.now() - began) / 1000;
  const cpu = (await cpuSeconds(service.pid)) - cpuBefore;
  return { perSecond: amount / seconds, cpuMicroseconds: (cpu / amount) * 1e6 };
}

/** The median, milliseconds. */
async function timed(query: string): Promise<number> {
  const taken: number[] = [];
  for (let run = 0; run <= options.runs; run++) {
    const began = performance.now();
    await ask(query);
    taken.push(performance.now() - began);
  }
  // The first one also compiles the query.
  return median(taken.slice(1));
}

async function post(path: string, body: object) {
  return dataOf(
    await fetch(`${service.url}/v1/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
}

async function get(path: string) {
  return dataOf(await fetch(`${service.url}/v1/${path}`));
}

async function dataOf(response: Response): Promise<ReturnType<typeof JSON.parse>> {
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()).data;
}
