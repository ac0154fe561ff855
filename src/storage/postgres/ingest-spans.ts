// The spans of a batch on PostgreSQL: what is stored already, the bulk insert, the ancestors and their sums.

import { costSourceCode } from "../../costs/span-cost.ts";
import { type IncomingSpan, spanKinds } from "../../model/span.ts";
import { blockOf } from "../../model/summaries/blocks/block.ts";
import type { SumVector } from "../../model/summaries/rollups/rollup.ts";
import type { AncestorRow } from "../../model/summaries/rollups/rollup-climb.ts";
import {
  type CallReference,
  type ChildSums,
  EPOCH_BITS,
  mayHaveFailed,
  type OuterCall,
  type SpanReference,
  spanReferenceKey,
} from "../ingest-store.ts";
import { largeBytes, piecesOf } from "../large-value.ts";
import { type NewSpan, spanColumns } from "../span-columns.ts";
import type { Send } from "./leased-session.ts";
import type { PostgresSql } from "./session.ts";

const LLM = spanKinds.indexOf("LLM");

function traceIds(spans: readonly SpanReference[]): number[] {
  return spans.map((span) => span.traceId);
}

function spanKeys(spans: readonly SpanReference[]): string[] {
  return spans.map((span) => span.spanKey);
}

export async function findStoredSpans(sql: PostgresSql, spans: readonly SpanReference[]): Promise<Set<string>> {
  const rows = await sql<{ trace_id: number; span_key: string }[]>`
    select s.trace_id, s.span_key
    from unnest(${traceIds(spans)}::bigint[], ${spanKeys(spans)}::text[]) as row (trace_id, span_key)
    join spans s on s.trace_id = row.trace_id and s.span_key = row.span_key`;
  return new Set(rows.map((row) => spanReferenceKey({ traceId: row.trace_id, spanKey: row.span_key })));
}

export async function sumStoredChildren(sql: PostgresSql, spans: readonly CallReference[]): Promise<ChildSums[]> {
  const rows = await sql<({ trace_id: number; parent_key: string; same: boolean | null } & SumVector)[]>`
    select s.trace_id, s.parent_key, sum(s.sum_errors)::bigint as errors, sum(s.sum_prompt)::bigint as prompt,
      sum(s.sum_completion)::bigint as completion,
      bool_or(s.kind = ${LLM} and coalesce(s.prompt_tokens, 0) = row.prompt and coalesce(s.completion_tokens, 0) = row.completion)
        as same
    from unnest(${traceIds(spans)}::bigint[], ${spanKeys(spans)}::text[], ${spans.map(({ call }) => call?.prompt ?? null)}::bigint[],
      ${spans.map(({ call }) => call?.completion ?? null)}::bigint[]) as row (trace_id, span_key, prompt, completion)
    join spans s on s.trace_id = row.trace_id and s.parent_key = row.span_key
    where s.on_cycle = 0 group by s.trace_id, s.parent_key`;
  return rows.map(({ trace_id, parent_key, same, errors, prompt, completion }) => ({
    traceId: trace_id,
    spanKey: parent_key,
    sums: { errors, prompt, completion },
    hasSameCall: same === true,
  }));
}

export async function findOuterCalls(sql: PostgresSql, spans: readonly CallReference[]): Promise<OuterCall[]> {
  const rows = await sql<
    { id: number; trace_id: number; span_key: string; prompt: number; completion: number; cost: string }[]
  >`
    select s.id, s.trace_id, s.span_key, row.prompt, row.completion,
      coalesce(s.own_cost, 0)::text as cost
    from unnest(${traceIds(spans)}::bigint[], ${spanKeys(spans)}::text[], ${spans.map(({ call }) => call?.prompt ?? null)}::bigint[],
      ${spans.map(({ call }) => call?.completion ?? null)}::bigint[]) as row (trace_id, span_key, prompt, completion)
    join spans s on s.trace_id = row.trace_id and s.span_key = row.span_key
    where s.kind = ${LLM} and coalesce(s.prompt_tokens, 0) = row.prompt and coalesce(s.completion_tokens, 0) = row.completion
      and s.repeats_child = 0`;
  return rows.map(({ trace_id, span_key, cost, ...row }) => ({
    ...row,
    traceId: trace_id,
    spanKey: span_key,
    cost: BigInt(cost),
  }));
}

/** One statement: blocks are marked in it, too. */
export function markRepeating(sql: PostgresSql, ids: readonly number[]): Promise<unknown> {
  return sql`
    with marked as (
      insert into span_block_marks (block) select block from unnest(${[...new Set(ids.map(blockOf))]}::bigint[]) as row (block))
    update spans set repeats_child = 1 where id = any(${[...ids]}::bigint[])`;
}

