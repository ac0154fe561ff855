// How fast examples come into datasets and out of them: uploads with the memory that they take, pages, differences, and spans made into
// examples. Usage: tests/bench/README.md
import { readArguments, storedOptions } from "./arguments.ts";
import { median, megabytes, milliseconds, progress, short, table } from "./figures.ts";
import { printHead, startOnStored } from "./measured.ts";
import { memoryOf } from "./process-tree.ts";

const BOUNDARY = "boundary-of-the-benchmark";
/** Bytes of a row that its question, id and turn take. */
const FRAME_BYTES = 60;
const PIECE_ROWS = 500;
const SAMPLE_MS = 100;

const options = readArguments({
  examples: { default: 100_000, meaning: "examples uploaded" },
  bytes: { default: 2000, meaning: "bytes of each" },
  spans: { default: 10_000, meaning: "spans made into examples; 0: none, and no second upload" },
  runs: { default: 7, meaning: "answers of each question" },
  ...storedOptions,
});

const isWhole = options.spans > 0;
const { service, ask, projectId, finish } = await startOnStored({
  ...options,
  size: "small",
  spans: isWhole ? options.spans : 2000,
});
// The first upload would also start its thread.
await upload("warm-up", 1000, 0);

let peak = 0;
const watching = setInterval(async () => {
  peak = Math.max(peak, (await memoryOf(service.pid)).pss);
}, SAMPLE_MS);
const first = await upload("bench", options.examples, 0);
clearInterval(watching);
const rows = [
  [`${short(options.examples)} examples of ${options.bytes} bytes`, "figure"],
  ["uploaded as JSON lines", `${first.seconds.toFixed(1)} s`],
  ["examples a second", short(options.examples / first.seconds)],
  ["highest memory of the service (PSS)", megabytes(peak)],
];
if (isWhole) rows.push(...(await read()));
await finish();
await printHead(options);
console.log(table(rows));
process.exit();

async function read(): Promise<string[][]> {
  // Every example is another one afterwards.
  const second = await upload("bench", options.examples, 1);
  let cursor = "";
  const pages: number[] = [];
  const differences: number[] = [];
  const { id, version } = first;
  const node = (fields: string) => `{ node(id: "${id}") { ... on Dataset { ${fields} } } }`;
  for (let run = 0; run < options.runs; run++) {
    progress(`reading ${run}`);
    const page =
      "pageInfo { endCursor } edges { node { id revision { input output metadata } datasetSplits { name } } }";
    const behind = pages.length === 0 ? "" : `, after: "${cursor}"`;
    const [answer, taken] = await timed(
      node(`examples(first: 100, datasetVersionId: "${version}"${behind}) { ${page} }`),
    );
    cursor = answer.node.examples.pageInfo.endCursor;
    pages.push(taken);
    const difference = `versionDifference(fromVersionId: "${version}", toVersionId: "${second.version}")`;
    const [told, spent] = await timed(node(`${difference} { counts { added changed removed } }`));
    if (told.node.versionDifference.counts.changed !== options.examples) throw new Error("The difference is wrong");
    differences.push(spent);
  }
  const made = await ask('mutation { createDataset(input: { name: "spans" }) { dataset { id } } }');
  const matching = `{ matching: { projectId: "${projectId}", filterCondition: "" } }`;
  const [added, taken] = await timed(
    `mutation { addSelectionToDataset(input: { datasetId: "${made.createDataset.dataset.id}", selection: ${matching} })
      { dataset { exampleCount } } }`,
  );
  const { exampleCount } = added.addSelectionToDataset.dataset;
  return [
    ["uploaded again, each changed", `${second.seconds.toFixed(1)} s`],
    ["page of 100 of a version, p50", milliseconds(median(pages))],
    ["difference of the two versions, p50", milliseconds(median(differences))],
    [`${short(exampleCount)} spans into a dataset`, milliseconds(taken)],
  ];
}

async function timed(query: string): Promise<[data: Awaited<ReturnType<typeof ask>>, milliseconds: number]> {
  const began = performance.now();
  return [await ask(query), performance.now() - began];
}

/** Uploads examples with own ids as a stream; `turn` makes each another one. */
async function upload(name: string, count: number, turn: number) {
  const filling = "an answer as a model gives it, with words and commas. ".repeat(Math.ceil(options.bytes / 50));
  const answer = filling.slice(0, Math.max(0, options.bytes - FRAME_BYTES));
  const fields = Object.entries({
    name,
    action: "update",
    "input_keys[]": "question",
    "output_keys[]": "answer",
    example_id_key: "id",
  });
  const part = (head: string, text: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="f.jsonl"\r\nContent-Type: application/jsonl\r\n\r\n`;
  const began = performance.now();
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) =>
      controller.enqueue(Buffer.from(fields.map(([key, text]) => part(`name="${key}"`, text)).join("") + file)),
    pull(controller) {
      if (at >= count) {
        controller.enqueue(Buffer.from(`\r\n--${BOUNDARY}--\r\n`));
        controller.close();
        return;
      }
      let text = "";
      for (const end = Math.min(count, at + PIECE_ROWS); at < end; at++) {
        text += `{"id":"r${at}","question":"Question ${at}, turn ${turn}","answer":"${answer}"}\n`;
      }
      progress(`${name}: ${short(at)} sent`);
      controller.enqueue(Buffer.from(text));
    },
  });
  const response = await fetch(`${service.url}/v1/datasets/upload?sync=true`, {
    method: "POST",
    headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
    body,
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  const { data } = (await response.json()) as { data: { dataset_id: string; version_id: string } };
  return { id: data.dataset_id, version: data.version_id, seconds: (performance.now() - began) / 1000 };
}
