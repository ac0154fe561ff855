// What the service does when nobody asks for anything: processor time and bytes written. Usage: tests/bench/README.md
import { readArguments, sharedOptions } from "./arguments.ts";
import { endProgress, machine, megabytes, progress, short, table } from "./figures.ts";
import { bytesWritten, cpuSeconds, memoryOf } from "./process-tree.ts";
import { programName, startMeasured, stopMeasured } from "./service.ts";
import { type Driver, ensureStored } from "./stored.ts";

const options = readArguments({
  driver: { default: "sqlite", choices: ["sqlite", "postgres"], meaning: "database" },
  stored: { default: 100_000, meaning: "small spans in the database" },
  settle: { default: 15, meaning: "seconds between the start and the measurement" },
  seconds: { default: 60, meaning: "length of the measurement; the budget speaks of 600" },
  ...sharedOptions,
});

const stored = await ensureStored({
  ...options,
  driver: options.driver as Driver,
  size: "small",
  spans: options.stored,
});
const copy = await stored.copy();
const service = await startMeasured(copy.url, options.binary);
progress(`settling for ${options.settle} s`);
await Bun.sleep(options.settle * 1000);
const [cpuBefore, writtenBefore] = [await cpuSeconds(service.pid), await bytesWritten(service.pid)];
progress(`at rest for ${options.seconds} s`);
await Bun.sleep(options.seconds * 1000);
const cpu = (await cpuSeconds(service.pid)) - cpuBefore;
const written = (await bytesWritten(service.pid)) - writtenBefore;
const memory = await memoryOf(service.pid);
await stopMeasured(service);
await copy.remove();
await stored.dispose();
endProgress("done");

console.log(`\n${await machine()}`);
console.log(`service ${programName(options.binary)}, ${options.driver}, ${short(options.stored)} small spans stored\n`);
console.log(
  table([
    [`at rest, ${options.seconds} s`, "figure"],
    ["processor time", `${(cpu * 1000).toFixed(0)} ms (clock: 10 ms)`],
    ["share of one core", `${((cpu / options.seconds) * 100).toFixed(3)} %`],
    ["bytes written by the service", String(written)],
    ["resident memory (RSS)", megabytes(memory.rss)],
    ["resident memory (PSS)", megabytes(memory.pss)],
  ]),
);
process.exit();
