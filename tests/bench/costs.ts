// How long the costs of a month take while no block is summarised and when all are. Usage: tests/bench/README.md

import { blockOf } from "../../src/model/summaries/blocks/block.ts";
import { createBlocksStore } from "../../src/summaries/blocks/blocks.store.ts";
import { openTestStorage } from "../support/storage.ts";
import { readArguments, storedOptions } from "./arguments.ts";
import { median, milliseconds, progress, short, table } from "./figures.ts";
import { printHead, startOnStored } from "./measured.ts";
import { PROJECT } from "./stored.ts";

const options = readArguments({
  stored: { default: 1_000_000, meaning: "small spans of a month in the database" },
  runs: { default: 7, meaning: "answers of each question, at most" },
  "seconds-a-question": { default: 10, meaning: "time for each question, at most" },
  ...storedOptions,
});

const { ask, finish, databaseUrl } = await startOnStored({ ...options, size: "small", spans: options.stored });
const store = await openTestStorage(databaseUrl);
const blocks = createBlocksStore(store.storage);

const end = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000);
const start = new Date(end.getTime() - 31 * 24 * 3_600_000);
const period = `timeRange: { start: "${start.toISOString()}", end: "${end.toISOString()}" }`;
const groupsBy = (by: string) => `costGroups(by: ${by}, ${period}, first: 10) { groups { value tokens cost } }`;
const overTime = (by: string) =>
  `costGroups(by: ${by}, ${period}, timeBinConfig: { scale: DAY }, first: 5) { groups { value costs } all }`;
const questions: readonly (readonly [string, string])[] = [
  ["what a month cost", `costSummary(${period}) { total { cost tokens } }`],
  ["by model", groupsBy("MODEL")],
  ["by user", groupsBy("USER")],
  ["by kind of token", groupsBy("KIND")],
  ["by day", `traceTokenCostTimeSeries(${period}, timeBinConfig: { scale: DAY }) { data { totalCost } }`],
  ["by model and day", overTime("MODEL")],
  ["by user and day", overTime("USER")],
];

const before = await askAll("rows");
await waitUntilBuilt();
const after = await askAll("blocks");
await store.close();
await finish();

await printHead(options, `${short(options.stored)} small spans of a month`);
console.log(
  table([
    ["question, median", "from rows", "from blocks", "ratio"],
    ...questions.map(([name], at) => [
      name,
      milliseconds(before[at]!.taken),
      milliseconds(after[at]!.taken),
      (after[at]!.taken / before[at]!.taken).toFixed(2),
    ]),
  ]),
);
for (const [at, { answer }] of before.entries()) {
  if (answer !== after[at]!.answer) throw new Error(`${questions[at]![0]} is not the same from rows and from blocks`);
}
process.exit();

async function askAll(from: string) {
  const found: { taken: number; answer: string }[] = [];
  for (const [name, question] of questions) {
    progress(`${name}, from ${from}`);
    const taken: number[] = [];
    const until = performance.now() + options["seconds-a-question"] * 1000;
    let answer = "";
    while (taken.length <= options.runs && (taken.length < 2 || performance.now() < until)) {
      const began = performance.now();
      answer = JSON.stringify(await ask(`{ project: getProjectByName(name: "${PROJECT}") { ${question} } }`));
      taken.push(performance.now() - began);
    }
    // The first one also compiles the query.
    found.push({ taken: median(taken.slice(1)), answer });
  }
  return found;
}

async function waitUntilBuilt(): Promise<void> {
  const row = await store.storage.handle
    .read(store.context(), "short")
    .selectFrom("spans")
    .select((eb) => eb.fn.max("id").as("newest"))
    .executeTakeFirstOrThrow();
  const due = blockOf((row.newest ?? 0) + 1);
  for (let built = 0; built < due; built = await blocks.countBlocks(store.context())) {
    progress(`${built} of ${due} blocks`);
    await Bun.sleep(200);
  }
}