const inserted = Object.values(spanColumns);
const insertedNames = Object.keys(spanColumns).join(", ");
const insertedLists = inserted.map(
  ({ type }, position) => `$${position + 4}::${type.startsWith("text") ? "text" : "bigint"}[]`,
);

const INSERT_SPANS = `
  with taken as materialized (
    select array_agg(nextval(pg_get_serial_sequence('spans', 'id'))) as ids from generate_series(1, $1)),
  payload as (
    insert into span_payloads (span_id, attributes, events, extra, has_large)
    select (select ids from taken)[given.position], value -> 0, value -> 1, nullif(value -> 2, 'null'), (value -> 3)::bigint
    from jsonb_array_elements($2::text::jsonb) with ordinality as given (value, position))
  insert into spans (id, epoch, may_be_root, ${insertedNames})
  select (select ids from taken)[position], (select ids from taken)[position] >> ${EPOCH_BITS}, may_be_root, ${insertedNames}
  from unnest($3::bigint[], ${insertedLists.join(", ")}) with ordinality as given (may_be_root, ${insertedNames}, position)`;

/** Sends spans and payloads in one statement; waits only for large values, so that few of them are in memory at once. */
export async function insertSpans(sql: PostgresSql, send: Send, spans: readonly NewSpan[]): Promise<void> {
  const payloads = payloadsText(spans.map(({ span }) => span));
  const lists = inserted.map(({ of }) => spans.map((span) => of(span)));
  send(sql.unsafe(INSERT_SPANS, [spans.length, payloads, mayBeRoots(spans), ...lists], { prepare: true }));
  const priced = spans.filter(({ cost }) => cost !== null);
  if (priced.length > 0) send(insertCosts(sql, priced));
  const limited = spans.filter(({ span }) => span.lifetimeUs !== null);
  if (limited.length > 0) send(insertLifetimes(sql, limited));
  const failed = spans.filter(({ span }) => mayHaveFailed(span));
  if (failed.length > 0) send(markFailed(sql, failed));
  for (const { span, traceId } of spans) {
    for (const value of span.largeValues) {
      for (const { path, seq, bytes } of piecesOf(value)) {
        await sql`insert into large_values (span_id, path, seq, bytes)
          select s.id, ${path}, ${seq}, ${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)}
          from spans s where s.trace_id = ${traceId} and s.span_key = ${span.spanKey}`;
      }
    }
  }
}

/** The spans are there already. */
function markFailed(sql: PostgresSql, spans: readonly NewSpan[]): Promise<unknown> {
  return sql`
    insert into pending_failures (span_id)
    select s.id from unnest(${spans.map(({ traceId }) => traceId)}::bigint[],
      ${spans.map(({ span }) => span.spanKey)}::text[]) as given (trace_id, span_key)
    join spans s on s.trace_id = given.trace_id and s.span_key = given.span_key`;
}

function insertLifetimes(sql: PostgresSql, spans: readonly NewSpan[]): Promise<unknown> {
  return sql`
    insert into trace_lifetimes (trace_id, lifetime_us)
    select trace_id, max(lifetime_us) from unnest(${spans.map(({ traceId }) => traceId)}::bigint[],
      ${spans.map(({ span }) => span.lifetimeUs)}::bigint[]) as given (trace_id, lifetime_us) group by trace_id
    on conflict (trace_id) do update set lifetime_us = greatest(trace_lifetimes.lifetime_us, excluded.lifetime_us)`;
}

