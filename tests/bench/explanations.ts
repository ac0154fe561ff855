// How long it takes to find what explains a tenth of the traces, and a tenth of as many spans, against the rest. Usage: tests/bench/README.md
import { createHttpClient } from "../support/http.ts";
import { readArguments, sharedOptions } from "./arguments.ts";
import { endProgress, machine, milliseconds, percentile, progress, short, table } from "./figures.ts";
import { programName, startMeasured, stopMeasured } from "./service.ts";
import { type Driver, ensureStored, PROJECT } from "./stored.ts";

const options = readArguments({
  driver: { default: "sqlite", choices: ["sqlite", "postgres"], meaning: "database" },
  stored: { default: 1_000_000, meaning: "small spans in the database, 20 a trace" },
  runs: { default: 5, meaning: "answers of each question" },
  ...sharedOptions,
});

const TENTH = 0.9;

const stored = await ensureStored({
  ...options,
  driver: options.driver as Driver,
  size: "small",
  spans: options.stored,
});
const copy = await stored.copy();
const service = await startMeasured(copy.url, options.binary);
const client = createHttpClient(service.url);
const { data } = (await (await client.get(`/v1/projects/${PROJECT}`)).json()) as { data: { id: string } };
const slowest = await quantile("latencyMsQuantile");

const questions = [
  ["a tenth of the traces, the slowest", "TRACES", `latency_ms > ${slowest}`],
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
await stopMeasured(service);
await copy.remove();
await stored.dispose();
endProgress("done");

console.log(`\n${await machine()}`);
console.log(`service ${programName(options.binary)}, ${options.driver}, ${short(options.stored)} small spans stored\n`);
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
  const answer = await client.post("/graphql", { json: { query, variables: { id: data.id } } });
  const { data: found, errors } = (await answer.json()) as { data: { node: Found }; errors?: unknown };
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return found.node;
}
