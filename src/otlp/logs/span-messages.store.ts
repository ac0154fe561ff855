// A span under the lock of its trace, its messages, and what they change in it. Large values that the span has otherwise stay as they are.
import { sql } from "kysely";
import type { LoggedMessage } from "../../ingest/incoming-logs.ts";
import { type JsonObject, parseJson, stringifyJson } from "../../kernel/json.ts";
import {
  type LargeValue,
  type SpanColumns,
  type SpanKind,
  type SpanStatus,
  spanKinds,
  spanStatuses,
} from "../../model/span.ts";
import type { Dialect } from "../../storage/dialect.ts";
import { piecesOf } from "../../storage/large-value.ts";
import { markChangedBlocks } from "../../storage/span-blocks.ts";
import { columnsOfAttributes } from "../../storage/span-columns.ts";
import type { CallContext } from "../../storage/storage.ts";
import { MOST_MESSAGE_CHARACTERS } from "./logged-messages.ts";
import { type FilledPath, liesIn } from "./message-fill.ts";

export interface MessagedSpan {
  readonly id: number;
  readonly kind: SpanKind;
  readonly status: SpanStatus;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** A child was recorded for the same call, and is counted. */
  readonly repeatsChild: boolean;
  readonly startUs: number;
  readonly endUs: number;
  readonly inputPreview: string | null;
  readonly outputPreview: string | null;
  /** 10^-12 USD; null without a price. */
  readonly cost: number | null;
  readonly attributes: JsonObject;
  readonly hasLarge: boolean;
}

interface TakenMessages {
  readonly taken: number;
  /** Those that are too many for one span, and gone. */
  readonly refused: number;
}

interface WaitingMessage {
  readonly id: number;
  readonly size: number;
  /** Messages that the span has, and their characters. */
  readonly count: number;
  readonly total: number;
}

/** What one span may have, because all of its messages are read whenever one is added. */
const MOST_MESSAGES = 1000;

/** The ids of those that fit into the limit, without gaps. */
function fitting(rows: readonly WaitingMessage[]): number[] {
  let count = Number(rows[0]?.count ?? 0);
  let total = Number(rows[0]?.total ?? 0);
  const full = rows.findIndex(({ size }) => {
    count += 1;
    total += Number(size);
    return count > MOST_MESSAGES || total > MOST_MESSAGE_CHARACTERS;
  });
  return (full < 0 ? rows : rows.slice(0, full)).map(({ id }) => id);
}

type Message = Pick<LoggedMessage, "digest" | "body">;

interface SpanContent {
  readonly attributes: JsonObject;
  readonly largeValues: readonly LargeValue[];
  readonly columns: SpanColumns;
  readonly paths: readonly FilledPath[];
}

export type SpanMessagesStore = ReturnType<typeof createSpanMessagesStore>;

