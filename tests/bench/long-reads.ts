// How long the pages of a long trace and of long sessions take. Usage: tests/bench/README.md
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportTo, sendSpans } from "../support/dataset.ts";
import { createHttpClient } from "../support/http.ts";
import { type OtlpSpan, otlpAttributes } from "../support/otlp-encode.ts";
import { startPostgres } from "../support/postgres.ts";
import { readArguments, sharedOptions } from "./arguments.ts";
import { endProgress, machine, milliseconds, percentile, progress, short, table } from "./figures.ts";
import { programName, startMeasured, stopMeasured } from "./service.ts";
import { attributesOf, treeOfSpans } from "./spans.ts";

const options = readArguments({
  driver: { default: "sqlite", choices: ["sqlite", "postgres"], meaning: "database" },
  spans: { default: 100_000, meaning: "spans of the long trace" },
  sessions: { default: 10, meaning: "long sessions" },
  traces: { default: 3000, meaning: "traces of each session, of two spans" },
  reads: { default: 30, meaning: "reads of each question that is always the same" },
  binary: sharedOptions.binary,
});

const PROJECT = "bench";
const TRACE = "f".repeat(32);
const START_MS = Date.now() - 24 * 3_600_000;
const EXPORT = 2000;
const PAGE = 1000;
const tree = treeOfSpans();
const smallAttributes = tree.map((span) => attributesOf(span, "small", null));

const database = await openDatabase();
const service = await startMeasured(database.url, options.binary);
const client = createHttpClient(service.url);
await fill();
const rows = [...(await measureTrace()), ...(await measureSessions())];
await stopMeasured(service);
await database.remove();
endProgress("done");

console.log(`\n${await machine()}`);
console.log(
  `service ${programName(options.binary)}, ${options.driver}, a trace of ${short(options.spans)} small spans, ${options.sessions} sessions of ${short(options.traces)} traces\n`,
);
console.log(table([["page", "p50", "p99", "highest", "pages"], ...rows]));
process.exit();

async function openDatabase(): Promise<{ readonly url: string; remove(): Promise<void> }> {
  if (options.driver === "postgres") {
    const cluster = await startPostgres({ durable: true });
    return { url: cluster.url, remove: () => cluster.dispose() };
  }
  const directory = await mkdtemp(join(tmpdir(), "spanlight-bench-long-"));
  return { url: `sqlite:///${directory}/spanlight.db`, remove: () => rm(directory, { recursive: true }) };
}

/** Spans of the trace and of the sessions arrive side by side, as they do: those of the trace are strewn over the table. */
async function fill(): Promise<void> {
  const send = exportTo(client);
  const parts = [spansOfTrace(), spansOfSessions()];
  const total = options.spans + options.sessions * options.traces * 2;
  for (let sent = 0; sent < total; ) {
    const spans = parts.flatMap((part) => nextOf(part, EXPORT / 2));
    await sendSpans(send, PROJECT, spans);
    sent += spans.length;
    progress(`${short(sent)} of ${short(total)} spans are stored`);
  }
}

/** Not `take`, which would end the generator. */
function nextOf(spans: Iterator<OtlpSpan, void>, most: number): OtlpSpan[] {
  const taken: OtlpSpan[] = [];
  while (taken.length < most) {
    const { value } = spans.next();
    if (!value) break;
    taken.push(value);
  }
  return taken;
}

function hexId(number: number, digits: 16 | 32): string {
  return (number + 1).toString(16).padStart(digits, "0");
}

function otlpSpan(traceId: string, id: number, parent: number | null, fromMs: number, toMs: number): OtlpSpan {
  const like = id % tree.length;
  return {
    traceId,
    spanId: hexId(id, 16),
    ...(parent === null ? {} : { parentSpanId: hexId(parent, 16) }),
    name: tree[like]!.name,
    startTimeUnixNano: String(BigInt(Math.round(fromMs * 1000)) * 1000n),
    endTimeUnixNano: String(BigInt(Math.round(toMs * 1000)) * 1000n),
    attributes: otlpAttributes(smallAttributes[like]!),
  };
}

/** In the order in which they end, the root last. */
function* spansOfTrace(): Generator<OtlpSpan, void> {
  for (let number = 1; number < options.spans; number++) {
    const from = START_MS + number * 100 - (number % 7) * 50;
    yield otlpSpan(TRACE, number, Math.floor(number / 10), from, from + 300);
  }
  yield otlpSpan(TRACE, 0, null, START_MS, START_MS + options.spans * 100);
}

