// Runs the service in a network namespace that has loopback alone, and prints what tried to leave it. Started inside of one by
// tests/faults/no-network.test.ts: the URL of the database, and the socket file behind which PostgreSQL is.
import { readFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { CREATE, configs } from "./custom-providers.ts";
import { exportTo, sendDataset } from "./dataset.ts";
import { createHttpClient } from "./http.ts";
import { pageOperations } from "./page-documents.ts";
import { freePort } from "./ports.ts";
import { readScrape } from "./scrape.ts";
import { type RunningService, startService } from "./server.ts";
import { until } from "./until.ts";

export interface NoNetworkReport {
  /** Packets without a route, and questions to name servers, until then. */
  readonly leaving: number;
  /** Connections inside of the namespace that were refused while the service worked. */
  readonly refused: number;
  /** Queries of pages that were answered. */
  readonly queries: number;
  readonly errors: readonly string[];
  /** What is counted when the service is asked to call a provider at an address elsewhere. */
  readonly leavingWhenAsked: number;
  readonly log: string;
}

/** Jobs whose features know where models are. */
const JOBS = ["dismissed-experiments", "experiment-jobs", "spending"];
/** Every provider that a key makes ready, and one at an address. */
const KEYS = {
  OPENAI_API_KEY: "sk-none",
  ANTHROPIC_API_KEY: "sk-none",
  GEMINI_API_KEY: "sk-none",
  AWS_ACCESS_KEY_ID: "none",
  AWS_SECRET_ACCESS_KEY: "none",
  OLLAMA_BASE_URL: "http://192.168.77.77:11434/v1",
};
const ELSEWHERE = "http://1.1.1.1";

/** Counters of this namespace by their group and name. */
async function counters(): Promise<(group: string, name: string) => number> {
  const lines = (await readFile("/proc/net/snmp", "utf8")).trim().split("\n");
  const six = new Map(
    (await readFile("/proc/net/snmp6", "utf8"))
      .trim()
      .split("\n")
      .map((line) => line.split(/\s+/) as [string, string]),
  );
  return (group, name) => {
    const [names, values] = lines.filter((line) => line.startsWith(`${group}:`)).map((line) => line.split(" "));
    const value = names === undefined ? six.get(group + name) : values?.[names.indexOf(name)];
    if (value === undefined) throw new Error(`The kernel counts no ${group} ${name}`);
    return Number(value);
  };
}

async function countLeaving(): Promise<number> {
  const count = await counters();
  return (
    count("Ip", "OutNoRoutes") +
    count("Ip6", "OutNoRoutes") +
    count("Udp", "OutDatagrams") +
    count("Udp6", "OutDatagrams")
  );
}

const countRefused = async () => (await counters())("Tcp", "AttemptFails");

async function exercise(service: RunningService, metricsPort: number, errors: string[]): Promise<number> {
  const client = createHttpClient(service.url);
  await sendDataset(exportTo(client));
  const provider = { name: "gateway", provider: "in-house", clientConfig: configs(ELSEWHERE).openai };
  const made = await client.post("/graphql", { json: { query: CREATE, variables: { input: provider } } });
  if (made.text.includes('"errors"')) errors.push(`a custom provider: ${made.text}`);
  for (const path of ["/", "/playground", "/v1/models", "/v1/custom_model_providers", "/readyz"]) {
    const { status } = await client.get(path);
    if (status !== 200) errors.push(`${path}: ${status}`);
  }
  const queries = (await pageOperations()).filter(({ kind, standsAlone }) => kind === "query" && standsAlone);
  for (const { name, text } of queries) {
    const answer = await client.post("/graphql", { json: { query: text, variables: {} } });
    // Without authentication nobody has API keys.
    const isRefused = answer.text.includes('"code":"UNAUTHORIZED"');
    if (answer.text.includes('"errors"') && !isRefused) errors.push(`${name}: ${answer.text.slice(0, 500)}`);
  }
  await until(async () => {
    const scrape = readScrape(await (await fetch(`http://127.0.0.1:${metricsPort}/`)).text());
    return JOBS.every((task) => scrape.value("spanlight_job_last_run_timestamp_seconds", { task }) !== undefined);
  });
  return queries.length;
}

async function callProvider(service: RunningService): Promise<void> {
  const query = `mutation($input: GenerativeModelCustomerProviderConfigInput!) {
    testGenerativeModelCustomProviderCredentials(input: $input) { error } }`;
  const input = configs(ELSEWHERE).openai;
  await createHttpClient(service.url).post("/graphql", { json: { query, variables: { input } } });
}

async function report(databaseUrl: string): Promise<NoNetworkReport> {
  const metricsPort = await freePort();
  const env = {
    ...KEYS,
    SERVICE_SECRET: "a-secret-of-tests-0123456789-0123456789",
    SERVICE_ENABLE_PROMETHEUS: "true",
    SERVICE_PROMETHEUS_PORT: String(metricsPort),
  };
  const service = await startService({ databaseUrl, env });
  const errors: string[] = [];
  try {
    const refusedBefore = await countRefused();
    const queries = await exercise(service, metricsPort, errors);
    const [leaving, refused] = [await countLeaving(), (await countRefused()) - refusedBefore];
    await callProvider(service);
    const leavingWhenAsked = (await countLeaving()) - leaving;
    return { leaving, refused, queries, errors, leavingWhenAsked, log: service.log() };
  } finally {
    await service.stop();
  }
}

if (import.meta.main) {
  const [databaseUrl = "", socketFile] = process.argv.slice(2);
  if (socketFile !== undefined) {
    const { port } = new URL(databaseUrl);
    createServer((socket) => {
      const onward = connect(socketFile);
      socket.on("error", () => onward.destroy()).pipe(onward);
      onward.on("error", () => socket.destroy()).pipe(socket);
    }).listen(Number(port), "127.0.0.1");
  }
  console.log(JSON.stringify(await report(databaseUrl)));
  process.exit(0);
}