/** One statement for the costs and their details. The spans are there already. */
function insertCosts(sql: PostgresSql, spans: readonly NewSpan[]): Promise<unknown> {
  const costs = spans.map(({ cost }) => cost!);
  const details = costs.flatMap((cost, at) => cost.details.map((detail) => ({ at: at + 1, ...detail })));
  return sql`
    with given as materialized (
      select row.*, s.id, s.start_us
      from unnest(${spans.map(({ traceId }) => traceId)}::bigint[], ${spans.map(({ span }) => span.spanKey)}::text[],
        ${costs.map(({ modelId }) => modelId)}::bigint[], ${costs.map(({ total }) => total)}::bigint[],
        ${costs.map(({ prompt }) => prompt)}::bigint[], ${costs.map(({ completion }) => completion)}::bigint[],
        ${costs.map(({ promptTokens }) => promptTokens)}::bigint[],
        ${costs.map(({ completionTokens }) => completionTokens)}::bigint[],
        ${costs.map(({ source }) => costSourceCode(source))}::bigint[], ${costs.map((cost) => cost.given)}::bigint[])
        with ordinality as row (trace_id, span_key, model_id, cost, prompt_cost, completion_cost, prompt_tokens,
          completion_tokens, source, given_cost, position)
      join spans s on s.trace_id = row.trace_id and s.span_key = row.span_key),
    cost as (
      insert into span_costs (span_id, trace_id, model_id, start_us, cost, prompt_cost, completion_cost, prompt_tokens,
        completion_tokens, source, given_cost)
      select id, trace_id, model_id, start_us, cost, prompt_cost, completion_cost, prompt_tokens, completion_tokens, source,
        given_cost from given)
    insert into span_cost_details (span_id, token_type, is_prompt, tokens, cost)
    select given.id, detail.token_type, detail.is_prompt, detail.tokens, detail.cost
    from unnest(${details.map(({ at }) => at)}::bigint[], ${details.map(({ tokenType }) => tokenType)}::text[],
      ${details.map(({ isPrompt }) => (isPrompt ? 1 : 0))}::bigint[], ${details.map(({ tokens }) => tokens)}::bigint[],
      ${details.map(({ cost }) => cost)}::bigint[]) as detail (position, token_type, is_prompt, tokens, cost)
    join given on given.position = detail.position`;
}

/** 0 for spans whose parent is among them. */
function mayBeRoots(spans: readonly NewSpan[]): number[] {
  const keys = new Set(spans.map(({ traceId, span }) => spanReferenceKey({ traceId, spanKey: span.spanKey })));
  return spans.map(({ traceId, span: { parentKey } }) =>
    parentKey !== null && keys.has(spanReferenceKey({ traceId, spanKey: parentKey })) ? 0 : 1,
  );
}

/** Attributes and events are JSON text already: put together into one document they need no escaping here and no second
 *  parsing there, which arrays of text would (a tenth faster in the database, a quarter of the work here). */
function payloadsText(spans: readonly IncomingSpan[]): string {
  const rows = spans.map(
    ({ attributes, events, extra, largeValues }) =>
      `[${attributes},${events},${extra ?? "null"},${largeBytes(largeValues)}]`,
  );
  return `[${rows.join(",")}]`;
}

export async function findAncestors(
  sql: PostgresSql,
  starts: readonly SpanReference[],
  limit: number,
): Promise<AncestorRow[]> {
  const found = await climbFrom(sql, starts, limit + 1);
  const traces = new Set(traceIds(starts));
  if (found.length <= limit || traces.size === 1) return found;
  // One deep trace may have crowded out the others: each gets the limit for itself.
  const all: AncestorRow[] = [];
  for (const traceId of traces) {
    const own = starts.filter((start) => start.traceId === traceId);
    all.push(...(await climbFrom(sql, own, limit + 1)));
  }
  return all;
}

async function climbFrom(sql: PostgresSql, starts: readonly SpanReference[], most: number): Promise<AncestorRow[]> {
  // `union` is a set: shared ancestors come once and cycles end.
  const rows = await sql<
    { id: number; trace_id: number; span_key: string; parent_key: string | null; on_cycle: number }[]
  >`
    with recursive ancestor (id, trace_id, span_key, parent_key, on_cycle) as (
      select s.id, s.trace_id, s.span_key, s.parent_key, s.on_cycle
      from unnest(${traceIds(starts)}::bigint[], ${spanKeys(starts)}::text[]) as start (trace_id, span_key)
      join spans s on s.trace_id = start.trace_id and s.span_key = start.span_key
      union
      select s.id, s.trace_id, s.span_key, s.parent_key, s.on_cycle
      from ancestor a join spans s on s.trace_id = a.trace_id and s.span_key = a.parent_key
      where a.on_cycle = 0
    )
    select * from ancestor limit ${most}`;
  return rows.map((row) => ({
    id: row.id,
    traceId: row.trace_id,
    spanKey: row.span_key,
    parentKey: row.parent_key,
    onCycle: row.on_cycle !== 0,
  }));
}

export function addToSpanSums(
  sql: PostgresSql,
  updates: readonly { readonly id: number; readonly delta: SumVector }[],
): Promise<unknown> {
  return sql`
    update spans s set sum_errors = s.sum_errors + row.errors, sum_prompt = s.sum_prompt + row.prompt,
      sum_completion = s.sum_completion + row.completion
    from unnest(${updates.map(({ id }) => id)}::bigint[], ${updates.map(({ delta }) => delta.errors)}::bigint[],
      ${updates.map(({ delta }) => delta.prompt)}::bigint[],
      ${updates.map(({ delta }) => delta.completion)}::bigint[]) as row (id, errors, prompt, completion)
    where s.id = row.id`;
}
