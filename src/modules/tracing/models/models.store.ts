// The rows of models that people have entered. Deleted ones stay, because costs name them.
import { type Selectable, sql } from "kysely";
import type { Dialect } from "../../../storage/dialect.ts";
import { lockKeys } from "../../../storage/lock-keys.ts";
import { ownModelOfRow } from "../../../storage/own-models.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { GenerativeModel, NewModel } from "./models.schema.ts";
import type { ModelsTable } from "./models.tables.ts";

/** Who changes a model, and when. */
interface ModelAuthor {
  readonly userId: number | null;
  readonly nowUs: number;
}

export type ModelsStore = ReturnType<typeof createModelsStore>;

export function createModelsStore(dialect: Dialect) {
  const models = (context: CallContext) =>
    context.database.read(context, "short").selectFrom("models").selectAll().where("deleted_us", "is", null);
  /** Under the lock, so that the number of a change is seen before that of a later one. */
  const nextChange = sql<number>`(select coalesce(max(change), 0) + 1 from models)`;

  return {
    /** In the order in which they were entered. */
    async list(context: CallContext): Promise<GenerativeModel[]> {
      return (await models(context).orderBy("id").execute()).map(modelOfRow);
    },

    /** Lets one change after the other, to the end of the transaction. */
    async lockChanges(context: CallContext): Promise<void> {
      // SQLite has one writer anyway.
      if (dialect.name === "sqlite") return;
      await sql`select pg_advisory_xact_lock(${sql.lit(lockKeys.modelChange)}, hashtext(current_schema()))`.execute(
        context.database.write(context),
      );
    },

    async insert(context: CallContext, model: NewModel, { userId, nowUs }: ModelAuthor): Promise<GenerativeModel> {
      const row = await context.database
        .write(context)
        .insertInto("models")
        .values({ ...rowOf(model), change: nextChange, user_id: userId, created_us: nowUs, updated_us: nowUs })
        .returningAll()
        .executeTakeFirstOrThrow();
      return modelOfRow(row);
    },

    async update(
      context: CallContext,
      id: number,
      model: NewModel,
      { userId, nowUs }: ModelAuthor,
    ): Promise<GenerativeModel> {
      const row = await context.database
        .write(context)
        .updateTable("models")
        .set({ ...rowOf(model), change: nextChange, user_id: userId, updated_us: nowUs })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return modelOfRow(row);
    },

    async remove(context: CallContext, id: number, { userId, nowUs }: ModelAuthor): Promise<void> {
      await context.database
        .write(context)
        .updateTable("models")
        .set({ change: nextChange, user_id: userId, updated_us: nowUs, deleted_us: nowUs })
        .where("id", "=", id)
        .execute();
    },

    /** The start of the last call that was charged by each of these, as `span_costs` names them; without those of none. */
    async lastUses(context: CallContext, modelIds: readonly number[]): Promise<Map<number, number>> {
      const ids = dialect.integerRows(
        ["id"],
        modelIds.map((id) => [id]),
      );
      // One step of an index for each.
      const { rows } = await sql<{ id: number; last: number | null }>`
        select wanted.id, (select max(start_us) from span_costs where model_id = wanted.id) as last from ${ids} as wanted`.execute(
        context.database.read(context, "short"),
      );
      return new Map(rows.flatMap(({ id, last }) => (last === null ? [] : [[Number(id), Number(last)] as const])));
    },
  };
}

function rowOf({ name, provider, namePattern, startUs, prices }: NewModel) {
  return { name, provider, name_pattern: namePattern, start_us: startUs, prices: JSON.stringify(prices) };
}

function modelOfRow(row: Selectable<ModelsTable>): GenerativeModel {
  return { id: row.id, priced: ownModelOfRow(row), createdUs: row.created_us, updatedUs: row.updated_us };
}
