// What the service does when nobody asks for anything: processor time and bytes written. Usage: tests/bench/README.md
import { readArguments, storedOptions } from "./arguments.ts";
import { megabytes, progress, short, table } from "./figures.ts";
import { printHead, startOnStored } from "./measured.ts";
import { bytesWritten, cpuSeconds, memoryOf } from "./process-tree.ts";

const options = readArguments({
  stored: { default: 100_000, meaning: "small spans in the database" },
  settle: { default: 15, meaning: "seconds between the start and the measurement" },
  seconds: { default: 60, meaning: "length of the measurement; the budget speaks of 600" },
  ...storedOptions,
});

const { service, finish } = await startOnStored({ ...options, size: "small", spans: options.stored });
progress(`settling for ${options.settle} s`);
await Bun.sleep(options.settle * 1000);
const [cpuBefore, writtenBefore] = [await cpuSeconds(service.pid), await bytesWritten(service.pid)];
progress(`at rest for ${options.seconds} s`);
await Bun.sleep(options.seconds * 1000);
const cpu = (await cpuSeconds(service.pid)) - cpuBefore;
const written = (await bytesWritten(service.pid)) - writtenBefore;
const memory = await memoryOf(service.pid);
await finish();

await printHead(options, `${short(options.stored)} small spans stored`);
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
