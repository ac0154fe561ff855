// The spans of a batch on SQLite: what is stored already, the inserts, the ancestors and their sums.

import { costSourceCode, type SpanCost } from "../../costs/span-cost.ts";
import { spanKinds } from "../../model/span.ts";
import { blockOf } from "../../model/summaries/blocks/block.ts";
import type { SumVector } from "../../model/summaries/rollups/rollup.ts";
import type { AncestorRow } from "../../model/summaries/rollups/rollup-climb.ts";
import {
  type CallReference,
  type ChildSums,
  epochOf,
  mayHaveFailed,
  type OuterCall,
  type SpanReference,
  spanReferenceKey,
} from "../ingest-store.ts";
import { largeBytes, piecesOf } from "../large-value.ts";
import { type NewSpan, spanColumns } from "../span-columns.ts";
import type { SqliteConnection } from "./connection.ts";
import { sortFullBlocks } from "./span-order-blocks.ts";

const LLM = spanKinds.indexOf("LLM");

export function findStoredSpans(connection: SqliteConnection, spans: readonly SpanReference[]): Set<string> {
  const statement = connection.prepare("select 1 from spans where trace_id = ? and span_key = ?");
  const stored = new Set<string>();
  for (const span of spans) {
    if (statement.get(span.traceId, span.spanKey) !== null) stored.add(spanReferenceKey(span));
  }
  return stored;
}

export function sumStoredChildren(connection: SqliteConnection, spans: readonly CallReference[]): ChildSums[] {
  const statement = connection.prepare(
    `select sum(sum_errors) as errors, sum(sum_prompt) as prompt, sum(sum_completion) as completion,
       max(kind = ${LLM} and coalesce(prompt_tokens, 0) = ? and coalesce(completion_tokens, 0) = ?) as same
     from spans where trace_id = ? and parent_key = ? and on_cycle = 0`,
  );
  const found: ChildSums[] = [];
  for (const { traceId, spanKey, call } of spans) {
    const row = statement.get(call?.prompt ?? null, call?.completion ?? null, traceId, spanKey);
    const { same, ...sums } = row as Pick<SumVector, keyof SumVector> & { errors: number | null; same: number | null };
    if (sums.errors !== null) found.push({ traceId, spanKey, sums, hasSameCall: same === 1 });
  }
  return found;
}

export function findOuterCalls(connection: SqliteConnection, spans: readonly CallReference[]): OuterCall[] {
  const statement = connection.prepare(
    `select id, cast(coalesce(own_cost, 0) as text) as cost from spans
     where trace_id = ? and span_key = ? and kind = ${LLM} and coalesce(prompt_tokens, 0) = ?
       and coalesce(completion_tokens, 0) = ?
       and repeats_child = 0`,
  );
  const found: OuterCall[] = [];
  for (const { traceId, spanKey, call } of spans) {
    if (call === null) continue;
    const row = statement.get(traceId, spanKey, call.prompt, call.completion) as { id: number; cost: string } | null;
    if (row !== null) found.push({ id: row.id, traceId, spanKey, ...call, cost: BigInt(row.cost) });
  }
  return found;
}

export function markRepeating(connection: SqliteConnection, ids: readonly number[]): void {
  const update = connection.prepare("update spans set repeats_child = 1 where id = ?");
  const mark = connection.prepare("insert into span_block_marks (block) values (?)");
  for (const id of ids) update.run(id);
  for (const block of new Set(ids.map(blockOf))) mark.run(block);
}

const inserted = Object.values(spanColumns).map(({ of }) => of);
const INSERT_SPAN = `insert into spans (id, epoch, ${Object.keys(spanColumns).join(", ")})
  values (?, ?${", ?".repeat(inserted.length)})`;

