// How long a condition with a list takes, by the length of the list and by what is looked up in it. Nothing matches, so that every
// span of the project is asked. Usage: tests/bench/README.md
import { createHttpClient } from "../support/http.ts";
import { readArguments, sharedOptions } from "./arguments.ts";
import { endProgress, machine, median, milliseconds, progress, short, table } from "./figures.ts";
import { programName, startMeasured, stopMeasured } from "./service.ts";
import { type Driver, ensureStored, PROJECT } from "./stored.ts";

const options = readArguments({
  driver: { default: "sqlite", choices: ["sqlite", "postgres"], meaning: "database" },
  stored: { default: 100_000, meaning: "spans of 2 to 8 KB in the database" },
  runs: { default: 5, meaning: "answers of each condition" },
  ...sharedOptions,
});

const LENGTHS = [10, 100, 1000, 4999];
const number = (at: number) => String(10_000_000 + at);
const values: readonly (readonly [string, (at: number) => string])[] = [
  ["latency_ms", number],
  ["latency_ms * 1.5", number],
  ["cumulative_token_count.total", number],
  ["name", (at) => `'no ${at}'`],
  ["metadata['number']", number],
  ["metadata['word']", (at) => `'no ${at}'`],
];

const stored = await ensureStored({
  ...options,
  driver: options.driver as Driver,
  size: "page",
  spans: options.stored,
});
const copy = await stored.copy();
const service = await startMeasured(copy.url, options.binary);
const client = createHttpClient(service.url);
const { data } = (await (await client.get(`/v1/projects/${PROJECT}`)).json()) as { data: { id: string } };

const rows: string[][] = [["looked up in a list, milliseconds", ...LENGTHS.map((length) => `${length} members`)]];
for (const [value, member] of values) {
  progress(value);
  const figures: string[] = [];
  for (const length of LENGTHS) {
    const taken: number[] = [];
    for (let run = 0; run < options.runs; run++) taken.push(await ask(`${value} in ${listOf(member, length)}`));
    figures.push(milliseconds(median(taken)));
  }
  rows.push([value, ...figures]);
}
await stopMeasured(service);
await copy.remove();
await stored.dispose();
endProgress("done");

console.log(`\n${await machine()}`);
console.log(
  `service ${programName(options.binary)}, ${options.driver}, ${short(options.stored)} spans of 2 to 8 KB stored\n`,
);
console.log(table(rows));
process.exit();

function listOf(member: (at: number) => string, length: number): string {
  return `[${Array.from({ length }, (_, at) => member(at)).join(", ")}]`;
}

async function ask(condition: string): Promise<number> {
  const query = `query ($id: ID!, $condition: String) { node(id: $id) { ... on Project {
    spans(first: 100, filterCondition: $condition) { edges { node { name } } } } } }`;
  const began = performance.now();
  const answer = await client.post("/graphql", { json: { query, variables: { id: data.id, condition } } });
  const { errors } = (await answer.json()) as { errors?: unknown };
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return performance.now() - began;
}
