// The rows of the versions of prompts.

import { type Selectable, sql } from "kysely";
import type { PageRequest, PlacedPage } from "../../../../kernel/list.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { arrivalOrder, readPages } from "../../../../storage/list.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { promptColumns, promptOfRow } from "../prompt-columns.rules.ts";
import type { PromptVersion, VersionContent } from "../prompts.schema.ts";
import type { PromptVersionsTable } from "../prompts.tables.ts";

interface NewVersionRow {
  readonly promptId: number;
  readonly userId: number | null;
  readonly nowUs: number;
}

/** What a copy has of a version: all but the row and the prompt. */
const COPIED = sql.raw(
  "number, user_id, description, model_provider, model_name, template_type, template_format, template, " +
    "invocation_parameters, tools, response_format, metadata, custom_provider_id, created_us",
);

export type PromptVersionsStore = ReturnType<typeof createPromptVersionsStore>;

export function createPromptVersionsStore(dialect: Dialect) {
  const versions = (context: CallContext) =>
    context.database.read(context, "short").selectFrom("prompt_versions").selectAll();

  return {
    ...precedingVersions(dialect),

    /** Newest first, by prompt. */
    listVersions: (
      context: CallContext,
      promptIds: readonly number[],
      request: PageRequest,
    ): Promise<Map<number, PlacedPage<PromptVersion>>> =>
      readPages(
        context.database.read(context, "short"),
        promptIds,
        {
          listOf: (id) => versions(context).where("prompt_id", "=", id),
          ownerOf: ({ prompt_id }) => prompt_id,
          itemOf: versionOfRow,
        },
        arrivalOrder(sql.ref("prompt_versions.id"), "desc"),
        request,
      ),

    /** The first or the latest version of each prompt. */
    async findEndVersions(
      context: CallContext,
      promptIds: readonly number[],
      end: "first" | "latest",
    ): Promise<PromptVersion[]> {
      const order = end === "latest" ? sql`desc` : sql`asc`;
      const rows = await versions(context)
        .where(dialect.inList(sql.ref("prompt_id"), promptIds))
        .where(
          sql<boolean>`number = (select other.number from prompt_versions other
            where other.prompt_id = prompt_versions.prompt_id order by other.number ${order} limit 1)`,
        )
        .execute();
      return rows.map(versionOfRow);
    },

    async findVersions(context: CallContext, ids: readonly number[]): Promise<PromptVersion[]> {
      const rows = await versions(context)
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
      return rows.map(versionOfRow);
    },

    async findTagged(context: CallContext, promptId: number, tag: string): Promise<PromptVersion | null> {
      const row = await versions(context)
        .where("id", "=", (eb) =>
          eb
            .selectFrom("prompt_version_tags")
            .select("version_id")
            .where("prompt_id", "=", promptId)
            .where("name", "=", tag),
        )
        .executeTakeFirst();
      return row === undefined ? null : versionOfRow(row);
    },

    /** How many versions, by prompt; a prompt without any is left out. */
    async countVersions(context: CallContext, promptIds: readonly number[]): Promise<Map<number, number>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("prompt_versions")
        .select((eb) => ["prompt_id", eb.fn.max("number").as("count")])
        .where(dialect.inList(sql.ref("prompt_id"), promptIds))
        .groupBy("prompt_id")
        .execute();
      return new Map(rows.map(({ prompt_id, count }) => [prompt_id, Number(count)]));
    },

    /** The next version, under `lock`. */
    async insertVersion(
      context: CallContext,
      { promptId, userId, nowUs }: NewVersionRow,
      content: VersionContent,
    ): Promise<PromptVersion> {
      const row = await context.database
        .write(context)
        .insertInto("prompt_versions")
        .values({
          ...contentColumns(content),
          prompt_id: promptId,
          user_id: userId,
          number: sql<number>`(select coalesce(max(number), 0) + 1 from prompt_versions where prompt_id = ${promptId})`,
          created_us: nowUs,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return versionOfRow(row);
    },

    /** All versions of one prompt as versions of another, with their authors, numbers and times. */
    async copyVersions(context: CallContext, fromId: number, toId: number): Promise<void> {
      await sql`insert into prompt_versions (prompt_id, ${COPIED})
        select ${sql.lit(toId)}, ${COPIED} from prompt_versions where prompt_id = ${fromId} order by number`.execute(
        context.database.write(context),
      );
    },
  };
}

function precedingVersions(dialect: Dialect) {
  return {
    /** The version before each of these, by the id of the later one; what is before a first one is left out. */
    async findVersionsBefore(context: CallContext, ids: readonly number[]): Promise<Map<number, PromptVersion>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("prompt_versions as later")
        .innerJoin("prompt_versions as before", (join) =>
          join.onRef("before.prompt_id", "=", "later.prompt_id").on(sql<boolean>`before.number = later.number - 1`),
        )
        .selectAll("before")
        .select("later.id as laterId")
        .where(dialect.inList(sql.ref("later.id"), ids))
        .execute();
      return new Map(rows.map((row) => [row.laterId, versionOfRow(row)]));
    },
  };
}

function versionOfRow(row: Selectable<PromptVersionsTable>): PromptVersion {
  return {
    id: row.id,
    promptId: row.prompt_id,
    userId: row.user_id,
    number: row.number,
    description: row.description,
    ...promptOfRow(row),
    metadata: row.metadata,
    customProviderId: row.custom_provider_id,
    createdUs: row.created_us,
  };
}

function contentColumns(content: VersionContent) {
  return {
    description: content.description,
    ...promptColumns(content),
    metadata: content.metadata,
    custom_provider_id: content.customProviderId,
  };
}
