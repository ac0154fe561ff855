// What is stored of large values, by span and path.
import { sql } from "kysely";
import type { Dialect } from "./dialect.ts";
import type { CallContext } from "./storage.ts";

/** How many pieces each value has, the number of the last one, and the bytes of all. */
export const storedPieces = (dialect: Dialect, context: CallContext, spanIds: readonly number[]) =>
  context.database
    .read(context, "short")
    .selectFrom("large_values")
    .select(["span_id", "path"])
    .select((of) => [
      of.fn.countAll<number>().as("pieces"),
      of.fn.max("seq").as("last"),
      sql<number>`sum(length(bytes))`.as("bytes"),
    ])
    .where(dialect.inList(sql.ref("span_id"), spanIds))
    .groupBy(["span_id", "path"]);

/** The same with the first bytes of each value; null where its first piece is missing. */
export const storedHeads = (dialect: Dialect, context: CallContext, spanIds: readonly number[], headBytes: number) =>
  context.database
    .read(context, "short")
    .selectFrom(storedPieces(dialect, context, spanIds).as("stored"))
    .leftJoin("large_values as first", (join) =>
      join
        .onRef("first.span_id", "=", "stored.span_id")
        .onRef("first.path", "=", "stored.path")
        .on("first.seq", "=", 0),
    )
    .selectAll("stored")
    .select(sql<Uint8Array | null>`substr(first.bytes, 1, ${sql.lit(headBytes)})`.as("head"));
