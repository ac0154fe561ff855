// A client that goes away cancels its query, through the real server, over REST and GraphQL: nothing goes on in the database.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import postgres from "postgres";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { childProcesses } from "../support/child-processes.ts";
import { forEachDriver } from "../support/drivers.ts";
import { type RunningService, servicesOfSuite } from "../support/server.ts";
import { SLOW_TRACE_CONDITION, slowTrace } from "../support/slow-conditions.ts";
import { openTestStorage } from "../support/storage.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

const PROJECT = "slow";
/** Hundredths of a second on a processor: far above what a reader takes for its start and for short queries. */
const BUSY_TICKS = 50;

async function processorTicks(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // After the name of the program in brackets: user and system time are the 12th and 13th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

forEachDriver("clients that go away", (driver) => {
  const startService = servicesOfSuite();
  let service: RunningService;
  let databaseUrl: string;
  beforeAll(async () => {
    databaseUrl = await driver.createDatabase();
    const stored = await openTestStorage(databaseUrl);
    await ingestBatch(stored.ingest, [...slowTrace(PROJECT)]);
    await stored.close();
    service = await startService({ databaseUrl });
  });
  const client = driver.name === "postgres" ? () => postgres(databaseUrl, { max: 1, onnotice: () => {} }) : null;
  let connection: ReturnType<typeof postgres> | null = null;
  afterAll(() => connection?.end());

  /** What works on slow reads: reader processes that have used a core for a while, or sessions for them with a statement. */
  async function atWork(): Promise<string[]> {
    if (client !== null) {
      connection ??= client();
      const rows = await connection<{ pid: number }[]>`select pid from pg_stat_activity
        where datname = current_database() and state = 'active' and application_name like '%slow reads%'
          and clock_timestamp() - query_start > interval '100 milliseconds'`;
      return rows.map(({ pid }) => String(pid));
    }
    const readers = await childProcesses(service.pid);
    const ticks = await Promise.all(readers.map(processorTicks));
    return readers.map(String).filter((_, at) => ticks[at]! > BUSY_TICKS);
  }

  const asked = {
    rest: (signal: AbortSignal) =>
      fetch(`${service.url}/v1/projects/${PROJECT}/traces?filter=${encodeURIComponent(SLOW_TRACE_CONDITION)}`, {
        signal,
      }),
    graphql: (signal: AbortSignal) =>
      fetch(`${service.url}/graphql`, {
        method: "POST",
        signal,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          query: `query ($condition: String!) { projects { edges { node {
            spans(first: 5, rootSpansOnly: true, traceFilterCondition: $condition) { edges { node { name } } } } } } }`,
          variables: { condition: SLOW_TRACE_CONDITION },
        }),
      }),
  };

  test.each(["rest", "graphql"] as const)("a query over %p ends with its client", async (way) => {
    expect(await atWork()).toEqual([]);
    const gone = new AbortController();
    const answer = asked[way](gone.signal).then(
      () => "answered",
      () => "cancelled",
    );
    let working: string[] = [];
    await until(async () => {
      working = await atWork();
      return working.length > 0;
    });
    gone.abort();
    expect(await answer).toBe("cancelled");
    await until(async () => (await atWork()).length === 0);
    if (driver.name === "sqlite") {
      const ended = async () => !(await childProcesses(service.pid)).some((pid) => working.includes(String(pid)));
      await until(ended);
    }
    const next = await fetch(`${service.url}/v1/projects?name_contains=${PROJECT}`);
    expect([next.status, (await next.json()).data.length]).toEqual([200, 1]);
  });
});
