// Spans with all that blocks tell apart, generated from a seed, and summaries of their blocks built inside the test's process.

import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { createCommitWatermark } from "../../src/storage/commit-watermark.ts";
import { type BlockSource, createBlockSource } from "../../src/summaries/blocks/block-source.store.ts";
import { type BlocksService, createBlocksService } from "../../src/summaries/blocks/blocks.service.ts";
import { createBlocksStore } from "../../src/summaries/blocks/blocks.store.ts";
import { incomingSpan, START_US } from "./spans.ts";
import type { TestStorage } from "./storage.ts";
import { until } from "./until.ts";

/** The blocks of a store, built when the test says so; `afterReading` is what others do between the reading of a block and the
 *  writing of its counts. */
export function blocksOf({ storage }: TestStorage, afterReading = async () => {}): BlocksService {
  const { dialect } = storage;
  const { count, summarise } = createBlockSource(dialect);
  const source: BlockSource = {
    summarise,
    async count(context, block) {
      const counts = await count(context, block);
      await afterReading();
      return counts;
    },
  };
  return createBlocksService({ store: createBlocksStore(storage), source, settled: createCommitWatermark(dialect) });
}

/** Builds until there are `expected` blocks and none is marked, and returns how many were written. On PostgreSQL that waits for
 *  the transactions of everybody else, also those of other suites. */
export async function buildBlocks(store: TestStorage, expected: number, blocks = blocksOf(store)): Promise<number> {
  const rows = createBlocksStore(store.storage);
  let written = 0;
  await until(async () => {
    const built = await rows.countBlocks(store.context());
    if (built >= expected && (await rows.listMarked(store.context(), 1)).length === 0) return true;
    written += await blocks.catchUp(store.context(), async () => (await rows.countBlocks(store.context())) < expected);
    return false;
  }, 50_000);
  return written;
}

export type Random = () => number;

/** Numbers from 0 to 1, the same for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const MINUTE_US = 60_000_000;
/** Values that the two databases and both languages read in their own ways. */
export const oddTexts = [
  "1",
  "1.0",
  " 1 ",
  "+1",
  "1e0",
  "true",
  "TRUE",
  "0x1",
  "",
  "null",
  "[1]",
  '{"a":1}',
  "é",
  "0.1",
  "1e-301",
];
export const oddJson = [
  "1",
  "1.0",
  "1e0",
  "0",
  "-0.0",
  "true",
  "false",
  "0.1",
  "1e-301",
  "9007199254740993",
  "1e300",
  "0.30000000000000004",
];

/** One span of project `p0`, `p1` or `p2`, of a trace of up to 20; `number` makes rare values. */
export function blockSpan(random: Random, number: number): IncomingSpan {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
  const project = Math.floor(number / 20) % 3;
  const status = pick(["OK", "OK", "UNSET", "ERROR"] as const);
  const startUs = START_US + Math.floor((number / 20) * MINUTE_US * random() * 2);
  const odds = number % 1000 < 40 ? `,"odd":${random() < 0.5 ? JSON.stringify(pick(oddTexts)) : pick(oddJson)}` : "";
  const list = number % 2000 < 30 ? `,"list":[${pick(oddJson)},{"x":${JSON.stringify(pick(oddTexts))}}]` : "";
  return incomingSpan({
    projectName: `p${project}`,
    traceKey: `trace-${Math.floor(number / 20)}`,
    name: number % 500 === 7 ? `rare ${Math.floor(number / 1000)}` : `step ${number % 7}`,
    parentKey: number % 50 === 0 ? `parent ${number}` : null,
    kind: pick(["LLM", "CHAIN", "TOOL"] as const),
    status,
    startUs,
    endUs: startUs + Math.floor(10 ** (random() * 8)),
    model: random() < 0.3 ? pick(["gpt-4o", "sonnet"]) : null,
    userKey: random() < 0.5 ? `user ${Math.floor(random() * 40)}` : null,
    promptTokens: random() < 0.3 ? Math.floor(random() * 100) : null,
    events:
      status === "ERROR" && random() < 0.7
        ? JSON.stringify([{ name: "exception", attributes: { "exception.type": pick(["TimeoutError", "KeyError"]) } }])
        : "[]",
    attributes: `{"number":${number},"text":"value ${number}","often":"of ${number % 3}","rare":${Math.floor(number / 1500)},"user":{"id":"user ${number % 50}"}${odds}${list}}`,
  });
}

/** Stores spans number `from` up to `to`, excluded, in that order. */
export async function storeBlockSpans(store: TestStorage, random: Random, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += 500) {
    const size = Math.min(500, to - first);
    await ingestBatch(
      store.ingest,
      Array.from({ length: size }, (_, position) => blockSpan(random, first + position)),
    );
  }
}
