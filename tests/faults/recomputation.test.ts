// `kill -9` in the middle of recomputing costs: the next start, or the other server of the database, goes on where it was, and every
// call is changed once.
import { expect, setDefaultTimeout, test } from "bun:test";
import { exportTo, sendSpans } from "../support/dataset.ts";
import { forEachDriver } from "../support/drivers.ts";
import { createHttpClient } from "../support/http.ts";
import { otlpAttributes } from "../support/otlp-encode.ts";
import { servicesOfSuite } from "../support/server.ts";
import { expectVerified } from "../support/stored.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

const REQUESTS = 5;
const CALLS_PER_REQUEST = 1000;
const CALLS = REQUESTS * CALLS_PER_REQUEST;
/** USD: 12 tokens a call at one USD for a million. */
const SPENT = (CALLS * 12) / 1e6;

const createModel = `mutation { createModel(input: { name: "late", namePattern: "^late$", costs: [
  { tokenType: "input", kind: PROMPT, costPerMillionTokens: 1 },
  { tokenType: "output", kind: COMPLETION, costPerMillionTokens: 1 }] }) { model { id } } }`;
const start = `mutation { startCostRecomputation(input: { modelName: "late" }) { recomputation { status } } }`;
const newest = "{ costRecomputation { status progress examinedSpans changedSpans oldCost newCost } }";

interface Newest {
  readonly costRecomputation: { readonly status: string; readonly progress: number };
}

async function ask<Data>(url: string, query: string): Promise<Data> {
  const { text, json } = await createHttpClient(url).post("/graphql", { json: { query } });
  if (text.includes('"errors"')) throw new Error(text);
  return json<{ data: Data }>().data;
}

/** Calls of a model whose price comes only after them. */
async function sendCalls(url: string): Promise<void> {
  const attributes = otlpAttributes({
    "openinference.span.kind": "LLM",
    "llm.model_name": "late",
    "llm.token_count.prompt": 10,
    "llm.token_count.completion": 2,
    "session.id": "chat",
  });
  const send = exportTo(createHttpClient(url));
  for (let request = 0; request < REQUESTS; request++) {
    const spans = Array.from({ length: CALLS_PER_REQUEST }, (_, position) => {
      const number = request * CALLS_PER_REQUEST + position + 1;
      return {
        traceId: ((number % 50) + 1).toString(16).padStart(32, "0"),
        spanId: number.toString(16).padStart(16, "0"),
        name: "call",
        startTimeUnixNano: "1704067200000000000",
        endTimeUnixNano: "1704067201000000000",
        attributes,
      };
    });
    await sendSpans(send, "late", spans);
  }
}

/** Resolves while it is under way: some calls are done, and not all. */
async function startAndWaitForTheMiddle(url: string): Promise<void> {
  await ask(url, createModel);
  await ask(url, start);
  await until(async () => (await ask<Newest>(url, newest)).costRecomputation.progress > 0);
  const { costRecomputation } = await ask<Newest>(url, newest);
  expect(costRecomputation.status).toBe("RUNNING");
}

async function expectEachOnce(url: string): Promise<void> {
  await until(async () => (await ask<Newest>(url, newest)).costRecomputation.status !== "RUNNING");
  expect(await ask(url, newest)).toEqual({
    costRecomputation: {
      ...{ status: "DONE", progress: 1, examinedSpans: CALLS, changedSpans: CALLS },
      ...{ oldCost: 0, newCost: SPENT },
    },
  });
  const question = `{ project: getProjectByName(name: "late") { costSummary { total { cost } } } }`;
  expect(await ask(url, question)).toEqual({ project: { costSummary: { total: { cost: SPENT } } } });
}

forEachDriver("costs recomputed by a server that is killed", (driver) => {
  const startService = servicesOfSuite();

  test("go on at its next start", async () => {
    const databaseUrl = await driver.createDatabase();
    const killed = await startService({ databaseUrl });
    await sendCalls(killed.url);
    await startAndWaitForTheMiddle(killed.url);
    await killed.kill();
    const next = await startService({ databaseUrl });
    await expectEachOnce(next.url);
    expect(await next.stop()).toBe(0);
    await expectVerified({ url: databaseUrl });
  });

  // A SQLite file has one server.
  if (driver.name === "sqlite") return;
  test("go on at the other server", async () => {
    const databaseUrl = await driver.createDatabase();
    const [killed, other] = await Promise.all([startService({ databaseUrl }), startService({ databaseUrl })]);
    await sendCalls(other.url);
    await startAndWaitForTheMiddle(killed.url);
    await killed.kill();
    await expectEachOnce(other.url);
    expect(await other.stop()).toBe(0);
    await expectVerified({ url: databaseUrl });
  });
});
