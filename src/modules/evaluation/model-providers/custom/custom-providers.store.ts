// The rows of custom providers. Their configurations stay encrypted here.
import { type Selectable, sql } from "kysely";
import type { PageRequest, PlacedPage } from "../../../../kernel/list.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { arrivalOrder, readPage } from "../../../../storage/list.ts";
import { lockKeys } from "../../../../storage/lock-keys.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { CustomProvidersTable } from "../model-providers.tables.ts";
import type { CustomProvider, CustomProviderTexts } from "./custom-providers.schema.ts";

/** A provider with its encrypted configuration. */
export interface StoredProvider {
  readonly provider: CustomProvider;
  readonly config: Uint8Array;
}

/** What hangs on a provider. */
export interface ProviderUsage {
  readonly prompts: number;
  /** The first of them by name. */
  readonly promptNames: readonly string[];
}

const MOST_SHOWN_NAMES = 10;

export type CustomProvidersStore = ReturnType<typeof createCustomProvidersStore>;

export function createCustomProvidersStore(dialect: Dialect) {
  const providers = (context: CallContext) =>
    context.database.read(context, "short").selectFrom("custom_providers").selectAll();

  return {
    ...usageOfProviders(dialect),

    /** Newest first. */
    async list(context: CallContext, request: PageRequest): Promise<PlacedPage<CustomProvider>> {
      const page = await readPage(providers(context), arrivalOrder(sql.ref("custom_providers.id"), "desc"), request);
      return { ...page, items: page.items.map(providerOfRow) };
    },

    async findAll(context: CallContext, ids: readonly number[]): Promise<StoredProvider[]> {
      const rows = await providers(context)
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
      return rows.map(storedOfRow);
    },

    /** Not deleted before the end of the transaction. */
    async hold(context: CallContext, id: number): Promise<CustomProvider | null> {
      const query = context.database.write(context).selectFrom("custom_providers").selectAll().where("id", "=", id);
      // SQLite has one writer anyway.
      const row = await (dialect.name === "sqlite" ? query : query.forKeyShare()).executeTakeFirst();
      return row === undefined ? null : providerOfRow(row);
    },

    async listAll(context: CallContext): Promise<StoredProvider[]> {
      return (await providers(context).orderBy("id").execute()).map(storedOfRow);
    },

    async count(context: CallContext): Promise<number> {
      const { count } = await context.database
        .read(context, "short")
        .selectFrom("custom_providers")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Lets one change after the other, to the end of the transaction. */
    async lockChanges(context: CallContext): Promise<void> {
      // SQLite has one writer anyway.
      if (dialect.name === "sqlite") return;
      await sql`select pg_advisory_xact_lock(${sql.lit(lockKeys.customProviderChange)})`.execute(
        context.database.write(context),
      );
    },

    /** Without its configuration, which is encrypted with the id. Null when the name is taken. */
    async insert(context: CallContext, provider: Omit<CustomProvider, "id">): Promise<CustomProvider | null> {
      const { name, description, provider: providerName, sdk, userId, createdUs, updatedUs } = provider;
      const row = await context.database
        .write(context)
        .insertInto("custom_providers")
        .values({
          name,
          description,
          provider: providerName,
          sdk,
          config: new Uint8Array(),
          user_id: userId,
          created_us: createdUs,
          updated_us: updatedUs,
        })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : providerOfRow(row);
    },

    async setConfig(context: CallContext, id: number, config: Uint8Array): Promise<void> {
      await context.database
        .write(context)
        .updateTable("custom_providers")
        .set({ config })
        .where("id", "=", id)
        .execute();
    },

    /** Fails as a duplicate when the name is taken. */
    async update(
      context: CallContext,
      id: number,
      changes: CustomProviderTexts & Pick<CustomProvider, "sdk" | "updatedUs">,
    ): Promise<CustomProvider> {
      const { name, description, provider, sdk, updatedUs } = changes;
      const row = await context.database
        .write(context)
        .updateTable("custom_providers")
        .set({ name, description, provider, sdk, updated_us: updatedUs })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return providerOfRow(row);
    },

    /** False when it was not there. */
    async remove(context: CallContext, id: number): Promise<boolean> {
      const row = await context.database
        .write(context)
        .deleteFrom("custom_providers")
        .where("id", "=", id)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

function usageOfProviders(dialect: Dialect) {
  return {
    /** Prompts with a version for the provider; providers without any are left out. */
    async findUsage(context: CallContext, ids: readonly number[]): Promise<Map<number, ProviderUsage>> {
      const wanted = dialect.inList(sql.ref("custom_provider_id"), ids);
      const { rows } = await sql<{ id: number; name: string; prompts: number }>`
        select ranked.id, ranked.name, ranked.prompts from (
          select used.custom_provider_id as id, prompts.name,
            count(*) over (partition by used.custom_provider_id) as prompts,
            row_number() over (partition by used.custom_provider_id order by prompts.name) as place
          from (select distinct custom_provider_id, prompt_id from prompt_versions where ${wanted}) as used
          join prompts on prompts.id = used.prompt_id
        ) as ranked where ranked.place <= ${sql.lit(MOST_SHOWN_NAMES)} order by ranked.id, ranked.place`.execute(
        context.database.read(context, "short"),
      );
      const byProvider = Map.groupBy(rows, ({ id }) => Number(id));
      return new Map(
        [...byProvider].map(([id, used]) => [
          id,
          { prompts: Number(used[0]!.prompts), promptNames: used.map(({ name }) => name) },
        ]),
      );
    },
  };
}

type Row = Selectable<CustomProvidersTable>;

function storedOfRow(row: Row): StoredProvider {
  return { provider: providerOfRow(row), config: row.config };
}

function providerOfRow(row: Row): CustomProvider {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    provider: row.provider,
    sdk: row.sdk,
    userId: row.user_id,
    createdUs: row.created_us,
    updatedUs: row.updated_us,
  };
}
