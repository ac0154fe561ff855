// The rows of tags on versions of prompts, and of where they pointed before.
import { type Selectable, sql } from "kysely";
import { mapPage, type PageRequest, type PlacedPage } from "../../../../kernel/list.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { arrivalOrder, readPage } from "../../../../storage/list.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { NewTag, PromptVersion, PromptVersionTag, TagMove } from "../prompts.schema.ts";
import type { PromptVersionTagsTable } from "../prompts.tables.ts";

interface Author {
  readonly userId: number | null;
  readonly nowUs: number;
}

/** Rows of the history that one answer shows. */
const SHOWN_MOVES = 100;

export type PromptTagsStore = ReturnType<typeof createPromptTagsStore>;

export function createPromptTagsStore(dialect: Dialect) {
  const tags = (context: CallContext) =>
    context.database.read(context, "short").selectFrom("prompt_version_tags").selectAll();

  async function noteMove(
    context: CallContext,
    {
      promptId,
      versionId,
      name,
    }: { readonly promptId: number; readonly versionId: number | null; readonly name: string },
    { userId, nowUs }: Author,
  ): Promise<void> {
    await context.database
      .write(context)
      .insertInto("prompt_tag_moves")
      .values({ prompt_id: promptId, version_id: versionId, user_id: userId, name, moved_us: nowUs })
      .execute();
  }

  return {
    /** Those that point at the version, newest first. */
    async listOfVersion(
      context: CallContext,
      versionId: number,
      request: PageRequest,
    ): Promise<PlacedPage<PromptVersionTag>> {
      return mapPage(
        await readPage(
          tags(context).where("version_id", "=", versionId),
          arrivalOrder(sql.ref("prompt_version_tags.id"), "desc"),
          request,
        ),
        tagOfRow,
      );
    },

    /** By name. */
    async listOf(
      context: CallContext,
      column: "prompt_id" | "version_id",
      ids: readonly number[],
    ): Promise<PromptVersionTag[]> {
      const rows = await tags(context)
        .where(dialect.inList(sql.ref(column), ids))
        .orderBy("name")
        .execute();
      return rows.map(tagOfRow);
    },

    async findAll(context: CallContext, ids: readonly number[]): Promise<PromptVersionTag[]> {
      const rows = await tags(context)
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
      return rows.map(tagOfRow);
    },

    async findByName(context: CallContext, promptId: number, name: string): Promise<PromptVersionTag | null> {
      const row = await tags(context).where("prompt_id", "=", promptId).where("name", "=", name).executeTakeFirst();
      return row === undefined ? null : tagOfRow(row);
    },

    /** Sets the tag on the version, wherever in the prompt it pointed. */
    async set(
      context: CallContext,
      { promptId, id: versionId }: Pick<PromptVersion, "id" | "promptId">,
      { name, description }: NewTag,
      author: Author,
    ): Promise<PromptVersionTag> {
      const before = await this.findByName(context, promptId, name);
      const moved = { version_id: versionId, user_id: author.userId, updated_us: author.nowUs };
      const row = await context.database
        .write(context)
        .insertInto("prompt_version_tags")
        .values({ ...moved, prompt_id: promptId, name, description: description ?? null })
        .onConflict((conflict) =>
          conflict
            .columns(["prompt_id", "name"])
            .doUpdateSet({ ...moved, ...(description === undefined ? {} : { description }) }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      if (before?.versionId !== versionId) await noteMove(context, { promptId, versionId, name }, author);
      return tagOfRow(row);
    },

    /** False when it is gone already. */
    async remove(context: CallContext, tag: PromptVersionTag, author: Author): Promise<boolean> {
      const removed = await context.database
        .write(context)
        .deleteFrom("prompt_version_tags")
        .where("id", "=", tag.id)
        .where("version_id", "=", tag.versionId)
        .executeTakeFirst();
      if (removed.numDeletedRows === 0n) return false;
      await noteMove(context, { promptId: tag.promptId, versionId: null, name: tag.name }, author);
      return true;
    },

    /** Newest first, the last SHOWN_MOVES of each prompt. */
    async listMoves(context: CallContext, promptIds: readonly number[]): Promise<Map<number, TagMove[]>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom((from) =>
          from
            .selectFrom("prompt_tag_moves")
            .select(["id", "prompt_id as promptId", "name", "version_id as versionId", "user_id as userId"])
            .select("moved_us as movedUs")
            .select(sql<number>`row_number() over (partition by prompt_id order by id desc)`.as("place"))
            .where(dialect.inList(sql.ref("prompt_id"), promptIds))
            .as("moves"),
        )
        .select(["promptId", "name", "versionId", "userId", "movedUs"])
        .where("place", "<=", SHOWN_MOVES)
        .orderBy("id", "desc")
        .execute();
      return Map.groupBy(rows, ({ promptId }) => promptId);
    },
  };
}

function tagOfRow(row: Selectable<PromptVersionTagsTable>): PromptVersionTag {
  return {
    id: row.id,
    promptId: row.prompt_id,
    versionId: row.version_id,
    userId: row.user_id,
    name: row.name,
    description: row.description,
  };
}
