// The items of an explanation, and their values as the filter languages read them: long reads, stopped with the request.
import { type RawBuilder, sql } from "kysely";
import { wirePaths } from "../../../../filter/attribute-path.ts";
import { differencesOf, type Filter } from "../../../../filter/filter.ts";
import type { Settled } from "../../../../filter/settled.ts";
import type { AttributePath } from "../../../../filter/tree.ts";
import { spanKinds, spanStatuses } from "../../../../model/span.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { Range } from "../../../../storage/period.ts";
import { representativeOf } from "../../../../storage/root-spans.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { ExplainedItems } from "./explained-keys.rules.ts";

/** Longer values are texts, and not compared. */
export const MOST_CHARACTERS = 200;

interface ItemsScope {
  readonly projectId: number;
  readonly of: ExplainedItems;
  readonly range: Range;
  /** The selection: what starts in this range and matches. Null members narrow nothing. */
  readonly selectedRange: Range | null;
  readonly filter: Settled<Filter> | null;
}

/** Microseconds, tokens and 10^-12 USD. `spanId`: whose attributes are those of the item; null for a trace without a root. */
export interface ExplainedItem {
  readonly id: number;
  readonly spanId: number | null;
  readonly spans: number;
  readonly latency: number;
  readonly tokens: number;
  readonly cost: number;
  readonly failed: boolean;
}

/** How many of the selected and of the rest have a value. */
interface CountedValue<Key extends string> {
  readonly key: Key;
  readonly value: string;
  readonly selectedWith: number;
  readonly restWith: number;
}

/** Of which of two sides an item is. */
interface Sides {
  readonly selected: readonly number[];
  readonly rest: readonly number[];
}

/** A group of items that are alike in all attributes. */
interface AlikeItems {
  readonly selected: number;
  readonly rest: number;
  /** In the order of the paths; null where there is no such attribute. */
  readonly values: readonly (string | null)[];
}

const numbers: Readonly<Record<ExplainedItems, RawBuilder<unknown>>> = {
  traces: sql`span_count as spans, latency_us as latency, prompt_tokens + completion_tokens as tokens,
    cast(cost as text) as cost, case when error_count > 0 then 1 else 0 end as failed`,
  spans: sql`1 as spans, latency_us as latency, 0 as tokens, cast(coalesce(own_cost, 0) as text) as cost, 0 as failed`,
};

export type ExplainedItemsStore = ReturnType<typeof createExplainedItemsStore>;

const counts = sql`cast(sum(selected) as bigint) as "selectedWith", count(*) - cast(sum(selected) as bigint) as "restWith"`;

/** Rows of `id` and `selected`, 1 or 0. */
function sidesIn(dialect: Dialect, { selected, rest }: Sides): RawBuilder<unknown> {
  const sides = [...selected.map((id) => [id, 1]), ...rest.map((id) => [id, 0])];
  return dialect.integerRows(["id", "selected"], sides);
}

function within(start: RawBuilder<number>, { startUs, endUs }: Range): RawBuilder<boolean>[] {
  return [
    ...(startUs === null ? [] : [sql<boolean>`${start} >= ${startUs}`]),
    ...(endUs === null ? [] : [sql<boolean>`${start} < ${endUs}`]),
  ];
}

function allOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

