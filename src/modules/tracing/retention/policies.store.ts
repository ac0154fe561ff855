// The rows of retention policies.
import { type Selectable, sql } from "kysely";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";
import {
  DEFAULT_POLICY_ID,
  type NewRetentionPolicy,
  type RetentionPolicy,
  type RetentionPolicyChanges,
} from "./retention.schema.ts";
import type { RetentionPoliciesTable } from "./retention.tables.ts";

export type PoliciesStore = ReturnType<typeof createPoliciesStore>;

export function createPoliciesStore(dialect: Dialect) {
  const read = (context: CallContext) =>
    context.database.read(context, "short").selectFrom("retention_policies").selectAll();

  return {
    /** In the order of their ids: the default one first. */
    async list(context: CallContext): Promise<RetentionPolicy[]> {
      return (await read(context).orderBy("id").execute()).map(policyFromRow);
    },

    async findAll(context: CallContext, ids: readonly number[]): Promise<RetentionPolicy[]> {
      const rows = await read(context)
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
      return rows.map(policyFromRow);
    },

    async insert(context: CallContext, policy: NewRetentionPolicy, nowUs: number): Promise<RetentionPolicy> {
      const row = await context.database
        .write(context)
        .insertInto("retention_policies")
        .values({ ...rowOf(policy), served_us: nowUs, created_us: nowUs, updated_us: nowUs })
        .returningAll()
        .executeTakeFirstOrThrow();
      return policyFromRow(row);
    },

    /** Nothing where there is one. */
    async insertDefault(context: CallContext, policy: NewRetentionPolicy, nowUs: number): Promise<void> {
      await context.database
        .write(context)
        .insertInto("retention_policies")
        .values({
          id: DEFAULT_POLICY_ID,
          ...rowOf(policy),
          served_us: nowUs,
          created_us: nowUs,
          updated_us: nowUs,
        })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .execute();
    },

    /** Null when it is gone. */
    async update(
      context: CallContext,
      id: number,
      changes: RetentionPolicyChanges,
      nowUs: number,
    ): Promise<RetentionPolicy | null> {
      const row = await context.database
        .write(context)
        .updateTable("retention_policies")
        .set({ ...changedRow(changes), updated_us: nowUs })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : policyFromRow(row);
    },

    /** Holds the policy to the end of the transaction: before its projects. Null when it is gone. */
    async lock(context: CallContext, id: number): Promise<RetentionPolicy | null> {
      const query = context.database.write(context).selectFrom("retention_policies").selectAll().where("id", "=", id);
      // SQLite has one writer anyway.
      const row = await (dialect.name === "sqlite" ? query : query.forUpdate()).executeTakeFirst();
      return row === undefined ? null : policyFromRow(row);
    },

    /** Its projects have the default policy then. */
    async remove(context: CallContext, id: number): Promise<void> {
      const database = context.database.write(context);
      await database
        .updateTable("projects")
        .set({ retention_policy_id: null })
        .where("retention_policy_id", "=", id)
        .execute();
      await database.deleteFrom("retention_policies").where("id", "=", id).execute();
    },

    markServed: setServed,

    /** Unless another sweep was asked for meanwhile, or the schedule was changed: then the policy is due again. */
    async completeSweep(context: CallContext, { id, servedUs }: RetentionPolicy, dueUs: number): Promise<void> {
      await context.database
        .write(context)
        .updateTable("retention_policies")
        .set({ served_us: dueUs })
        .where("id", "=", id)
        .where("served_us", "=", servedUs)
        .execute();
    },

    /** Due since that time, until it is served. */
    async requestSweep(context: CallContext, id: number, sinceUs: number): Promise<void> {
      await setServed(context, id, -sinceUs);
    },
  };
}

async function setServed(context: CallContext, id: number, servedUs: number): Promise<void> {
  await context.database
    .write(context)
    .updateTable("retention_policies")
    .set({ served_us: servedUs })
    .where("id", "=", id)
    .execute();
}

function rowOf(policy: NewRetentionPolicy) {
  return {
    name: policy.name,
    cron: policy.schedule,
    max_days: policy.maxDays,
    max_count: policy.maxCount,
    max_bytes: policy.maxBytes,
    keep_annotated: Number(policy.keepsAnnotated),
    keep_sources: Number(policy.keepsDatasetSources),
  };
}

function changedRow(changes: RetentionPolicyChanges) {
  const { name, schedule, maxDays, maxCount, maxBytes, keepsAnnotated, keepsDatasetSources } = changes;
  return {
    ...(name === undefined ? {} : { name }),
    ...(schedule === undefined ? {} : { cron: schedule }),
    ...(maxDays === undefined ? {} : { max_days: maxDays }),
    ...(maxCount === undefined ? {} : { max_count: maxCount }),
    ...(maxBytes === undefined ? {} : { max_bytes: maxBytes }),
    ...(keepsAnnotated === undefined ? {} : { keep_annotated: Number(keepsAnnotated) }),
    ...(keepsDatasetSources === undefined ? {} : { keep_sources: Number(keepsDatasetSources) }),
  };
}

function policyFromRow(row: Selectable<RetentionPoliciesTable>): RetentionPolicy {
  return {
    id: row.id,
    name: row.name,
    schedule: row.cron,
    maxDays: row.max_days,
    maxCount: row.max_count,
    maxBytes: row.max_bytes,
    keepsAnnotated: row.keep_annotated === 1,
    keepsDatasetSources: row.keep_sources === 1,
    servedUs: row.served_us,
    createdUs: row.created_us,
    updatedUs: row.updated_us,
  };
}