/** Sessions in turn. In every second one no span names a user. */
function* spansOfSessions(): Generator<OtlpSpan, void> {
  for (let turn = 0; turn < options.traces; turn++) {
    for (let session = 0; session < options.sessions; session++) {
      const number = turn * options.sessions + session;
      const traceId = hexId(number, 32);
      const from = START_MS + turn * 10_000;
      const user = session % 2 === 0 ? { "user.id": `user ${session}` } : {};
      const own = otlpAttributes({ "session.id": `session ${session}`, ...user });
      for (const [id, parent] of [[1, 0] as const, [0, null] as const]) {
        const span = otlpSpan(traceId, id, parent, from + id, from + 900 - id + (turn % 50) * 10);
        const others = (span.attributes ?? []).filter(({ key }) => key !== "user.id");
        yield { ...span, attributes: [...others, ...own] };
      }
    }
  }
}

/** Milliseconds until the last byte, and the answer. */
async function timed(ask: () => ReturnType<typeof client.get>): Promise<{ ms: number; answer: Answer }> {
  const began = performance.now();
  const response = await ask();
  const ms = performance.now() - began;
  if (response.status !== 200) throw new Error(`${response.status}: ${response.text.slice(0, 300)}`);
  const answer = JSON.parse(response.text) as Answer;
  if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors).slice(0, 300));
  return { ms, answer };
}

interface Connection {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

/** What the questions below read out of answers, over REST and over GraphQL. */
interface Answer {
  readonly data: readonly unknown[] & {
    readonly project: { readonly id: string };
    readonly trace: { readonly id: string; readonly rootSpan: { readonly id: string } };
    readonly node: { readonly [list in "spans" | "descendants" | "traces" | "sessions"]: Connection };
  };
  readonly next_cursor: string | null;
  readonly errors?: unknown;
}

function rowOf(name: string, taken: readonly number[]): string[] {
  const figures = [percentile(taken, 0.5), percentile(taken, 0.99), Math.max(...taken)].map(milliseconds);
  return [name, ...figures, String(taken.length)];
}

/** Every page of a list, one after the other. `next` reads the cursor out of an answer; `rows` are those that must come in all. */
async function everyPage(
  name: string,
  rows: number,
  ask: (cursor: string | null) => ReturnType<typeof client.get>,
  read: (answer: Answer) => { readonly count: number; readonly next: string | null },
): Promise<string[]> {
  const taken: number[] = [];
  let found = 0;
  for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
    progress(`${name}: page ${taken.length + 1}`);
    const { ms, answer } = await timed(() => ask(cursor));
    const page = read(answer);
    taken.push(ms);
    found += page.count;
    cursor = page.next;
  }
  if (found !== rows) throw new Error(`${name}: ${found} rows, not ${rows}`);
  return rowOf(name, taken);
}

async function sameAgain(name: string, ask: () => ReturnType<typeof client.get>): Promise<string[]> {
  progress(name);
  const taken: number[] = [];
  await timed(ask);
  while (taken.length < options.reads) taken.push((await timed(ask)).ms);
  return rowOf(name, taken);
}

function graphql(query: string, variables: object = {}) {
  return client.post("/graphql", { json: { query, variables } });
}

/** What hangs below a span. */
function below(spanId: string, page: string, fields: string): string {
  return `query ($after: String) { node(id: "${spanId}") { ... on Span {
    descendants(${page}) { edges { node { ${fields} } } pageInfo { hasNextPage endCursor } } } } }`;
}

function restPage(answer: Answer) {
  return { count: answer.data.length, next: answer.next_cursor };
}

function connectionPage(list: "spans" | "descendants" | "traces") {
  return (answer: Answer) => {
    const { edges, pageInfo } = answer.data.node[list];
    return { count: edges.length, next: pageInfo.hasNextPage ? pageInfo.endCursor : null };
  };
}

function withCursor(path: string, cursor: string | null) {
  return client.get(cursor === null ? path : `${path}&cursor=${encodeURIComponent(cursor)}`);
}

