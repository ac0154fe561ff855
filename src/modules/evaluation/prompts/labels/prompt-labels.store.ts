// The rows of labels of prompts, and which prompts carry them.
import { type Selectable, sql } from "kysely";
import { mapPage, type PlacedPage, type SortedRequest } from "../../../../kernel/list.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { type NameSort, nameOrder, readPage } from "../../../../storage/list.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { PromptLabel } from "../prompts.schema.ts";
import type { PromptLabelsTable } from "../prompts.tables.ts";

export type PromptLabelsStore = ReturnType<typeof createPromptLabelsStore>;

export function createPromptLabelsStore(dialect: Dialect) {
  return {
    async list(context: CallContext, request: SortedRequest<NameSort>): Promise<PlacedPage<PromptLabel>> {
      const query = context.database.read(context, "short").selectFrom("prompt_labels").selectAll();
      return mapPage(await readPage(query, nameOrder("prompt_labels", request), request), labelOfRow);
    },

    async findAll(context: CallContext, ids: readonly number[]): Promise<PromptLabel[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("prompt_labels")
        .selectAll()
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
      return rows.map(labelOfRow);
    },

    /** Labels by prompt, by name; a prompt without any has an empty list. */
    async listOfPrompts(context: CallContext, promptIds: readonly number[]): Promise<Map<number, PromptLabel[]>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("prompts_prompt_labels")
        .innerJoin("prompt_labels", "prompt_labels.id", "prompts_prompt_labels.label_id")
        .selectAll("prompt_labels")
        .select("prompts_prompt_labels.prompt_id as promptId")
        .where(dialect.inList(sql.ref("prompts_prompt_labels.prompt_id"), promptIds))
        .orderBy("prompt_labels.name")
        .execute();
      const found = new Map<number, PromptLabel[]>(promptIds.map((id) => [id, []]));
      for (const row of rows) found.get(row.promptId)?.push(labelOfRow(row));
      return found;
    },

    /** How many prompts carry each label; one that none carries is left out. */
    async countUses(context: CallContext, ids: readonly number[]): Promise<Map<number, number>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("prompts_prompt_labels")
        .select((eb) => ["label_id", eb.fn.countAll<number>().as("count")])
        .where(dialect.inList(sql.ref("label_id"), ids))
        .groupBy("label_id")
        .execute();
      return new Map(rows.map(({ label_id, count }) => [label_id, Number(count)]));
    },

    /** Null when the name is taken. */
    async insert(context: CallContext, label: Omit<PromptLabel, "id">): Promise<PromptLabel | null> {
      const row = await context.database
        .write(context)
        .insertInto("prompt_labels")
        .values(label)
        .onConflict((conflict) => conflict.column("name").doNothing())
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : labelOfRow(row);
    },

    async getByName(context: CallContext, name: string): Promise<PromptLabel> {
      const query = context.database.write(context).selectFrom("prompt_labels").selectAll().where("name", "=", name);
      return labelOfRow(await query.executeTakeFirstOrThrow());
    },

    async addToPrompt(context: CallContext, promptId: number, labelId: number): Promise<void> {
      await context.database
        .write(context)
        .insertInto("prompts_prompt_labels")
        .values({ prompt_id: promptId, label_id: labelId })
        .onConflict((conflict) => conflict.columns(["prompt_id", "label_id"]).doNothing())
        .execute();
    },

    /** Null when it is gone. Fails with code DUPLICATE when the name is taken. */
    async update(
      context: CallContext,
      id: number,
      changes: Partial<Omit<PromptLabel, "id">>,
    ): Promise<PromptLabel | null> {
      const query = context.database.write(context).updateTable("prompt_labels").set(changes).where("id", "=", id);
      const row = await query.returningAll().executeTakeFirst();
      return row === undefined ? null : labelOfRow(row);
    },

    async remove(context: CallContext, ids: readonly number[]): Promise<void> {
      await context.database
        .write(context)
        .deleteFrom("prompt_labels")
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
    },

    /** The prompt then carries exactly these. */
    async setOfPrompt(context: CallContext, promptId: number, ids: readonly number[]): Promise<void> {
      const database = context.database.write(context);
      await database.deleteFrom("prompts_prompt_labels").where("prompt_id", "=", promptId).execute();
      if (ids.length === 0) return;
      await database
        .insertInto("prompts_prompt_labels")
        .values([...new Set(ids)].map((id) => ({ prompt_id: promptId, label_id: id })))
        .execute();
    },

    async unset(context: CallContext, promptId: number, ids: readonly number[]): Promise<void> {
      await context.database
        .write(context)
        .deleteFrom("prompts_prompt_labels")
        .where("prompt_id", "=", promptId)
        .where(dialect.inList(sql.ref("label_id"), ids))
        .execute();
    },
  };
}

function labelOfRow({ id, name, description, color }: Selectable<PromptLabelsTable>): PromptLabel {
  return { id, name, description, color };
}
