// How long it takes to find what explains a tenth of the traces, and a tenth of as many spans, against the rest. Usage: tests/bench/README.md
import { readArguments, sharedOptions } from "./arguments.ts";
import { milliseconds, percentile, progress, short, table } from "./figures.ts";
import { printHead, startOnStored } from "./measured.ts";

const options = readArguments({
  driver: { default: "sqlite", choices: ["sqlite", "postgres"], meaning: "database" },
  stored: { default: 1_000_000, meaning: "small spans in the database, 20 a trace" },
  runs: { default: 5, meaning: "answers of each question" },
  ...sharedOptions,
});

const TENTH = 0.9;

const measured = await startOnStored({ ...options, size: "small", spans: options.stored });
const slowest = await quantile("latencyMsQuantile");

const questions = [
  ["a tenth of the traces, the slowest", "TRACES", `latency_ms >= ${slowest}`],
  ["spans that failed", "SPANS", "status_code == 'ERROR'"],
] as const;

const rows: string[][] = [["milliseconds", "selected", "rest", "p50", "slowest"]];
for (const [what, of, condition] of questions) {
  progress(what);
  const taken: number[] = [];
  let counts = ["", ""];
  for (let run = 0; run < options.runs; run++) {
    const began = performance.now();
    const { selectedCount, restCount } = await explain(of, condition);
    taken.push(performance.now() - began);
    counts = [short(selectedCount), short(restCount)];
  }
  rows.push([what, ...counts, milliseconds(percentile(taken, 0.5)), milliseconds(Math.max(...taken))]);
}
await measured.finish();

await printHead(options, `${short(options.stored)} small spans stored`);
console.log(table(rows));
process.exit();

async function quantile(field: string): Promise<number> {
  const found = await ask<Record<string, number>>(`${field}(probability: ${TENTH})`);
  return found[field]!;
}

async function explain(of: string, condition: string) {
  const field = `explanation(of: ${of}, filterCondition: ${JSON.stringify(condition)}) {
    selectedCount restCount values { name value only isSignificant } notDistinguishing tooRare }`;
  return (await ask<{ explanation: { selectedCount: number; restCount: number } }>(field)).explanation;
}

async function ask<Found>(field: string): Promise<Found> {
  const query = `query ($id: ID!) { node(id: $id) { ... on Project { ${field} } } }`;
  return (await measured.ask(query, { id: measured.projectId })).node as Found;
}
