// Whether a crowd of the worst filters makes everybody else wait: acknowledgements and lists while it is quiet, and while many
// clients ask for what takes long, over and over. Also how soon a text search answers. Usage: tests/bench/README.md
import { readArguments, storedOptions } from "./arguments.ts";
import { milliseconds, percentile, progress, short, table } from "./figures.ts";
import { printHead, startOnStored } from "./measured.ts";
import { everydayPages, startReading } from "./reading.ts";
import { startSenders } from "./senders.ts";
import { PROJECT } from "./stored.ts";

const options = readArguments({
  stored: { default: 1_000_000, meaning: "spans of 2 to 8 KB in the database" },
  crowd: { default: 64, meaning: "clients that ask the worst filters at once" },
  rate: { default: 2_000, meaning: "small spans a second that arrive all the time" },
  seconds: { default: 20, meaning: "length of each half" },
  searches: { default: 20, meaning: "first pages of a text search, for a text that nobody wrote" },
  ...storedOptions,
});

/** Conditions that no stored span meets and no index answers. */
const worst = [
  "'nobody wrote this' in input.value or 'nor that' in output.value",
  "'größer als alles' in output.value",
  "attributes['app']['nothing'] == 'x' or 'neither' in input.value",
  "float(attributes['app']['nothing']) > 5 or 'at all' in status_message + output.value",
];

const { service, projectId, finish } = await startOnStored({ ...options, size: "page", spans: options.stored });
const sending = startSenders({ service, senders: 8, spansPerRequest: 50, rate: options.rate });
await Bun.sleep(3000);

const searches = await measureSearches();
progress("quiet");
const quiet = await measure();
progress("the crowd");
const crowd = startCrowd();
await Bun.sleep(2000);
const crowded = await measure();
const asked = await crowd.stop();
await sending.stop();
await finish();

const ratio = (one: number, other: number) => `${(one / other).toFixed(1)}`;
const row = (name: string, of: "acknowledgements" | "lists") => [
  name,
  milliseconds(percentile(quiet[of], 0.5)),
  milliseconds(percentile(quiet[of], 0.99)),
  milliseconds(percentile(crowded[of], 0.5)),
  milliseconds(percentile(crowded[of], 0.99)),
  ratio(percentile(crowded[of], 0.99), percentile(quiet[of], 0.99)),
];
await printHead(
  options,
  `${short(options.stored)} spans of 2 to 8 KB stored; ${short(options.rate)} spans/s arrive; ${options.crowd} clients ask filters that match nothing`,
);
console.log(
  table([
    ["", "quiet p50", "quiet p99", "crowd p50", "crowd p99", "p99, crowd to quiet"],
    row("acknowledgement", "acknowledgements"),
    row("list pages", "lists"),
  ]),
);
console.log(
  `\nof the crowd: ${Object.entries(asked)
    .map(([answer, count]) => `${answer} ${count}`)
    .join(", ")}`,
);
console.log(
  `text search, first page: p50 ${milliseconds(percentile(searches.latencies, 0.5))}, p99 ${milliseconds(percentile(searches.latencies, 0.99))}, ${short(searches.rows / searches.latencies.length)} spans looked at each`,
);
process.exit();

async function measure() {
  sending.reset();
  const reading = startReading(service.url, everydayPages);
  await Bun.sleep(options.seconds * 1000);
  const lists = await reading.all();
  return { acknowledgements: [...sending.counts().latencies], lists };
}

async function measureSearches() {
  progress("text searches");
  const latencies: number[] = [];
  let rows = 0;
  for (let search = 0; search < options.searches; search++) {
    const began = performance.now();
    const answer = await fetch(`${service.url}/v1/projects/${PROJECT}/spans/search?text=nobody+wrote+this+${search}`);
    const body = (await answer.json()) as { readonly progress: { readonly scanned_rows: number } };
    latencies.push(performance.now() - began);
    rows += body.progress.scanned_rows;
  }
  return { latencies, rows };
}

/** Clients that ask one condition after the other, and come back a second after they were asked to. */
function startCrowd() {
  const answers: Record<string, number> = {};
  const gone = new AbortController();
  const query = `query ($id: ID!, $condition: String!) { node(id: $id) { ... on Project {
    spans(first: 100, filterCondition: $condition) { edges { node { name } } } } } }`;
  async function ask(number: number): Promise<void> {
    for (let turn = number; !gone.signal.aborted; turn++) {
      const variables = { id: projectId, condition: worst[turn % worst.length] };
      const answer = await fetch(`${service.url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query, variables }),
        signal: gone.signal,
      });
      const { errors } = (await answer.json()) as { readonly errors?: { extensions: { reason?: string } }[] };
      const reason = errors === undefined ? "answered" : (errors[0]!.extensions.reason ?? "refused");
      answers[reason] = (answers[reason] ?? 0) + 1;
      if (errors !== undefined) await Bun.sleep(1000);
    }
  }
  const clients = Array.from({ length: options.crowd }, (_, number) => ask(number).catch(() => {}));
  return {
    async stop() {
      gone.abort();
      await Promise.all(clients);
      return answers;
    },
  };
}
