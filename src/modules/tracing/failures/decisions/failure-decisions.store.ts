// What people decide about groups: states, merges and splits. Runs under the lock of the settlement.
import { sql } from "kysely";
import { splitFingerprint } from "../../../../analysis/failures/group-rules.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { FailureGroupStateName } from "../failures.schema.ts";

interface NewState {
  readonly state: Exclude<FailureGroupStateName, "reopened">;
  readonly atUs: number;
  readonly resolvedVersion: string | null;
  /** Null unless it is resolved. */
  readonly seenVersions: readonly string[] | null;
}

/** Versions that are remembered when a group is resolved: those that failed last. */
const MOST_SEEN = 1000;

export type FailureDecisionsStore = ReturnType<typeof createFailureDecisionsStore>;

export function createFailureDecisionsStore(dialect: Dialect) {
  const fingerprintsOf = (groupIds: readonly number[]) =>
    sql`(select id from failure_fingerprints where ${dialect.inList(sql.ref("group_id"), groupIds)})`;

  /** A copy of a fingerprint under another name, in the group. */
  async function copyFingerprint(
    context: CallContext,
    { from, to, groupId, projectId }: { from: string; to: string; groupId: number; projectId: number },
  ): Promise<void> {
    await sql`insert into failure_fingerprints (project_id, fingerprint, group_id, kind, type, message, http_status, code,
        tool_name, span_name, frames)
      select project_id, ${to}, ${groupId}, kind, type, message, http_status, code, tool_name, span_name, frames
      from failure_fingerprints where project_id = ${projectId} and fingerprint = ${from}
      on conflict do nothing`.execute(context.database.write(context));
  }

  async function createGroup(context: CallContext, projectId: number, key: string, knownUs: number): Promise<number> {
    const { id } = await context.database
      .write(context)
      .insertInto("failure_groups")
      .values({ project_id: projectId, group_key: key, known_us: knownUs })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  }

  return {
    async listSeenVersions(context: CallContext, groupId: number): Promise<string[]> {
      const { rows } = await sql<{ version: string }>`select version from failures
        where fingerprint_id in ${fingerprintsOf([groupId])} and version is not null
        group by version order by max(start_us) desc limit ${sql.lit(MOST_SEEN)}`.execute(
        context.database.read(context, "short"),
      );
      return rows.map(({ version }) => version);
    },

    async changeState(context: CallContext, groupId: number, given: NewState): Promise<void> {
      await context.database
        .write(context)
        .updateTable("failure_groups")
        .set({
          state: given.state,
          state_us: given.atUs,
          resolved_version: given.resolvedVersion,
          resolved_seen: given.seenVersions === null ? null : JSON.stringify(given.seenVersions),
          reopened_version: null,
        })
        .where("id", "=", groupId)
        .execute();
    },

    /** All fingerprints of the others are those of the group from now on, and the others are gone. */
    async mergeInto(context: CallContext, groupId: number, otherIds: readonly number[]): Promise<void> {
      const database = context.database.write(context);
      const others = dialect.inList(sql.ref("id"), otherIds);
      await sql`update failure_groups set known_us = (select min(known_us) from failure_groups
        where id = ${groupId} or ${others}) where id = ${groupId}`.execute(database);
      await database
        .updateTable("failure_fingerprints")
        .set({ group_id: groupId })
        .where(dialect.inList(sql.ref("group_id"), otherIds))
        .execute();
      await database.deleteFrom("failure_groups").where(others).execute();
    },

    /** Null where the group has no such fingerprint. */
    async splitFingerprint(
      context: CallContext,
      group: { readonly id: number; readonly projectId: number; readonly knownUs: number },
      fingerprint: string,
    ): Promise<number | null> {
      const database = context.database.write(context);
      const found = await database
        .selectFrom("failure_fingerprints")
        .select("id")
        .where("group_id", "=", group.id)
        .where("fingerprint", "=", fingerprint)
        .executeTakeFirst();
      if (found === undefined) return null;
      const id = await createGroup(context, group.projectId, fingerprint, group.knownUs);
      await database.updateTable("failure_fingerprints").set({ group_id: id }).where("id", "=", found.id).execute();
      return id;
    },

    /** A group for the spans with the value of the attribute; all spans of the group are examined again. Null where it was split so
     *  before. */
    async splitValue(
      context: CallContext,
      group: { readonly id: number; readonly projectId: number; readonly key: string; readonly knownUs: number },
      { attribute, value }: { readonly attribute: string; readonly value: string },
    ): Promise<number | null> {
      const database = context.database.write(context);
      const { id: groupId, projectId } = group;
      const fingerprints = await database
        .selectFrom("failure_fingerprints")
        .select("fingerprint")
        .where("group_id", "=", groupId)
        .orderBy("id")
        .execute();
      const added = await database
        .insertInto("failure_splits")
        .values(fingerprints.map(({ fingerprint }) => ({ project_id: projectId, fingerprint, attribute, value })))
        .onConflict((conflict) => conflict.doNothing())
        .returning("fingerprint")
        .execute();
      if (!added.some(({ fingerprint }) => fingerprint === group.key)) return null;
      const key = splitFingerprint(group.key, attribute, value);
      const id = await createGroup(context, projectId, key, group.knownUs);
      for (const { fingerprint } of added) {
        const to = splitFingerprint(fingerprint, attribute, value);
        await copyFingerprint(context, { from: fingerprint, to, groupId: id, projectId });
      }
      await sql`insert into pending_failures (span_id) select span_id from failures
        where fingerprint_id in ${fingerprintsOf([groupId])} on conflict do nothing`.execute(database);
      return id;
    },
  };
}
