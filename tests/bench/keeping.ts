// What it costs those who send spans meanwhile to back a large database up and to recompute its costs, how long both take, and how long
// and with how much memory it is verified. Usage: tests/bench/README.md
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readArguments, storedOptions } from "./arguments.ts";
import { megabytes, milliseconds, percentile, progress, ratio, short, table } from "./figures.ts";
import { printHead, startOnStored } from "./measured.ts";
import { watchMemory } from "./process-tree.ts";
import { startSenders } from "./senders.ts";

const WARM_UP_MS = 3000;
/** Milliseconds between two looks at how far something is. */
const LOOK_MS = 250;
const ROOT = resolve(import.meta.dir, "../..");

const options = readArguments({
  stored: { default: 1_000_000, meaning: "small spans in the database" },
  rate: { default: 2000, meaning: "small spans a second that arrive all the time but while it is verified" },
  seconds: { default: 15, meaning: "how long spans arrive before" },
  ...storedOptions,
  driver: { ...storedOptions.driver, meaning: "database; of PostgreSQL there is no backup of ours" },
});
const { service, ask, databaseUrl, finish } = await startOnStored({ ...options, size: "small", spans: options.stored });
const sending = startSenders({ service, senders: 8, spansPerRequest: 50, rate: options.rate });
await Bun.sleep(WARM_UP_MS);
const quiet = await beside("quiet", () => Bun.sleep(options.seconds * 1000));
const backup =
  options.driver === "sqlite"
    ? await beside("backing up", async () => {
        const target = `${databaseUrl.replace("sqlite:///", "")}.backup`;
        await rm(target, { force: true });
        await command(["backup", "--to", target]);
        await rm(target, { force: true });
      })
    : null;
const recomputing = await beside("recomputing costs", recompute);
await sending.stop();
await service.stop();
progress("verifying");
const verified = await command(["verify"]);
await finish();

await printHead(options, `${short(options.stored)} small spans stored; ${short(options.rate)} spans/s arrive`);
const row = (name: string, { took, latencies }: typeof quiet) => [
  name,
  `${(took / 1000).toFixed(1)} s`,
  milliseconds(percentile(latencies, 0.5)),
  milliseconds(percentile(latencies, 0.99)),
  ratio(percentile(latencies, 0.99), percentile(quiet.latencies, 0.99)),
];
console.log(
  `${table([
    ["acknowledgement", "took", "p50", "p99", "p99, of quiet"],
    row("quiet", quiet),
    ...(backup === null ? [] : [row("while it is backed up", backup)]),
    row("while costs are recomputed", recomputing),
  ])}\n`,
);
console.log(
  table([
    ["verify", "took", "memory, highest"],
    ["", `${(verified.took / 1000).toFixed(1)} s`, megabytes(verified.peak)],
  ]),
);
process.exit();

/** How long the work took, and every acknowledgement meanwhile. */
async function beside(name: string, work: () => Promise<unknown>) {
  progress(name);
  sending.reset();
  const began = performance.now();
  await work();
  return { took: performance.now() - began, latencies: sending.counts().latencies };
}

async function command(words: readonly string[]): Promise<{ readonly took: number; readonly peak: number }> {
  const program = options.binary === "" ? [process.execPath, join(ROOT, "src/main.ts")] : [resolve(options.binary)];
  const began = performance.now();
  const child = Bun.spawn([...program, ...words, "--database-url", databaseUrl], { stdout: "pipe", stderr: "pipe" });
  const memory = watchMemory(child.pid);
  const output = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${words[0]}: ${output.join("")}`);
  return { took: performance.now() - began, peak: memory.peakRss() };
}

/** Of every call that is stored. */
async function recompute(): Promise<void> {
  await ask("mutation { startCostRecomputation(input: {}) { recomputation { status } } }");
  for (let status = ""; status !== "DONE"; ) {
    await Bun.sleep(LOOK_MS);
    const { costRecomputation } = await ask("{ costRecomputation { status examinedSpans } }");
    status = costRecomputation.status;
    progress(`recomputing costs: ${short(costRecomputation.examinedSpans)}`);
  }
}
