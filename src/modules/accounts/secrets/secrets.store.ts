// The rows of secrets. Values are bytes here, encrypted; they are read by `findValues` alone.
import { sql } from "kysely";
import type { PlacedPage, SortedRequest } from "../../../kernel/list.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { readPage, textOrder } from "../../../storage/list.ts";
import { lockKeys } from "../../../storage/lock-keys.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { Secret } from "./secrets.schema.ts";

export interface SecretRow {
  readonly name: string;
  readonly value: Uint8Array;
}

/** Rows of one statement: parameters are counted. */
const ROWS_AT_ONCE = 1000;

const recordColumns = ["name", "user_id as userId", "updated_us as updatedUs"] as const;

export type SecretsStore = ReturnType<typeof createSecretsStore>;

export function createSecretsStore(dialect: Dialect) {
  return {
    /** `names` null is all. */
    async list(
      context: CallContext,
      names: readonly string[] | null,
      request: SortedRequest<"name">,
    ): Promise<PlacedPage<Secret>> {
      // Names are the key of the table: there is no row id.
      const id = sql<number>`cast(0 as integer)`;
      let query = context.database
        .read(context, "short")
        .selectFrom("secrets")
        .select([...recordColumns, id.as("id")]);
      if (names !== null) query = query.where(dialect.inList(sql.ref("name"), names));
      return readPage(query, textOrder(sql.ref("name"), id, request.order), request);
    },

    async findAll(context: CallContext, names: readonly string[]): Promise<Secret[]> {
      return context.database
        .read(context, "short")
        .selectFrom("secrets")
        .select(recordColumns)
        .where(dialect.inList(sql.ref("name"), names))
        .execute();
    },

    /** Encrypted values; null for those of all secrets. */
    async findValues(context: CallContext, names: readonly string[] | null): Promise<SecretRow[]> {
      let query = context.database
        .read(context, "short")
        .selectFrom("secrets")
        .select(["name", "value"])
        .orderBy("name");
      if (names !== null) query = query.where(dialect.inList(sql.ref("name"), names));
      return query.execute();
    },

    /** Lets one change after the other, to the end of the transaction: two that meet in different orders would lock each
     *  other out. */
    async lockChanges(context: CallContext): Promise<void> {
      // SQLite has one writer anyway.
      if (dialect.name === "sqlite") return;
      await sql`select pg_advisory_xact_lock(${sql.lit(lockKeys.secretChange)})`.execute(
        context.database.write(context),
      );
    },

    async upsert(
      context: CallContext,
      rows: readonly SecretRow[],
      { userId, nowUs }: { readonly userId: number | null; readonly nowUs: number },
    ): Promise<void> {
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
        await context.database
          .write(context)
          .insertInto("secrets")
          .values(
            rows
              .slice(at, at + ROWS_AT_ONCE)
              .map(({ name, value }) => ({ name, value, user_id: userId, created_us: nowUs, updated_us: nowUs })),
          )
          .onConflict((conflict) =>
            conflict.column("name").doUpdateSet((eb) => ({
              value: eb.ref("excluded.value"),
              user_id: eb.ref("excluded.user_id"),
              updated_us: eb.ref("excluded.updated_us"),
            })),
          )
          .execute();
      }
    },

    /** Names that no secret has are passed over. */
    async remove(context: CallContext, names: readonly string[]): Promise<void> {
      if (names.length === 0) return;
      await context.database
        .write(context)
        .deleteFrom("secrets")
        .where(dialect.inList(sql.ref("name"), names))
        .execute();
    },
  };
}
