// How long a condition with a list takes, by the length of the list and by what is looked up in it. Nothing matches, so that every
// span of the project is asked. Usage: tests/bench/README.md
import { readArguments, storedOptions } from "./arguments.ts";
import { median, milliseconds, progress, short, table } from "./figures.ts";
import { printHead, startOnStored } from "./measured.ts";

const options = readArguments({
  stored: { default: 100_000, meaning: "spans of 2 to 8 KB in the database" },
  runs: { default: 5, meaning: "answers of each condition" },
  ...storedOptions,
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

const { ask, projectId, finish } = await startOnStored({ ...options, size: "page", spans: options.stored });

const rows: string[][] = [["looked up in a list, milliseconds", ...LENGTHS.map((length) => `${length} members`)]];
for (const [value, member] of values) {
  progress(value);
  const figures: string[] = [];
  for (const length of LENGTHS) {
    const taken: number[] = [];
    for (let run = 0; run < options.runs; run++) taken.push(await timeOf(`${value} in ${listOf(member, length)}`));
    figures.push(milliseconds(median(taken)));
  }
  rows.push([value, ...figures]);
}
await finish();

await printHead(options, `${short(options.stored)} spans of 2 to 8 KB stored`);
console.log(table(rows));
process.exit();

function listOf(member: (at: number) => string, length: number): string {
  return `[${Array.from({ length }, (_, at) => member(at)).join(", ")}]`;
}

async function timeOf(condition: string): Promise<number> {
  const query = `query ($id: ID!, $condition: String) { node(id: $id) { ... on Project {
    spans(first: 100, filterCondition: $condition) { edges { node { name } } } } } }`;
  const began = performance.now();
  await ask(query, { id: projectId, condition });
  return performance.now() - began;
}