export function createExplainedItemsStore(dialect: Dialect) {
  return {
    ...createExplainedAttributesStore(dialect),

    /** The newest ones first, at most `limit`. */
    async list(context: CallContext, scope: ItemsScope, isSelected: boolean, limit: number): Promise<ExplainedItem[]> {
      const { of, projectId, range, selectedRange, filter } = scope;
      const table = of;
      const start = sql.ref<number>(`${table}.start_us`);
      const selection = allOf([
        ...(selectedRange === null ? [] : within(start, selectedRange)),
        ...(filter === null ? [] : [filter.condition(dialect, table)]),
      ]);
      const matches = allOf([
        sql<boolean>`${sql.ref(`${table}.project_id`)} = ${projectId}`,
        ...(of === "traces" ? [sql<boolean>`traces.span_count > 0`] : []),
        ...within(start, range),
        // What is neither true nor false does not match: it is of the rest.
        isSelected ? selection : sql<boolean>`case when ${selection} then 1 else 0 end = 0`,
      ]);
      const spanId = of === "traces" ? representativeOf(sql.ref("items.id"), "orphans") : sql.ref("items.id");
      // The roots of those alone that are listed.
      const { rows } = await sql<Omit<ExplainedItem, "failed"> & { readonly failed: number }>`
        select items.*, ${spanId} as "spanId" from (
          select ${sql.ref(`${table}.id`)} as id, ${numbers[of]} from ${sql.table(table)} where ${matches}
          order by ${start} desc, ${sql.ref(`${table}.id`)} desc limit ${sql.lit(limit)}) as items`.execute(
        context.database.read(context, "slow"),
      );
      return rows.map(({ id, spanId: root, spans, latency, tokens, cost, failed }) => ({
        ...{ id: Number(id), spanId: root === null ? null : Number(root), spans: Number(spans) },
        ...{ latency: Number(latency), tokens: Number(tokens) },
        ...{ cost: Number(cost), failed: Number(failed) === 1 },
      }));
    },

    /** Models, tools and names of the spans of traces, by row id of the trace: each counts once a trace. */
    async countElements(context: CallContext, traces: Sides): Promise<CountedValue<"model" | "tool" | "span">[]> {
      const part = (key: string, column: string, where: RawBuilder<boolean>) => sql`
        select ${sql.lit(key)} as key, value, ${counts} from (
          select distinct trace_id, selected, ${sql.ref(column)} as value from alike where ${where}) as found group by value`;
      const tool = sql.lit(spanKinds.indexOf("TOOL"));
      const parts = [
        part("model", "model", sql<boolean>`model is not null`),
        part("tool", "name", sql<boolean>`kind = ${tool}`),
        part("span", "name", sql<boolean>`kind <> ${tool}`),
      ];
      const { rows } = await sql<CountedValue<"model" | "tool" | "span">>`
        with looked as materialized (select id, selected from ${sidesIn(dialect, traces)} as given),
        alike as materialized (select distinct spans.trace_id, looked.selected, spans.kind, spans.name, spans.model
          from looked cross join spans where spans.trace_id = looked.id)
        ${sql.join(parts, sql` union all `)}`.execute(context.database.read(context, "slow"));
      return rows.map(counted);
    },

    /** What the rows of spans say; of root spans the user alone matters. */
    async countColumns(
      context: CallContext,
      spans: Sides,
      of: ExplainedItems,
    ): Promise<CountedValue<"user" | "kind" | "status" | "name" | "model">[]> {
      const part = (key: string, value: RawBuilder<unknown>) => sql`
        select ${sql.lit(key)} as key, cast(${value} as text) as value, ${counts} from found group by ${value}`;
      const columns = of === "traces" ? ["user"] : ["user", "kind", "status", "name", "model"];
      const { rows } = await sql<
        CountedValue<"user" | "kind" | "status" | "name" | "model"> & { value: string | null }
      >`
        with looked as materialized (select id, selected from ${sidesIn(dialect, spans)} as given),
        found as materialized (select looked.selected, spans.user_key as "user", spans.kind, spans.status, spans.name, spans.model
          from looked cross join spans where spans.id = looked.id)
        ${sql.join(
          columns.map((column) => part(column, sql.ref(column))),
          sql` union all `,
        )}`.execute(context.database.read(context, "slow"));
      return rows
        .filter(({ value }) => value !== null)
        .map((row) => {
          if (row.key === "kind") return counted({ ...row, value: spanKinds[Number(row.value)] ?? row.value });
          if (row.key === "status") return counted({ ...row, value: spanStatuses[Number(row.value)] ?? row.value });
          return counted(row);
        });
    },
  };
}

function createExplainedAttributesStore(dialect: Dialect) {
  return {
    /** By row id of the span whose attributes they are. */
    async countAttributes(context: CallContext, spans: Sides, paths: readonly AttributePath[]): Promise<AlikeItems[]> {
      const attributes = sql.ref<never>("unpacked.attributes");
      const texts = paths.map((path) => {
        const text = differencesOf(dialect).attributeText({ attributes, paths: wirePaths(path) }, false);
        return sql`substr(${text}, 1, ${sql.lit(MOST_CHARACTERS + 1)})`;
      });
      const names = paths.map((_, at) => sql.ref(`text${at}`));
      const { rows } = await sql<Readonly<Record<string, number | string | null>>>`
        with looked as materialized (select id, selected from ${sidesIn(dialect, spans)} as given),
        found as (select selected, ${sql.join(texts.map((each, at) => sql`${each} as ${names[at]}`))} from (
          select looked.selected, ${dialect.unpacked(sql.ref("payload.attributes"))} as attributes
          from looked cross join span_payloads as payload where payload.span_id = looked.id
          limit ${sql.lit(spans.selected.length + spans.rest.length)}) as unpacked)
        select ${counts}, ${sql.join(names)} from found group by ${sql.join(names)}`.execute(
        context.database.read(context, "slow"),
      );
      return rows.map((row) => ({
        ...{ selected: Number(row.selectedWith), rest: Number(row.restWith) },
        values: paths.map((_, at) => row[`text${at}`] as string | null),
      }));
    },

    /** Numbers of attributes, one list an item; null where an item has none. */
    async listNumbers(
      context: CallContext,
      spans: Sides,
      paths: readonly AttributePath[],
    ): Promise<{ readonly isSelected: boolean; readonly values: readonly (number | null)[] }[]> {
      const attributes = sql.ref<never>("unpacked.attributes");
      const read = paths.map((path, at) => {
        const number = differencesOf(dialect).attributeNumber({ attributes, paths: wirePaths(path) });
        return sql`${number} as ${sql.ref(`number${at}`)}`;
      });
      const { rows } = await sql<Readonly<Record<string, number | string | null>>>`
        with looked as materialized (select id, selected from ${sidesIn(dialect, spans)} as given)
        select selected, ${sql.join(read)} from (
          select looked.selected, ${dialect.unpacked(sql.ref("payload.attributes"))} as attributes
          from looked cross join span_payloads as payload where payload.span_id = looked.id
          limit ${sql.lit(spans.selected.length + spans.rest.length)}) as unpacked`.execute(
        context.database.read(context, "slow"),
      );
      return rows.map((row) => ({
        isSelected: Number(row.selected) === 1,
        values: paths.map((_, at) => {
          const value = row[`number${at}`];
          return value === null || value === undefined ? null : Number(value);
        }),
      }));
    },
  };
}

function counted<Row extends CountedValue<string>>(row: Row): Row {
  return { ...row, selectedWith: Number(row.selectedWith), restWith: Number(row.restWith) };
}
