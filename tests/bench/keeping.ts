// What it costs those who send spans meanwhile to back a large database up and to recompute its costs, how long both take, and how long
// and with how much memory it is verified. Usage: tests/bench/README.md
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readArguments, sharedOptions } from "./arguments.ts";
import { endProgress, machine, megabytes, milliseconds, percentile, progress, ratio, short, table } from "./figures.ts";
import { watchMemory } from "./process-tree.ts";
import { startSenders } from "./senders.ts";
import { programName, startMeasured, stopMeasured } from "./service.ts";
import { type Driver, ensureStored, PROJECT } from "./stored.ts";

const WARM_UP_MS = 3000;
/** Milliseconds between two looks at how far something is. */
const LOOK_MS = 250;
const ROOT = resolve(import.meta.dir, "../..");

const options = readArguments({
  driver: {
    default: "sqlite",
    choices: ["sqlite", "postgres"],
    meaning: "database; of PostgreSQL there is no backup of ours",
  },
  stored: { default: 1_000_000, meaning: "small spans in the database" },
  rate: { default: 2000, meaning: "small spans a second that arrive all the time but while it is verified" },
  seconds: { default: 15, meaning: "how long spans arrive before" },
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
const sending = startSenders({
  service,
  transport: "http",
  size: "small",
  senders: 8,
  spansPerRequest: 50,
  project: PROJECT,
  rate: options.rate,
});
await Bun.sleep(WARM_UP_MS);
const quiet = await beside("quiet", () => Bun.sleep(options.seconds * 1000));
const backup =
  options.driver === "sqlite"
    ? await beside("backing up", async () => {
        const target = `${copy.url.replace("sqlite:///", "")}.backup`;
        await rm(target, { force: true });
        await command(["backup", "--to", target]);
        await rm(target, { force: true });
      })
    : null;
const recomputing = await beside("recomputing costs", recompute);
await sending.stop();
await stopMeasured(service);
progress("verifying");
const verified = await command(["verify"]);
await copy.remove();
await stored.dispose();
endProgress("done");

console.log(`\n${await machine()}`);
console.log(
  `service ${programName(options.binary)}, ${options.driver}, ${short(options.stored)} small spans stored; ${short(options.rate)} spans/s arrive\n`,
);
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
  const child = Bun.spawn([...program, ...words, "--database-url", copy.url], { stdout: "pipe", stderr: "pipe" });
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
    const { data } = await ask("{ costRecomputation { status examinedSpans } }");
    status = data.costRecomputation.status;
    progress(`recomputing costs: ${short(data.costRecomputation.examinedSpans)}`);
  }
}

async function ask(query: string) {
  const response = await fetch(`${service.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  const answer = await response.json();
  if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors));
  return answer;
}
