// What a sweep of old traces costs those that send spans meanwhile, and how fast it is. Usage: tests/bench/README.md
import { readArguments, storedOptions } from "./arguments.ts";
import { milliseconds, percentile, progress, ratio, short, table } from "./figures.ts";
import { printHead, startOnStored } from "./measured.ts";
import { startSenders } from "./senders.ts";
import { PROJECT } from "./stored.ts";

const WARM_UP_MS = 3000;
/** Milliseconds between two looks at what the sweep has taken. */
const LOOK_MS = 250;

const options = readArguments({
  stored: { default: 200_000, meaning: "small spans in the database, of thirty days" },
  days: { default: 15, meaning: "what is older goes; spans that were stored yesterday are a day older today" },
  rate: { default: 2000, meaning: "small spans a second that arrive all the time" },
  seconds: { default: 20, meaning: "how long spans arrive before the sweep" },
  ...storedOptions,
});

interface Sweep {
  readonly startedAt: string;
  readonly endedAt: string;
  readonly traceCount: number;
  readonly spanCount: number;
}

const { service, ask: askGraphql, finish } = await startOnStored({ ...options, size: "small", spans: options.stored });
const sending = startSenders({ service, senders: 8, spansPerRequest: 50, rate: options.rate });
await Bun.sleep(WARM_UP_MS);
progress("quiet");
sending.reset();
await Bun.sleep(options.seconds * 1000);
const quiet = sending.counts().latencies;

const policyId = await givePolicy();
const foretold = await foretell();
progress(`sweeping ${foretold} traces`);
sending.reset();
await askGraphql(
  "mutation ($input: RunProjectTraceRetentionPolicyInput!) { runProjectTraceRetentionPolicy(input: $input) { node { id } } }",
  { input: { id: policyId } },
);
const sweep = await untilSwept();
const beside = sending.counts().latencies;
await sending.stop();
await finish();

const seconds = (Date.parse(sweep.endedAt) - Date.parse(sweep.startedAt)) / 1000;
await printHead(options, `${short(options.stored)} small spans stored; ${short(options.rate)} spans/s arrive`);
console.log(
  table([
    ["acknowledgement", "p50", "p99"],
    ["quiet", milliseconds(percentile(quiet, 0.5)), milliseconds(percentile(quiet, 0.99))],
    ["while traces are swept", milliseconds(percentile(beside, 0.5)), milliseconds(percentile(beside, 0.99))],
    [
      "ratio",
      ratio(percentile(beside, 0.5), percentile(quiet, 0.5)),
      ratio(percentile(beside, 0.99), percentile(quiet, 0.99)),
    ],
  ]),
);
console.log(
  `\nswept: ${short(sweep.traceCount)} traces of ${foretold} foretold, ${short(sweep.spanCount)} spans in ${seconds.toFixed(1)} s, ${short(Math.round(sweep.spanCount / seconds))} spans/s`,
);
process.exit();

async function givePolicy(): Promise<string> {
  const made = await ask("POST", "/v1/retention_policies", {
    name: "bench",
    schedule: "0 0 * * 0",
    max_days: options.days,
  });
  const { id } = (made as { readonly data: { readonly id: string } }).data;
  await ask("PATCH", `/v1/projects/${PROJECT}/retention`, { policy_id: id });
  return id;
}

/** Traces that the sweep will take. */
async function foretell(): Promise<number> {
  const answer = await ask("GET", `/v1/retention_policies/${policyId}/preview`);
  const { data } = answer as { readonly data: { readonly projects: readonly { readonly trace_count: number }[] } };
  return data.projects.reduce((sum, { trace_count }) => sum + trace_count, 0);
}

async function untilSwept(): Promise<Sweep> {
  const query =
    "query ($id: ID!) { node(id: $id) { ... on ProjectTraceRetentionPolicy { sweeps { startedAt endedAt traceCount spanCount failure } } } }";
  while (true) {
    const { node } = await askGraphql(query, { id: policyId });
    const [sweep]: (Sweep & { readonly failure: string | null })[] = node.sweeps;
    if (sweep?.failure) throw new Error(`The sweep failed: ${sweep.failure}`);
    if (sweep !== undefined && sweep.traceCount >= foretold) return sweep;
    progress(`swept ${sweep?.traceCount ?? 0} of ${foretold} traces`);
    await Bun.sleep(LOOK_MS);
  }
}

async function ask(method: string, path: string, json?: object): Promise<unknown> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  if (!response.ok || text.includes('"errors"')) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}