async function measureTrace(): Promise<string[][]> {
  const list = `/v1/projects/${PROJECT}/spans`;
  const ofTrace = `limit=${PAGE}&trace_id=${TRACE}`;
  const every = (name: string, path: string) =>
    everyPage(name, options.spans, (cursor) => withCursor(path, cursor), restPage);
  const fields = "id spanId parentId name spanKind statusCode errorHead startTime latencyMs modelName tokenCountTotal";
  const spans = `spans(first: ${PAGE}, after: $after) { edges { node { ${fields} } } pageInfo { hasNextPage endCursor } }`;
  const found = await timed(() => graphql(`{ trace: getTraceByOtelId(traceId: "${TRACE}") { id rootSpan { id } } }`));
  const { id, rootSpan } = found.answer.data.trace;
  const root = `{ trace: node(id: "${id}") { ... on Trace { rootSpan { id name numChildSpans }
    spans(first: 1, rootSpansOnly: true) { edges { node { id } } } } } }`;
  return [
    await every("trace, REST, newest arrival first", `${list}?${ofTrace}`),
    await every("trace, REST, oldest arrival first", `${list}?${ofTrace}&order=asc`),
    await every("trace, REST, latest start first", `${list}?${ofTrace}&sort=start_time`),
    await every("trace, REST, earliest start first", `${list}?${ofTrace}&sort=start_time&order=asc`),
    await every("trace, OTLP", `${list}/otlpv1?${ofTrace}`),
    await everyPage(
      "trace, GraphQL, as the page asks",
      options.spans,
      (after) => graphql(`query ($after: String) { node(id: "${id}") { ... on Trace { ${spans} } } }`, { after }),
      connectionPage("spans"),
    ),
    await sameAgain("trace, GraphQL, its root", () => graphql(root)),
    await sameAgain("trace, GraphQL, three levels below the root", () =>
      graphql(
        `{ node(id: "${rootSpan.id}") { ... on Span { descendants(first: 100) { edges { node { ${fields} } } } } } }`,
      ),
    ),
    await everyPage(
      "trace, GraphQL, all levels below the root",
      options.spans - 1,
      (after) => graphql(below(rootSpan.id, `first: ${PAGE}, maxDepth: 0, after: $after`, fields), { after }),
      connectionPage("descendants"),
    ),
    await sameAgain("trace, GraphQL, spans by kind", () =>
      graphql(`{ node(id: "${id}") { ... on Trace { spanCountsByKind { spanKind count } } } }`),
    ),
    await sameAgain("trace, REST, its spans without a parent", () => client.get(`${list}?${ofTrace}&parent_id=null`)),
    await sameAgain("the same by start", () => client.get(`${list}?${ofTrace}&parent_id=null&sort=start_time`)),
    await sameAgain("trace, REST, its failed spans", () => client.get(`${list}?${ofTrace}&status_code=ERROR`)),
    await sameAgain("trace, REST, its spans of a rare name", () => client.get(`${list}?${ofTrace}&name=none`)),
  ];
}

async function measureSessions(): Promise<string[][]> {
  const { answer } = await timed(() => graphql(`{ project: getProjectByName(name: "${PROJECT}") { id } }`));
  const project = answer.data.project.id;
  const listed = (fields: string) => () =>
    graphql(`{ node(id: "${project}") { ... on Project { sessions(first: 50) { edges { node { ${fields} } } } } } }`);
  const first = await timed(listed("id"));
  const session = first.answer.data.node.sessions.edges[1]!.node.id;
  const ofSession = (fields: string, after?: string | null) =>
    graphql(
      `query ${after === undefined ? "" : "($after: String)"} { node(id: "${session}") { ... on ProjectSession { ${fields} } } }`,
      { after },
    );
  const turns = `traces(first: ${PAGE}, after: $after) {
    edges { cursor node { id traceId projectId startTime latencyMs numSpans errorCount tokenCountTotal } }
    pageInfo { hasNextPage endCursor } }`;
  const half = await timed(() => ofSession(turns, null));
  const middle = half.answer.data.node.traces.edges.at(-1)!.cursor;
  const contents = `traces(first: 8, after: $after) { edges { node { id errorsByType { exceptionType count }
    spans(first: 1, rootSpansOnly: true) { edges { node { id name payload { attributes } } } }
    keySteps(first: 60) { count spans { id name input { truncatedValue } output { truncatedValue } } } } } }`;
  return [
    await everyPage(
      "sessions, REST, pages of 100",
      options.sessions,
      (cursor) => withCursor(`/v1/projects/${PROJECT}/sessions?limit=100`, cursor),
      restPage,
    ),
    await sameAgain("sessions, GraphQL, rows alone", listed("id sessionId numTraces tokenUsage { total }")),
    await sameAgain("the same with first input", listed("firstInput { truncatedValue }")),
    await sameAgain("the same with last output", listed("lastOutput { truncatedValue }")),
    await sameAgain("the same with users", listed("userId")),
    await sameAgain("the same with 10 traces each", listed("traces(first: 10) { edges { node { id } } }")),
    await sameAgain("the same with median latency", listed("traceLatencyMsQuantile(probability: 0.5)")),
    await sameAgain(
      "as the page asks",
      listed(
        "id sessionId startTime endTime numTraces numTracesWithError userId tokenUsage { total } firstInput { truncatedValue } lastOutput { truncatedValue }",
      ),
    ),
    await sameAgain("one session, its head", () =>
      ofSession("id userId tokenUsage { total } traceLatencyMsQuantile(probability: 0.5)"),
    ),
    await everyPage(
      "one session, its turns",
      options.traces,
      (after) => ofSession(turns, after),
      connectionPage("traces"),
    ),
    await sameAgain("one session, eight turns with contents", () => ofSession(contents, middle)),
  ];
}
