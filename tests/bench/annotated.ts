// How long lists and counts take that are narrowed by annotations, which three of ten spans have: labels of few and of many, of old
// spans only, bounds of scores. Usage: tests/bench/README.md
import { sql } from "kysely";
import { openTestStorage } from "../support/storage.ts";
import { readArguments, storedOptions } from "./arguments.ts";
import { milliseconds, percentile, progress, short, table } from "./figures.ts";
import { printHead, startOnStored } from "./measured.ts";

const options = readArguments({
  stored: { default: 1_000_000, meaning: "small spans in the database" },
  runs: { default: 7, meaning: "answers of each question" },
  ...storedOptions,
});

type Question = readonly [what: string, field: string];

const spansBy = (condition: string, sort = "sort: { col: startTime, dir: desc }"): string =>
  `spans(first: 100, ${sort}, filterCondition: ${JSON.stringify(condition)}) { edges { node { name } } }`;
const sessionsBy = (label: string): string =>
  `sessions(first: 100, sessionFilterCondition: "session_annotations['mood'].label == '${label}'") { edges { node { sessionId } } }`;
const questions: readonly Question[] = [
  ["page: label of 1 in 3,000 spans", spansBy("annotations['quality'].label == 'bad'")],
  ["page: label of 2 in 10", spansBy("annotations['quality'].label == 'good'")],
  ["page: label of 1 in 10, on old spans only", spansBy("annotations['quality'].label == 'poor'")],
  ["page: label that nobody gave", spansBy("annotations['quality'].label == 'none'")],
  ["page: score below 0.05", spansBy("annotations['quality'].score < 0.05")],
  ["page: score above 0.5", spansBy("annotations['quality'].score > 0.5")],
  ["page: there", spansBy("annotations['quality']")],
  ["page: not there", spansBy("not annotations['quality']")],
  ["page: label and score", spansBy("annotations['quality'].label == 'good' and annotations['quality'].score < 0.01")],
  ["page: rare label or text", spansBy("annotations['quality'].label == 'bad' or name == 'nothing'")],
  ["page: of its trace", spansBy("trace_annotations['verdict'].label == 'bad'")],
  [
    "page by latency: rare label",
    spansBy("annotations['quality'].label == 'bad'", "sort: { col: latencyMs, dir: desc }"),
  ],
  [
    "page by latency: frequent label",
    spansBy("annotations['quality'].label == 'good'", "sort: { col: latencyMs, dir: desc }"),
  ],
  [
    "traces: rare label",
    `traces(first: 100, filterCondition: "trace_annotations['verdict'].label == 'bad'") { edges { node { traceId } } }`,
  ],
  [
    "traces: rare label of the root span",
    `traces(first: 100, filterCondition: "root_annotations['verdict'].label == 'bad'") { edges { node { traceId } } }`,
  ],
  [
    "traces: frequent label of the root span",
    `traces(first: 100, filterCondition: "root_annotations['verdict'].label == 'good'") { edges { node { traceId } } }`,
  ],
  ["beside spans", "listedSpans { annotations { name count meanScore disputedCount } }"],
  ["beside traces: of root spans", "listedTraces { rootSpanAnnotations { name count meanScore disputedCount } }"],
  ["count: rare label", `recordCount(filterCondition: "annotations['quality'].label == 'bad'")`],
  ["count: frequent label", `recordCount(filterCondition: "annotations['quality'].label == 'good'")`],
  ["summary", `spanAnnotationSummary(annotationName: "quality") { count meanScore labelFractions { label fraction } }`],
  ["names in use", "spanAnnotationNameCounts { name count }"],
  ["sessions: rare label", sessionsBy("bad")],
  ["sessions: frequent label", sessionsBy("good")],
];

const { ask, projectId, databaseUrl, finish } = await startOnStored({
  ...options,
  size: "small",
  spans: options.stored,
  prepare: annotate,
});
await waitUntilSummarised();

const rows: string[][] = [["milliseconds", "p50", "slowest"]];
for (const [what, field] of questions) {
  progress(what);
  const taken: number[] = [];
  for (let run = 0; run < options.runs; run++) taken.push(await timeOf(field));
  rows.push([what, milliseconds(percentile(taken, 0.5)), milliseconds(Math.max(...taken))]);
}
await finish();

await printHead(options, `${short(options.stored)} small spans stored, annotations on 3 of 10`);
console.log(table(rows));
process.exit();

/** `quality` on 3 of 10 spans, `verdict` on 1 of 10 traces and on every root span, `mood` on 1 of 3 sessions. */
async function annotate(url: string): Promise<void> {
  progress("annotating");
  const store = await openTestStorage(url);
  const database = store.storage.handle.write(store.context());
  const columns = sql`name, identifier, label, label_head, score, explanation, annotator_kind, metadata, source, created_us, updated_us`;
  const rest = sql`'as a judge says it', 'LLM', '{"model": "judge-1"}', 'API', 0, 0`;
  const label = sql`case when id % 3000 = 0 then 'bad' when id < ${sql.lit(Math.round(options.stored / 3))} then 'poor' else 'good' end`;
  await sql`insert into span_annotations (span_id, ${columns})
    select id, 'quality', '', ${label}, ${label}, (id % 1000) / 1000.0, ${rest}
    from spans where id % 10 < 3`.execute(database);
  const verdict = sql`case when id % 1000 = 0 then 'bad' else 'good' end`;
  await sql`insert into trace_annotations (trace_id, ${columns})
    select id, 'verdict', '', ${verdict}, ${verdict}, null, ${rest} from traces where id % 10 = 0`.execute(database);
  await sql`insert into span_annotations (span_id, ${columns})
    select id, 'verdict', '', ${verdict}, ${verdict}, (id % 1000) / 1000.0, ${rest} from spans where parent_key is null`.execute(
    database,
  );
  const mood = sql`case when id % 300 = 0 then 'bad' else 'good' end`;
  await sql`insert into session_annotations (session_id, ${columns})
    select id, 'mood', '', ${mood}, ${mood}, null, ${rest} from sessions where id % 3 = 0`.execute(database);
  await store.close();
}

/** Blocks are summarised by the service, a while after it starts. */
async function waitUntilSummarised(): Promise<void> {
  progress("blocks are summarised");
  const store = await openTestStorage(databaseUrl);
  const blocks = Math.floor(options.stored / 4096) - 1;
  for (;;) {
    const { count } = await store.storage.handle
      .read(store.context(), "short")
      .selectFrom("span_blocks")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (Number(count) >= blocks) break;
    await Bun.sleep(200);
  }
  await store.close();
}

async function timeOf(field: string): Promise<number> {
  const began = performance.now();
  await ask(`query ($id: ID!) { node(id: $id) { ... on Project { ${field} } } }`, { id: projectId });
  return performance.now() - began;
}
