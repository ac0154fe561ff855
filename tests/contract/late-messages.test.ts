// Spans that get messages after their block was summarised: conditions find what came, and every sum agrees with the spans.

import { beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { parseSpanFilter } from "../../src/filter/filter.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import { silentLogger } from "../../src/kernel/logger.ts";
import { createMessagedTracesStore } from "../../src/otlp/logs/messaged-traces.store.ts";
import { createPendingMessages, type PendingMessages } from "../../src/otlp/logs/pending-messages.service.ts";
import { createPendingMessagesStore } from "../../src/otlp/logs/pending-messages.store.ts";
import { createSpanMessagesStore } from "../../src/otlp/logs/span-messages.store.ts";
import { createTraceSumsStore } from "../../src/storage/trace-sums.ts";
import { createBlockSource } from "../../src/summaries/blocks/block-source.store.ts";
import { createBlocksStore } from "../../src/summaries/blocks/blocks.store.ts";
import { verifyBlocks } from "../../src/summaries/blocks/blocks-verify.service.ts";
import { createCandidatesStore } from "../../src/summaries/blocks/candidates.store.ts";
import { createRollupsService } from "../../src/summaries/rollups/rollups.service.ts";
import { buildBlocks, randomOf, storeBlockSpans } from "../support/blocks.ts";
import { forEachDriver } from "../support/drivers.ts";
import { openTestStorage } from "../support/storage.ts";
import { openForSuite } from "../support/suite.ts";

const SPANS = 9000;
const clock: Clock = { now: () => 1 };
const CONDITION = "attributes['llm']['model_name'] == 'a late model'";

forEachDriver("messages after the summary of a block", (driver) => {
  const store = openForSuite(async () => openTestStorage(await driver.createDatabase()));
  let kept: PendingMessages;
  beforeAll(async () => {
    const { storage } = store;
    kept = createPendingMessages({
      storage,
      pending: createPendingMessagesStore(storage.dialect),
      spans: createSpanMessagesStore(storage.dialect),
      traces: createMessagedTracesStore(),
      sums: createTraceSumsStore(storage),
      rollups: createRollupsService(storage),
      calls: { priceChangedCalls: async () => {} },
      clock,
      log: silentLogger,
    });
    await storeBlockSpans(store, randomOf(12), 0, SPANS);
    await buildBlocks(store, 2);
  });

  const keysOf = async (id: number) => {
    const { rows } = await sql<{ trace: string; span: string }>`select t.trace_key as trace, s.span_key as span
      from spans s join traces t on t.id = s.trace_id where s.id = ${id}`.execute(
      store.storage.handle.read(store.context(), "short"),
    );
    return rows[0]!;
  };
  /** Whether the filters of the blocks let a list come to the span. */
  const isCandidate = async (id: number) => {
    const filter = parseSpanFilter(CONDITION);
    const ranges = await createCandidatesStore(store.storage.dialect).find(store.context(), filter.required!, {
      startUs: null,
      endUs: null,
    });
    // Null: the list is read without candidates.
    return (
      ranges === null || ranges.some((range) => range.lowest <= id && (range.highest ?? Number.POSITIVE_INFINITY) >= id)
    );
  };

  test("their span is found, at once and when the block has been summarised again", async () => {
    const id = 3000;
    expect(await isCandidate(id)).toBe(false);
    const { trace, span } = await keysOf(id);
    const attributes = {
      "openinference.span.kind": "LLM",
      "gen_ai.request.model": "a late model",
      "gen_ai.operation.name": "chat",
      "gen_ai.usage.input_tokens": 1000,
    };
    const name = "gen_ai.client.inference.operation.details";
    const body = JSON.stringify({ name, timeUs: 1, attributes });
    await kept.keep(store.context(), [{ traceKey: trace, spanKey: span, digest: "1", body }]);
    const blocks = createBlocksStore(store.storage);
    expect(await blocks.listMarked(store.context(), 9)).toEqual([{ block: 0, hasNewValues: true }]);
    expect(await isCandidate(id)).toBe(true);
    expect((await verifyBlocks(store.storage, store.context())).differences).toEqual([]);
    await buildBlocks(store, 2);
    expect(await blocks.listMarked(store.context(), 9)).toEqual([]);
    expect(await isCandidate(id)).toBe(true);
    expect((await verifyBlocks(store.storage, store.context())).differences).toEqual([]);
  });

  test("a change while its block is being read is not lost", async () => {
    const id = 6000;
    const { trace, span } = await keysOf(id);
    const give = (digest: string, model: string) => {
      const attributes = { "gen_ai.request.model": model, "gen_ai.operation.name": "chat" };
      const body = JSON.stringify({ name: "gen_ai.client.inference.operation.details", timeUs: 2, attributes });
      return kept.keep(store.context(), [{ traceKey: trace, spanKey: span, digest, body }]);
    };
    const blocks = createBlocksStore(store.storage);
    await give("2", "another model");
    const summary = await createBlockSource(store.storage.dialect).summarise(store.context(), 1);
    await give("3", "a late model");
    await blocks.rewriteBlock(store.context(), 1, summary);
    expect(await blocks.listMarked(store.context(), 9)).toEqual([{ block: 1, hasNewValues: true }]);
    await buildBlocks(store, 2);
    expect((await verifyBlocks(store.storage, store.context())).differences).toEqual([]);
  });
});