export function insertSpans(connection: SqliteConnection, spans: readonly NewSpan[]): void {
  const insertSpan = connection.prepare(INSERT_SPAN);
  const insertPayload = connection.prepare(
    `insert into span_payloads (span_id, attributes, events, extra, has_large)
     values (?, jsonb(?), jsonb(?), jsonb(?), ?)`,
  );
  const insertPiece = connection.prepare("insert into large_values (span_id, path, seq, bytes) values (?, ?, ?, ?)");
  const insertLifetime = connection.prepare(
    `insert into trace_lifetimes (trace_id, lifetime_us) values (?, ?)
     on conflict (trace_id) do update set lifetime_us = max(lifetime_us, excluded.lifetime_us)`,
  );
  const insertFailed = connection.prepare("insert into pending_failures (span_id) values (?)");
  // There is one writer: the next id is known before the insert, and with it the epoch and the key of the payload.
  const sequence = connection.prepare("select seq from sqlite_sequence where name = 'spans'");
  let id = (sequence.get() as { seq: number } | null)?.seq ?? 0;
  // One list for all spans, handed over as it is: the types know only values one by one, which take twice as long.
  const row: (string | number | null)[] = [];
  for (const newSpan of spans) {
    const { span, traceId, cost } = newSpan;
    id++;
    row[0] = id;
    row[1] = epochOf(id);
    for (let column = 0; column < inserted.length; column++) row[column + 2] = inserted[column]!(newSpan);
    insertSpan.run(row as never);
    if (span.lifetimeUs !== null) insertLifetime.run(traceId, span.lifetimeUs);
    if (mayHaveFailed(span)) insertFailed.run(id);
    if (cost !== null) insertCost(connection, { id, traceId, startUs: span.startUs }, cost);
    insertPayload.run(id, span.attributes, span.events, span.extra, largeBytes(span.largeValues));
    for (const value of span.largeValues) {
      for (const piece of piecesOf(value)) insertPiece.run(id, piece.path, piece.seq, piece.bytes);
    }
  }
  sortFullBlocks(connection, id);
}

function insertCost(
  connection: SqliteConnection,
  { id, traceId, startUs }: { readonly id: number; readonly traceId: number; readonly startUs: number },
  cost: SpanCost,
): void {
  const insert = connection.prepare(
    `insert into span_costs (span_id, trace_id, model_id, start_us, cost, prompt_cost, completion_cost, prompt_tokens,
       completion_tokens, source, given_cost)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertDetail = connection.prepare(
    "insert into span_cost_details (span_id, token_type, is_prompt, tokens, cost) values (?, ?, ?, ?, ?)",
  );
  insert.run(
    id,
    traceId,
    cost.modelId,
    startUs,
    cost.total,
    cost.prompt,
    cost.completion,
    cost.promptTokens,
    cost.completionTokens,
    costSourceCode(cost.source),
    cost.given,
  );
  for (const detail of cost.details)
    insertDetail.run(id, detail.tokenType, detail.isPrompt ? 1 : 0, detail.tokens, detail.cost);
}

export function findAncestors(
  connection: SqliteConnection,
  starts: readonly SpanReference[],
  limit: number,
): AncestorRow[] {
  const statement = connection.prepare(
    "select id, parent_key, on_cycle from spans where trace_id = ? and span_key = ?",
  );
  const seen = new Set<string>();
  const countByTrace = new Map<number, number>();
  const found: AncestorRow[] = [];
  for (const { traceId, spanKey: startKey } of starts) {
    let spanKey: string | null = startKey;
    while (spanKey !== null) {
      const key = spanReferenceKey({ traceId, spanKey });
      const count = countByTrace.get(traceId) ?? 0;
      if (seen.has(key) || count > limit) break;
      seen.add(key);
      const row = statement.get(traceId, spanKey) as {
        id: number;
        parent_key: string | null;
        on_cycle: number;
      } | null;
      if (row === null) break;
      countByTrace.set(traceId, count + 1);
      found.push({ id: row.id, traceId, spanKey, parentKey: row.parent_key, onCycle: row.on_cycle !== 0 });
      spanKey = row.on_cycle !== 0 ? null : row.parent_key;
    }
  }
  return found;
}

export function addToSpanSums(
  connection: SqliteConnection,
  updates: readonly { readonly id: number; readonly delta: SumVector }[],
): void {
  const statement = connection.prepare(
    `update spans set sum_errors = sum_errors + ?, sum_prompt = sum_prompt + ?, sum_completion = sum_completion + ?
     where id = ?`,
  );
  for (const { id, delta } of updates) statement.run(delta.errors, delta.prompt, delta.completion, id);
}