export function createSpanMessagesStore(dialect: Dialect) {
  return {
    async findSpan(context: CallContext, traceId: number, spanKey: string): Promise<MessagedSpan | null> {
      const row = await context.database
        .write(context)
        .selectFrom("spans")
        .innerJoin("span_payloads", "span_payloads.span_id", "spans.id")
        .select(["spans.id", "kind", "status", "prompt_tokens", "completion_tokens", "start_us", "latency_us"])
        .select(["repeats_child", "own_cost"])
        .select(["input_said", "output_said", "has_large", dialect.jsonText(sql.ref("attributes")).as("text")])
        .where("trace_id", "=", traceId)
        .where("span_key", "=", spanKey)
        .executeTakeFirst();
      if (row === undefined) return null;
      return {
        id: row.id,
        kind: spanKinds[row.kind]!,
        status: spanStatuses[row.status]!,
        promptTokens: row.prompt_tokens,
        completionTokens: row.completion_tokens,
        startUs: row.start_us,
        endUs: row.start_us + row.latency_us,
        repeatsChild: row.repeats_child !== 0,
        inputPreview: row.input_said,
        outputPreview: row.output_said,
        cost: row.own_cost,
        attributes: parseJson(row.text) as JsonObject,
        hasLarge: row.has_large !== 0,
      };
    },

    /** Gives the span those that wait for it, in their order, as many as it may have. */
    async takeMessages(context: CallContext, id: number, traceKey: string, spanKey: string): Promise<TakenMessages> {
      const database = context.database.write(context);
      const { rows } = await sql<WaitingMessage>`
        select p.id, length(p.body) as size,
          (select count(*) from span_messages where span_id = ${id}) as count,
          (select coalesce(sum(length(body)), 0) from span_messages where span_id = ${id}) as total
        from pending_messages p where p.trace_key = ${traceKey} and p.span_key = ${spanKey}
          and not exists (select 1 from span_messages m where m.span_id = ${id} and m.digest = p.digest)
        order by p.id`.execute(database);
      const taken = fitting(rows);
      if (taken.length > 0) {
        await sql`insert into span_messages (span_id, digest, body)
          select ${sql.lit(id)}, digest, body from pending_messages where ${dialect.inList(sql.ref("id"), taken)} order by id`.execute(
          database,
        );
      }
      await database
        .deleteFrom("pending_messages")
        .where("trace_key", "=", traceKey)
        .where("span_key", "=", spanKey)
        .execute();
      return { taken: taken.length, refused: rows.length - taken.length };
    },

    async listMessages(context: CallContext, id: number): Promise<Message[]> {
      const database = context.database.write(context);
      return database
        .selectFrom("span_messages")
        .select(["digest", "body"])
        .where("span_id", "=", id)
        .orderBy("id")
        .execute();
    },

    async readFilled(context: CallContext, id: number): Promise<FilledPath[]> {
      const database = context.database.write(context);
      const row = await database
        .selectFrom("message_fills")
        .select("paths")
        .where("span_id", "=", id)
        .executeTakeFirst();
      return row === undefined ? [] : (JSON.parse(row.paths) as FilledPath[]);
    },

    /** Writes the span again. `filled` is what messages had filled before. */
    async writeSpan(
      context: CallContext,
      span: MessagedSpan,
      filled: readonly FilledPath[],
      { attributes, largeValues, columns, paths }: SpanContent,
    ): Promise<void> {
      const database = context.database.write(context);
      const { id } = span;
      await replaceLargeValues(dialect, context, span, filled, largeValues);
      await sql`update span_payloads set attributes = ${dialect.json(stringifyJson(attributes))},
        has_large = (select coalesce(sum(length(bytes)), 0) from large_values where large_values.span_id = ${id})
        where span_id = ${id}`.execute(database);
      await database.updateTable("spans").set(columnsOfAttributes(columns)).where("id", "=", id).execute();
      const fill = JSON.stringify(paths);
      await database
        .insertInto("message_fills")
        .values({ span_id: id, paths: fill })
        .onConflict((conflict) => conflict.column("span_id").doUpdateSet({ paths: fill }))
        .execute();
      await markChangedBlocks(database, [id]);
    },
  };
}

/** Takes those away that lie in the removed places. */
async function replaceLargeValues(
  dialect: Dialect,
  context: CallContext,
  { id, hasLarge }: MessagedSpan,
  removed: readonly FilledPath[],
  added: readonly LargeValue[],
): Promise<void> {
  const database = context.database.write(context);
  if (hasLarge) {
    const rows = await database
      .selectFrom("large_values")
      .select("path")
      .distinct()
      .where("span_id", "=", id)
      .execute();
    const gone = rows.map(({ path }) => path).filter((path) => liesIn(path, removed));
    await database
      .deleteFrom("large_values")
      .where("span_id", "=", id)
      .where(dialect.inList(sql.ref("path"), gone))
      .execute();
  }
  for (const value of added) {
    for (const piece of piecesOf(value))
      await database
        .insertInto("large_values")
        .values({ span_id: id, ...piece })
        .execute();
  }
}
