// What calls cost, summed over projects, models, users and kinds of token, is what a walk over every call comes to, to the unit,
// however much is summarised already.

import { beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { createCostGroupsStore } from "../../src/modules/tracing/costs/cost-groups.store.ts";
import { costDimensions } from "../../src/modules/tracing/costs/costs.schema.ts";
import { createCostsStore } from "../../src/modules/tracing/costs/costs.store.ts";
import { createDeletionService } from "../../src/modules/tracing/deletion/deletion.service.ts";
import { createTransferService } from "../../src/modules/tracing/deletion/transfer.service.ts";
import { createCostChangesStore } from "../../src/modules/tracing/models/recomputation/cost-changes.store.ts";
import { ownedTables } from "../../src/server/features.ts";
import { binOf, type TimeBins } from "../../src/storage/time-bins.ts";
import { verifyBlocks } from "../../src/summaries/blocks/blocks-verify.service.ts";
import { createRollupsService } from "../../src/summaries/rollups/rollups.service.ts";
import { buildBlocks, type Random, randomOf } from "../support/blocks.ts";
import { forEachDriver } from "../support/drivers.ts";
import { GIVEN, INPUT, OUTPUT, type PriceSpan, pricesOf, testPrice } from "../support/prices.ts";
import { settled } from "../support/settled.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openTestStorage } from "../support/storage.ts";
import { openForSuite } from "../support/suite.ts";

const HOUR_US = 3_600_000_000;
const MONTH_US = 30 * 24 * HOUR_US;
const SPANS = 9000;
/** As much as a call may cost. */
const DEAR = Number.MAX_SAFE_INTEGER;

/** A call of `dear` costs more than its share of what fits into 53 bits. */
const price: PriceSpan = (span) => {
  const cost = testPrice(span);
  return span.model === "dear" && cost !== null ? { ...cost, source: "given", total: DEAR, given: DEAR } : cost;
};

/** One span of a month, of a trace of ten; who asked stands at every fourth call, and of half of the traces at their last span. In every
 *  other trace one call stands around another that repeats it. */
function monthSpan(random: Random, number: number) {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
  const trace = Math.floor(number / 10);
  const startUs = START_US + Math.floor((trace / (SPANS / 10)) * MONTH_US) + Math.floor(random() * HOUR_US * 3);
  const isRepeated = trace % 2 === 1 && (number % 10 === 3 || number % 10 === 4);
  const isCall = random() < 0.6 || isRepeated;
  const isLast = number % 10 === 9;
  const models = ["known", "known", "given", "strange", "m".repeat(300), null];
  return incomingSpan({
    projectName: `p${trace % 2}`,
    traceKey: `trace-${trace}`,
    spanKey: `span-${number}`,
    parentKey: isRepeated && number % 10 === 4 ? `span-${number - 1}` : null,
    kind: isCall ? "LLM" : "CHAIN",
    startUs,
    endUs: startUs + 1000,
    ...(isRepeated
      ? { model: "known", promptTokens: 1000, completionTokens: 10 }
      : {
          model: isCall ? (number % 900 === 0 ? "dear" : pick(models)) : null,
          promptTokens: isCall ? Math.floor(random() * 100_000) : null,
          completionTokens: isCall ? Math.floor(random() * 9000) : null,
        }),
    userKey: (isLast && trace % 4 < 2) || (isCall && number % 4 === 0) ? `user ${trace % 40}` : null,
  });
}

forEachDriver("sums of costs", (driver) => {
  const store = openForSuite(async () => openTestStorage(await driver.createDatabase()));
  let projects: number[];
  beforeAll(async () => {
    const random = randomOf(7);
    const all = Array.from({ length: SPANS }, (_none, number) => monthSpan(random, number));
    // The last spans of traces come when all others are there: many a trace lies in two blocks.
    const late = (number: number) => number % 10 === 9;
    const inOrder = [...all.filter((_span, at) => !late(at)), ...all.filter((_span, at) => late(at))];
    for (let first = 0; first < SPANS; first += 500) {
      await ingestBatch(store.ingest, inOrder.slice(first, first + 500), pricesOf(price));
    }
    const rows = await read().selectFrom("projects").select("id").where("name", "in", ["p0", "p1"]).execute();
    projects = rows.map(({ id }) => id).sort((one, other) => one - other);
  });

  const read = () => store.storage.handle.read(store.context(), "short");
  const stores = () => {
    const { storage } = store;
    const transfer = createTransferService(storage);
    return {
      costs: createCostsStore(storage.dialect),
      groups: createCostGroupsStore(storage.dialect),
      transfer,
      deletion: createDeletionService({ ownedTables, storage, rollups: createRollupsService(storage), transfer }),
      changes: createCostChangesStore(storage),
    };
  };

  /** Every call that counts, with what it costs by itself and by kind, and who asked. */
  async function readCalls() {
    const spans = await read()
      .selectFrom("spans")
      .leftJoin("span_costs", "span_costs.span_id", "spans.id")
      .selectAll("spans")
      .select(["span_costs.span_id as priced", "cost", "prompt_cost", "completion_cost"])
      .select(["span_costs.prompt_tokens as costPrompt", "span_costs.completion_tokens as costCompletion"])
      .execute();
    const details = Map.groupBy(
      await read().selectFrom("span_cost_details").selectAll().execute(),
      ({ span_id }) => span_id,
    );
    const traces = Map.groupBy(spans, ({ trace_id }) => trace_id);
    const users = new Map(
      [...traces].map(([id, members]) => {
        const named = members.filter(({ user_key }) => user_key !== null);
        return [
          id,
          named.sort((one, other) => one.start_us - other.start_us || one.id - other.id)[0]?.user_key ?? null,
        ];
      }),
    );
    return spans
      .filter(({ repeats_child }) => repeats_child === 0)
      .map((span) => ({
        ...span,
        user: span.user_key ?? users.get(span.trace_id)!,
        details: details.get(span.id) ?? [],
      }));
  }
  type Call = Awaited<ReturnType<typeof readCalls>>[number];
  interface Amount {
    readonly key: string | null;
    readonly cost: number | null;
    readonly tokens: number | null;
    readonly unknown: number;
  }

  /** What a call adds, by dimension. */
  const amounts: Record<(typeof costDimensions)[number], (call: Call) => Amount[]> = {
    model: (call) => amountOf(call, call.model),
    user: (call) => amountOf(call, call.user),
    kind: ({ details }) =>
      details.map(({ is_prompt, token_type, tokens, cost }) => {
        return { key: `${is_prompt === 1 ? "in" : "out"} ${token_type}`, cost, tokens, unknown: cost === null ? 1 : 0 };
      }),
  };
  function amountOf({ own_cost: cost, prompt_tokens, completion_tokens, model }: Call, key: string | null): Amount[] {
    const isCounted = prompt_tokens !== null || completion_tokens !== null;
    if (cost === null && !isCounted) return [];
    const unknown = cost === null && model !== null && isCounted ? 1 : 0;
    return [{ key, cost, tokens: (prompt_tokens ?? 0) + (completion_tokens ?? 0), unknown }];
  }
  const sum = (numbers: readonly (number | null)[]) => {
    const present = numbers.filter((number) => number !== null);
    return present.length === 0 ? null : Number(present.reduce((total, number) => total + BigInt(number), 0n));
  };
  const byKey = (rows: readonly { readonly key: string | null }[]) =>
    [...rows].sort((one, other) => String(one.key).localeCompare(String(other.key)));

  const periods = [
    [START_US, START_US + 31 * 24 * HOUR_US],
    [START_US + 1.5 * HOUR_US, START_US + 200.3 * HOUR_US],
    [START_US + 100.2 * HOUR_US, START_US + 100.9 * HOUR_US],
  ] as const;
  const allBins: readonly TimeBins[] = [
    { scale: "DAY", offsetMinutes: 0 },
    { scale: "DAY", offsetMinutes: 330 },
    { scale: "WEEK", offsetMinutes: -120 },
  ];

  async function compareAll(): Promise<void> {
    const calls = await readCalls();
    const { costs, groups } = stores();
    for (const projectId of projects) {
      for (const [startUs, endUs] of [...periods, [null, null] as const]) {
        const scope = settled({ startUs, endUs, spanCondition: null, sessionCondition: null });
        const inRange = calls.filter(({ project_id, start_us }) => {
          return project_id === projectId && start_us >= (startUs ?? 0) && start_us < (endUs ?? Number.MAX_VALUE);
        });
        const priced = inRange.filter(({ priced }) => priced !== null);
        expect((await costs.projectSums(store.context(), projects, scope)).get(projectId)).toEqual({
          promptTokens: sum(priced.map(({ costPrompt }) => costPrompt)),
          completionTokens: sum(priced.map(({ costCompletion }) => costCompletion)),
          prompt: sum(priced.map(({ prompt_cost }) => prompt_cost)),
          completion: sum(priced.map(({ completion_cost }) => completion_cost)),
          total: sum(priced.map(({ cost }) => cost)),
        });
        for (const dimension of costDimensions) {
          const added = Map.groupBy(inRange.flatMap(amounts[dimension]), ({ key }) => key);
          const expected = [...added].map(([key, rows]) => ({
            key,
            cost: sum(rows.map(({ cost }) => cost)),
            tokens: sum(rows.map(({ tokens }) => tokens)),
            unknown: rows.reduce((total, { unknown }) => total + unknown, 0),
          }));
          const top = await groups.topGroups(store.context(), projectId, scope, dimension, 1000);
          expect(byKey(top)).toEqual(byKey(expected));
          const inOrder = top.map(({ cost }) => cost ?? -1);
          expect(inOrder).toEqual(inOrder.toSorted((one, other) => other - one));
        }
        if (startUs !== null) await compareBins(projectId, { startUs, endUs }, inRange);
      }
    }
  }

  async function compareBins(projectId: number, range: { startUs: number; endUs: number }, calls: readonly Call[]) {
    const { costs, groups } = stores();
    for (const [position, bins] of allBins.entries()) {
      const byBin = Map.groupBy(calls, ({ start_us }) => binOf(start_us, bins));
      const dimension = costDimensions[position]!;
      const found = await groups.groupsByBin(
        store.context(),
        projectId,
        range,
        dimension,
        ["known", null, "user 3"],
        bins,
      );
      const costOf = (members: readonly Call[], isIn: (key: string | null) => boolean) =>
        sum(members.flatMap(amounts[dimension]).flatMap(({ key, cost }) => (isIn(key) ? [cost] : [])));
      for (const key of ["known", null, "user 3"]) {
        const cells = found.filter((cell) => cell.key === key && !cell.isOthers && cell.cost !== null);
        const expected = [...byBin].flatMap(([bin, members]) => {
          const cost = costOf(members, (other) => other === key);
          return cost === null ? [] : [[bin, cost]];
        });
        expect(cells.map(({ bin, cost }) => [bin, cost]).sort(byBegin)).toEqual(expected.sort(byBegin));
      }
      const series = await costs.sumsByBin(store.context(), projectId, range, bins);
      const all = await groups.allByBin(store.context(), projectId, range, bins);
      for (const [bin, members] of byBin) {
        const total = sum(members.map(({ cost }) => cost));
        expect(series.get(bin)?.total ?? null).toBe(total);
        expect(all.find((cell) => cell.bin === bin)?.cost ?? null).toBe(total);
      }
    }
  }
  const byBegin = (one: readonly (number | null)[], other: readonly (number | null)[]) => one[0]! - other[0]!;

  test("a month comes to what its calls were sent with", async () => {
    const random = randomOf(7);
    const sent = Array.from({ length: SPANS }, (_none, number) => monthSpan(random, number));
    const cost = sent.reduce((total, { projectName, model, promptTokens, completionTokens }) => {
      if (projectName !== "p0") return total;
      const known = BigInt((promptTokens ?? 0) * INPUT) + BigInt((completionTokens ?? 0) * OUTPUT);
      return total + (model === "known" ? known : BigInt(model === "given" ? GIVEN : model === "dear" ? DEAR : 0));
    }, 0n);
    const scope = settled({ startUs: null, endUs: null, spanCondition: null, sessionCondition: null });
    const sums = await stores().costs.projectSums(store.context(), projects, scope);
    expect(sums.get(projects[0]!)!.total).toBe(Number(cost));
  });

  test("while blocks are built", async () => {
    await compareAll();
    await buildBlocks(store, 1);
    await compareAll();
    await buildBlocks(store, 2);
    await compareAll();
  });

  test("after deletions, moves and other prices, before and after blocks are counted again", async () => {
    const { transfer, deletion, changes } = stores();
    const traces = await read()
      .selectFrom("traces")
      .select(["id", "trace_key as traceKey", "span_count as spanCount"])
      .where("project_id", "=", projects[0]!)
      .orderBy("id")
      .execute();
    for (const trace of traces.slice(0, 5)) await deletion.deleteTrace(store.context(), trace);
    await transfer.transferTraces(
      store.context(),
      traces.slice(5, 9).map(({ id }) => id),
      projects[1]!,
    );
    const strange = (await readCalls()).filter(({ model }) => model === "strange").slice(0, 50);
    expect(strange).toHaveLength(50);
    await store.storage.transaction(store.context(), (inner) =>
      changes.changeSpanCosts(
        inner,
        strange.map((call) => ({
          ...{ spanId: call.id, traceId: call.trace_id, sessionId: null, startUs: call.start_us },
          ...{ repeatsChild: false, before: null },
          after: testPrice(
            incomingSpan({
              model: "known",
              promptTokens: call.prompt_tokens,
              completionTokens: call.completion_tokens,
            }),
          ),
        })),
      ),
    );
    await compareAll();
    await buildBlocks(store, 2);
    await compareAll();
  });

  test("what `verify` finds in them is named", async () => {
    expect((await verifyBlocks(store.storage, store.context())).differences).toEqual([]);
    const write = store.storage.handle.write(store.context());
    await sql`update span_block_costs set cost = cost + 1 where block = 1 and value = ${"known"}`.execute(write);
    const { differences } = await verifyBlocks(store.storage, store.context());
    expect(differences[0]).toMatch(
      /^block 1: cost by model "known" of project \d+ in hour \d+ is cost \d+, .+, recomputed cost \d+, /,
    );
    await sql`update span_block_costs set cost = cost - 1 where block = 1 and value = ${"known"}`.execute(write);
  });
});
