// Whom budgets are for: accounts, API keys and projects.
import { sql } from "kysely";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { BudgetScope } from "./spending.schema.ts";

const tables = { user: "users", api_key: "api_keys", project: "projects" } as const;

export type BudgetTargetsStore = ReturnType<typeof createBudgetTargetsStore>;

export function createBudgetTargetsStore(dialect: Dialect) {
  return {
    /** Whether the account, key or project of that id is there. */
    async hasTarget(context: CallContext, scope: Exclude<BudgetScope, "server">, id: number): Promise<boolean> {
      const { rows } = await sql`select 1 from ${sql.table(tables[scope])} where id = ${id}`.execute(
        context.database.read(context, "short"),
      );
      return rows.length > 0;
    },

    /** Those of the keys that are system keys. */
    async findSystemKeys(context: CallContext, ids: readonly number[]): Promise<ReadonlyMap<number, true>> {
      if (ids.length === 0) return new Map();
      const rows = await context.database
        .read(context, "short")
        .selectFrom("api_keys")
        .innerJoin("users", "users.id", "api_keys.user_id")
        .select("api_keys.id")
        .where(dialect.inList(sql.ref("api_keys.id"), ids))
        .where("users.role", "=", "SYSTEM")
        .execute();
      return new Map(rows.map(({ id }) => [id, true]));
    },

    /** Null until it was made. */
    async findSystemUserId(context: CallContext): Promise<number | null> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("users")
        .select("id")
        .where("role", "=", "SYSTEM")
        .executeTakeFirst();
      return row?.id ?? null;
    },
  };
}
