// What spans hold besides their rows: attributes and events, with large values in their places.
import { sql } from "kysely";
import { emptyObject, isJsonObject, type Json, type JsonObject, parseJson } from "../../kernel/json.ts";
import type { Dialect } from "../../storage/dialect.ts";
import type { CallContext } from "../../storage/storage.ts";
import { restoreLargeValues } from "../traces/attributes/large-values.rules.ts";
import type { LargeValue } from "../traces/span.schema.ts";
import type { PayloadHeads } from "./span-payload.rules.ts";

export interface SpanPayload {
  readonly attributes: JsonObject;
  readonly events: readonly Json[];
}

export type SpanPayloadsStore = ReturnType<typeof createSpanPayloadsStore>;

export function createSpanPayloadsStore(dialect: Dialect) {
  async function readLargeValues(context: CallContext, spanIds: readonly number[]): Promise<Map<number, LargeValue[]>> {
    const found = new Map<number, LargeValue[]>();
    if (spanIds.length === 0) return found;
    const pieces = await context.database
      .read(context, "short")
      .selectFrom("large_values")
      .select(["span_id", "path", "bytes"])
      .where(dialect.inList(sql.ref("span_id"), spanIds))
      .orderBy("span_id")
      .orderBy("path")
      .orderBy("seq")
      .execute();
    for (let first = 0; first < pieces.length; ) {
      const { span_id, path } = pieces[first]!;
      let end = first;
      while (pieces[end]?.span_id === span_id && pieces[end]?.path === path) end++;
      // A piece may end inside a character: only their concatenation is text.
      const text = Buffer.concat(pieces.slice(first, end).map((piece) => piece.bytes)).toString("utf8");
      found.set(span_id, [...(found.get(span_id) ?? []), { path, text }]);
      first = end;
    }
    return found;
  }

  /** The beginnings of the texts that are kept apart, with the bytes of the whole. */
  async function readLargeHeads(context: CallContext, spanIds: readonly number[], headBytes: number) {
    const rows = await context.database
      .read(context, "short")
      .selectFrom("large_values as first")
      .select(["first.span_id as spanId", "first.path"])
      .select([
        sql<Uint8Array>`substr(first.bytes, 1, ${sql.lit(headBytes)})`.as("head"),
        sql<number>`(select sum(length(each.bytes)) from large_values as each
          where each.span_id = first.span_id and each.path = first.path)`.as("bytes"),
      ])
      .where(dialect.inList(sql.ref("first.span_id"), spanIds))
      .where("first.seq", "=", 0)
      .execute();
    return rows.map(({ spanId, path, head, bytes }) => ({
      spanId,
      path,
      // It may end inside a character, which is left out.
      text: new TextDecoder().decode(head, { stream: true }),
      bytes: Number(bytes),
    }));
  }

  async function readRows(context: CallContext, spanIds: readonly number[]) {
    return context.database
      .read(context, "short")
      .selectFrom("span_payloads")
      .select(["span_id", "has_large"])
      .select([
        dialect.jsonText(sql.ref("attributes")).as("attributes"),
        dialect.jsonText(sql.ref("events")).as("events"),
      ])
      .where(dialect.inList(sql.ref("span_id"), spanIds))
      .execute();
  }

  return {
    /** How many of the spans, in their order, take at most `bytes` together; at least one. */
    async countFitting(context: CallContext, spanIds: readonly number[], bytes: number): Promise<number> {
      const sizes = await this.sizes(context, spanIds, "whole");
      let total = 0;
      const tooMany = spanIds.findIndex((id, position) => {
        total += sizes.get(id) ?? 0;
        return position > 0 && total > bytes;
      });
      return tooMany < 0 ? spanIds.length : tooMany;
    },

    /** About how many bytes each of the spans takes in memory; `heads` without the texts that are kept apart. */
    async sizes(
      context: CallContext,
      spanIds: readonly number[],
      extent: "whole" | "heads",
    ): Promise<Map<number, number>> {
      if (spanIds.length === 0) return new Map();
      const own = sql<number>`${dialect.storedBytes(sql.ref("attributes"))} + ${dialect.storedBytes(sql.ref("events"))}`;
      const large = sql<number>`(select coalesce(sum(length(bytes)), 0) from large_values where span_id = p.span_id)`;
      const apart = extent === "heads" ? sql.lit(0) : sql`case when has_large = 0 then 0 else ${large} end`;
      const rows = await context.database
        .read(context, "short")
        .selectFrom("span_payloads as p")
        .select(["span_id", sql<number>`${own} + ${apart}`.as("size")])
        .where(dialect.inList(sql.ref("span_id"), spanIds))
        .execute();
      return new Map(rows.map((row) => [row.span_id, Number(row.size)]));
    },

    /** The same without the texts that are kept apart: the first `headBytes` of each are in its place. */
    async readHeads(
      context: CallContext,
      spanIds: readonly number[],
      headBytes: number,
    ): Promise<Map<number, PayloadHeads>> {
      if (spanIds.length === 0) return new Map();
      const rows = await readRows(context, spanIds);
      const withLarge = rows.filter((row) => row.has_large !== 0).map((row) => row.span_id);
      const heads = withLarge.length === 0 ? [] : await readLargeHeads(context, withLarge, headBytes);
      return new Map(
        rows.map((row) => {
          const payload = payloadOf(row);
          const large = heads.filter((head) => head.spanId === row.span_id);
          restoreLargeValues(payload.attributes, large);
          return [row.span_id, { ...payload, large }];
        }),
      );
    },

    /** One text that is kept apart, whole; null when there is no text at the path. */
    async findLargeText(context: CallContext, spanId: number, path: string): Promise<string | null> {
      const pieces = await context.database
        .read(context, "short")
        .selectFrom("large_values")
        .select("bytes")
        .where("span_id", "=", spanId)
        .where("path", "=", path)
        .orderBy("seq")
        .execute();
      return pieces.length === 0 ? null : Buffer.concat(pieces.map(({ bytes }) => bytes)).toString("utf8");
    },

    /** By span id; a span that is gone meanwhile is left out. */
    async read(context: CallContext, spanIds: readonly number[]): Promise<Map<number, SpanPayload>> {
      if (spanIds.length === 0) return new Map();
      const rows = await readRows(context, spanIds);
      const withLarge = rows.filter((row) => row.has_large !== 0).map((row) => row.span_id);
      const large = await readLargeValues(context, withLarge);
      return new Map(
        rows.map((row) => {
          const payload = payloadOf(row);
          restoreLargeValues(payload.attributes, large.get(row.span_id) ?? []);
          return [row.span_id, payload];
        }),
      );
    },
  };
}

function payloadOf(row: { readonly attributes: string; readonly events: string }): SpanPayload {
  const attributes = parseJson(row.attributes);
  const events = parseJson(row.events);
  return {
    attributes: isJsonObject(attributes) ? attributes : emptyObject(),
    events: Array.isArray(events) ? events : [],
  };
}
