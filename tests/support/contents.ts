// Everything a database holds of traces, to tell what a deletion or a transfer changed and what it left alone.
import { sql } from "kysely";
import type { Storage } from "../../src/storage/storage.ts";
import type { TestStorage } from "./storage.ts";

/** The rows of one trace: its own, those of its spans, and the ids of the rows that hang on them. */
export interface TraceContents {
  readonly trace: Readonly<Record<string, unknown>>;
  readonly spans: readonly Readonly<Record<string, unknown>>[];
  readonly payloads: number;
  readonly largeValues: number;
}

/** All traces by key. */
export async function readContents(store: TestStorage): Promise<Map<string, TraceContents>> {
  const database = store.storage.handle.read(store.context(), "short");
  const traces = await database
    .selectFrom("traces")
    .selectAll()
    .select(sql<string>`cast(cost as text)`.as("cost"))
    .orderBy("id")
    .execute();
  const spans = await database.selectFrom("spans").selectAll().orderBy("id").execute();
  const payloads = await database.selectFrom("span_payloads").select("span_id").execute();
  const pieces = await database.selectFrom("large_values").select("span_id").execute();
  const spansByTrace = Map.groupBy(spans, (span) => span.trace_id);
  return new Map(
    traces.map((trace) => {
      const own = spansByTrace.get(trace.id) ?? [];
      const ids = new Set(own.map((span) => span.id));
      return [
        trace.trace_key,
        {
          trace,
          spans: own,
          payloads: payloads.filter((payload) => ids.has(payload.span_id)).length,
          largeValues: pieces.filter((piece) => ids.has(piece.span_id)).length,
        },
      ];
    }),
  );
}

/** How many rows each table holds. */
export async function countRows(store: TestStorage): Promise<Record<string, number>> {
  const database = store.storage.handle.read(store.context(), "short");
  const counts: Record<string, number> = {};
  for (const table of ["projects", "sessions", "traces", "spans", "span_payloads", "large_values"] as const) {
    const row = await database
      .selectFrom(table)
      .select((eb) => eb.fn.countAll().as("count"))
      .executeTakeFirstOrThrow();
    counts[table] = Number(row.count);
  }
  return counts;
}

/** The storage with a turn for others before every transaction that locks traces: what they do between two slices. */
export function withTurns(storage: Storage, turn: () => Promise<void>): Storage {
  return {
    ...storage,
    withTraces: async (context, traceKeys, work) => {
      await turn();
      return storage.withTraces(context, traceKeys, work);
    },
  };
}
