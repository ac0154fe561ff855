// What spans hold besides their rows: attributes and events, with large values in their places.
import { sql } from "kysely";
import { emptyObject, isJsonObject, type Json, type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { countFitting } from "../../../../kernel/list.ts";
import type { Logger } from "../../../../kernel/logger.ts";
import {
  damagedLargeValues,
  replaceLargeValues,
  restoreLargeValues,
} from "../../../../model/attributes/large-values.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { createLargeValuesStore } from "./large-values.store.ts";
import type { PayloadHeads, ValuePath } from "./span-payload.rules.ts";

export interface SpanPayload {
  readonly attributes: JsonObject;
  readonly events: readonly Json[];
  /** Paths inside the attributes, as stored, of large values that are damaged: null stands in their places. */
  readonly damaged: readonly string[];
}

/** What stands in the place of a damaged text where people look at it. */
const DAMAGED_TEXT = "(Parts of this text are missing in the database: spanlight verify names it.)";

/** Both databases read positions of lists as integers of 32 bits. */
const LAST_POSITION = 2 ** 31 - 1;

export type SpanPayloadsStore = ReturnType<typeof createSpanPayloadsStore>;

export function createSpanPayloadsStore(dialect: Dialect, log: Logger) {
  const largeValues = createLargeValuesStore(dialect);

  /** Damage is reported wherever it is found: a list still returns its other rows. */
  async function tellDamage(context: CallContext, damaged: readonly (readonly [number, readonly string[]])[]) {
    if (damaged.length === 0) return;
    const paths = new Map(damaged);
    const spans = await context.database
      .read(context, "short")
      .selectFrom("spans")
      .innerJoin("traces", "traces.id", "spans.trace_id")
      .select(["spans.id", "span_key", "trace_key"])
      .where(dialect.inList(sql.ref("spans.id"), [...paths.keys()]))
      .execute();
    for (const { id, span_key, trace_key } of spans) {
      const values = paths.get(id)!.join(" ");
      log.error("a span has lost parts of its long texts", { span: span_key, trace: trace_key, values });
    }
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
      return countFitting(spanIds, bytes, (id) => sizes.get(id) ?? 0);
    },

    /** About how many bytes each of the spans takes in memory; `heads` without the texts that are stored separately. */
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

    /** The same without the texts that are stored separately: the first `headBytes` of each are in its place, and a notice in
     *  that of a damaged one. */
    async readHeads(
      context: CallContext,
      spanIds: readonly number[],
      headBytes: number,
    ): Promise<Map<number, PayloadHeads & Pick<SpanPayload, "damaged">>> {
      if (spanIds.length === 0) return new Map();
      const rows = await readRows(context, spanIds);
      const withLarge = rows.filter((row) => row.has_large !== 0).map((row) => row.span_id);
      const heads = withLarge.length === 0 ? [] : await largeValues.readHeads(context, withLarge, headBytes);
      const found = rows.map((row) => {
        const { attributes, events } = payloadOf(row);
        const large = heads.filter((head) => head.spanId === row.span_id);
        const damaged = damagedLargeValues(attributes, row.has_large, large);
        restoreLargeValues(attributes, large);
        replaceLargeValues(attributes, damaged, DAMAGED_TEXT);
        return { id: row.span_id, damaged, heads: { attributes, events, large, damaged } };
      });
      await tellDamage(context, damageOf(found));
      return new Map(found.map(({ id, heads }) => [id, heads]));
    },

    readEvents: (context: CallContext, spanIds: readonly number[]) => readEvents(dialect, context, spanIds),

    listLargeTexts: largeValues.listStored,
    walkLargeText: largeValues.walkText,

    /** JSON text of the value at a path of the payload, with the heads of the texts that are stored separately, and the bytes of these. Null
     *  for a span that is gone, and a null text where no value is. */
    async findValue(context: CallContext, spanId: number, [owner, ...steps]: ValuePath) {
      if (owner !== "attributes" && owner !== "events") return null;
      if (steps.some((step) => typeof step === "number" && step > LAST_POSITION)) return null;
      const row = await context.database
        .read(context, "short")
        .selectFrom("span_payloads")
        .select("has_large as largeBytes")
        .select(dialect.jsonAt(sql.ref(owner), steps).as("text"))
        .where("span_id", "=", spanId)
        .executeTakeFirst();
      return row ?? null;
    },

    /** By span id; a span that is gone meanwhile is left out. Of a damaged value there is null, and a line in the log. */
    async read(context: CallContext, spanIds: readonly number[]): Promise<Map<number, SpanPayload>> {
      if (spanIds.length === 0) return new Map();
      const rows = await readRows(context, spanIds);
      const withLarge = rows.filter((row) => row.has_large !== 0).map((row) => row.span_id);
      const large = await largeValues.read(context, withLarge);
      const found = rows.map((row) => {
        const { attributes, events } = payloadOf(row);
        const { values, stored } = large.get(row.span_id) ?? { values: [], stored: [] };
        const damaged = damagedLargeValues(attributes, row.has_large, stored);
        restoreLargeValues(attributes, values);
        replaceLargeValues(attributes, damaged, null);
        return { id: row.span_id, damaged, payload: { attributes, events, damaged } };
      });
      await tellDamage(context, damageOf(found));
      return new Map(found.map(({ id, payload }) => [id, payload]));
    },
  };
}

function damageOf(found: readonly { readonly id: number; readonly damaged: readonly string[] }[]) {
  return found.filter(({ damaged }) => damaged.length > 0).map(({ id, damaged }) => [id, damaged] as const);
}

/** Events alone, by row id of the span. */
async function readEvents(dialect: Dialect, context: CallContext, spanIds: readonly number[]) {
  if (spanIds.length === 0) return new Map<number, Json>();
  const rows = await context.database
    .read(context, "short")
    .selectFrom("span_payloads")
    .select(["span_id", dialect.jsonText(sql.ref("events")).as("events")])
    .where(dialect.inList(sql.ref("span_id"), spanIds))
    .execute();
  return new Map(rows.map(({ span_id, events }) => [span_id, parseJson(events)]));
}

function payloadOf(row: { readonly attributes: string; readonly events: string }) {
  const attributes = parseJson(row.attributes);
  const events = parseJson(row.events);
  return {
    attributes: isJsonObject(attributes) ? attributes : emptyObject(),
    events: Array.isArray(events) ? events : [],
  };
}
