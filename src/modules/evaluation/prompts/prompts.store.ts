// The rows of prompts.
import { type Selectable, sql } from "kysely";
import { mapPage, type PageRequest, type PlacedPage } from "../../../kernel/list.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { arrivalOrder, readPage } from "../../../storage/list.ts";
import type { CallContext, ReadClass } from "../../../storage/storage.ts";
import type { PromptKey } from "./prompt-names.rules.ts";
import type { NewPrompt, Prompt, PromptChanges } from "./prompts.schema.ts";
import type { PromptsTable } from "./prompts.tables.ts";

/** What a prompt is looked for by; absent members do not narrow. */
export interface PromptFilter {
  /** Part of the name, in any case. */
  readonly nameContains?: string | undefined;
  /** Carries at least one of these labels. */
  readonly labelIds?: readonly number[] | undefined;
}

export type PromptsStore = ReturnType<typeof createPromptsStore>;

export function createPromptsStore(dialect: Dialect) {
  const prompts = (context: CallContext, readClass: ReadClass = "short") =>
    context.database.read(context, readClass).selectFrom("prompts").selectAll();

  return {
    /** Newest first. */
    async list(context: CallContext, filter: PromptFilter, request: PageRequest): Promise<PlacedPage<Prompt>> {
      const { nameContains, labelIds } = filter;
      let query = prompts(context, nameContains ? "slow" : "short");
      if (nameContains) query = query.where(dialect.containsIgnoringCase(sql.ref("name"), nameContains));
      if (labelIds !== undefined && labelIds.length > 0) {
        query = query.where("id", "in", (eb) =>
          eb
            .selectFrom("prompts_prompt_labels")
            .select("prompt_id")
            .where(dialect.inList(sql.ref("label_id"), labelIds)),
        );
      }
      return mapPage(await readPage(query, arrivalOrder(sql.ref("prompts.id"), "desc"), request), promptOfRow);
    },

    async count(context: CallContext): Promise<number> {
      const { count } = await context.database
        .read(context, "short")
        .selectFrom("prompts")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async find(context: CallContext, key: PromptKey): Promise<Prompt | null> {
      const query = prompts(context);
      const row = await ("id" in key
        ? query.where("id", "=", key.id)
        : query.where("name", "=", key.name)
      ).executeTakeFirst();
      return row === undefined ? null : promptOfRow(row);
    },

    async findAll(context: CallContext, ids: readonly number[]): Promise<Prompt[]> {
      const rows = await prompts(context)
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
      return rows.map(promptOfRow);
    },

    /** Null when the name is taken. */
    async insert(
      context: CallContext,
      prompt: NewPrompt & { readonly sourcePromptId: number | null; readonly nowUs: number },
    ): Promise<Prompt | null> {
      const row = await context.database
        .write(context)
        .insertInto("prompts")
        .values({
          source_prompt_id: prompt.sourcePromptId,
          name: prompt.name,
          description: prompt.description,
          metadata: prompt.metadata,
          created_us: prompt.nowUs,
          updated_us: prompt.nowUs,
        })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : promptOfRow(row);
    },

    /** Null when the prompt is gone. */
    async update(context: CallContext, id: number, changes: PromptChanges, nowUs: number): Promise<Prompt | null> {
      const row = await context.database
        .write(context)
        .updateTable("prompts")
        .set({ ...changes, updated_us: nowUs })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : promptOfRow(row);
    },

    /** With versions, tags and label links. */
    async remove(context: CallContext, id: number): Promise<void> {
      await context.database.write(context).deleteFrom("prompts").where("id", "=", id).execute();
    },

    /** The name of an evaluator that is made of the prompt; null without any. */
    async findEvaluator(context: CallContext, id: number): Promise<string | null> {
      const query = context.database.write(context).selectFrom("evaluators").select("name");
      const row = await query.where("prompt_id", "=", id).limit(1).executeTakeFirst();
      return row?.name ?? null;
    },

    /** Lets changes of a prompt come one after the other, to the end of the transaction. False when it is gone. */
    async lock(context: CallContext, id: number): Promise<boolean> {
      const query = context.database.write(context).selectFrom("prompts").select("id").where("id", "=", id);
      // SQLite has one writer anyway.
      const locked = dialect.name === "sqlite" ? query : query.forUpdate();
      return (await locked.executeTakeFirst()) !== undefined;
    },
  };
}

function promptOfRow(row: Selectable<PromptsTable>): Prompt {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    sourcePromptId: row.source_prompt_id,
    metadata: row.metadata,
    createdUs: row.created_us,
    updatedUs: row.updated_us,
  };
}
