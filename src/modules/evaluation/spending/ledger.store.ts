// What calls may cost that run now, and what the others did cost.
import { type Insertable, type Selectable, sql } from "kysely";
import type { PageRequest, PlacedPage } from "../../../kernel/list.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { arrivalOrder, readPage } from "../../../storage/list.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { CallPurpose, SpendingRow } from "./spending.schema.ts";
import type { SpendingReservationsTable, SpendingTable } from "./spending.tables.ts";

export type NewReservation = Insertable<SpendingReservationsTable>;
/** Numbers to add to the row of the day. */
export type SpendingAddition = Omit<Insertable<SpendingTable>, "id">;

/** What is common to the calls of a row. */
const common = ["day_us", "user_id", "api_key_id", "project_id", "purpose", "provider", "model"] as const;
const numbers = [
  "calls",
  "failed_calls",
  "prompt_tokens",
  "completion_tokens",
  "cost",
  "unpriced_calls",
  "estimated_calls",
  "lost_calls",
  "lost_cost",
] as const;
const NOTHING = Object.fromEntries(numbers.map((name) => [name, 0])) as Record<(typeof numbers)[number], number>;
/** Rows of one statement. */
const AT_ONCE = 200;

/** Days on which spending is listed; null ends are open. */
export interface SpendingRange {
  readonly startUs: number | null;
  /** Excluded. */
  readonly endUs: number | null;
}

export type LedgerStore = ReturnType<typeof createLedgerStore>;

export function createLedgerStore(dialect: Dialect) {
  async function add(context: CallContext, additions: readonly SpendingAddition[]): Promise<void> {
    const rows = together(additions);
    for (let position = 0; position < rows.length; position += AT_ONCE) {
      await context.database
        .write(context)
        .insertInto("spending")
        .values(rows.slice(position, position + AT_ONCE))
        .onConflict((conflict) =>
          conflict
            .columns([...common])
            .doUpdateSet(
              Object.fromEntries(
                numbers.map((name) => [
                  name,
                  sql<number>`${sql.ref(`spending.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
                ]),
              ),
            ),
        )
        .execute();
    }
  }

  return {
    async reserve(context: CallContext, reservations: readonly NewReservation[]): Promise<void> {
      for (let position = 0; position < reservations.length; position += AT_ONCE) {
        await context.database
          .write(context)
          .insertInto("spending_reservations")
          .values(reservations.slice(position, position + AT_ONCE))
          .execute();
      }
    },

    async free(context: CallContext, keys: readonly string[]): Promise<void> {
      if (keys.length === 0) return;
      await context.database
        .write(context)
        .deleteFrom("spending_reservations")
        .where(dialect.inList(sql.ref("key"), keys))
        .execute();
    },

    add,

    /** Those of the server are valid until `untilUs`. */
    async renew(context: CallContext, holder: string, untilUs: number): Promise<void> {
      await context.database
        .write(context)
        .updateTable("spending_reservations")
        .set({ expires_us: untilUs })
        .where("holder", "=", holder)
        .execute();
    },

    async hasExpired(context: CallContext, nowUs: number): Promise<boolean> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("spending_reservations")
        .select("key")
        .where("expires_us", "<=", nowUs)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Removes expired reservations, and records them as lost. Inside a transaction. Returns how many. */
    async expire(context: CallContext, nowUs: number): Promise<number> {
      const lost = await context.database
        .write(context)
        .deleteFrom("spending_reservations")
        .where("expires_us", "<=", nowUs)
        .returning([...common, "cost"])
        .execute();
      await add(
        context,
        lost.map(({ cost, ...row }) => ({ ...row, ...NOTHING, lost_calls: 1, lost_cost: cost })),
      );
      return lost.length;
    },

    /** The rows that were made last first. */
    async list(
      context: CallContext,
      { startUs, endUs }: SpendingRange,
      request: PageRequest,
    ): Promise<PlacedPage<SpendingRow>> {
      let query = context.database
        .read(context, "short")
        .selectFrom("spending")
        .selectAll()
        .select([
          sql<string>`cast(cost as text)`.as("cost_text"),
          sql<string>`cast(lost_cost as text)`.as("lost_text"),
        ]);
      if (startUs !== null) query = query.where("day_us", ">=", startUs);
      if (endUs !== null) query = query.where("day_us", "<", endUs);
      const page = await readPage(query, arrivalOrder(sql.ref("spending.id"), "desc"), request);
      return { ...page, items: page.items.map(spendingOf) };
    },
  };
}

/** One row for what is common, in the order in which all servers lock them. */
function together(additions: readonly SpendingAddition[]): SpendingAddition[] {
  const rows = new Map<string, SpendingAddition>();
  for (const addition of additions) {
    const key = JSON.stringify(common.map((name) => addition[name]));
    const known = rows.get(key);
    if (known === undefined) rows.set(key, { ...addition });
    else for (const name of numbers) known[name] += addition[name];
  }
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

type ListedRow = Selectable<SpendingTable> & { readonly cost_text: string; readonly lost_text: string };

function spendingOf(row: ListedRow): SpendingRow {
  const idOf = (id: number) => (id === 0 ? null : id);
  return {
    id: row.id,
    dayUs: row.day_us,
    userId: idOf(row.user_id),
    apiKeyId: idOf(row.api_key_id),
    projectId: idOf(row.project_id),
    purpose: row.purpose as CallPurpose,
    provider: row.provider,
    model: row.model,
    calls: row.calls,
    failedCalls: row.failed_calls,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    cost: BigInt(row.cost_text),
    unpricedCalls: row.unpriced_calls,
    estimatedCalls: row.estimated_calls,
    lostCalls: row.lost_calls,
    lostCost: BigInt(row.lost_text),
  };
}
