// Which project has which retention policy.
import { sql } from "kysely";
import type { PageRequest, PlacedPage } from "../../../kernel/list.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { arrivalOrder, readPages } from "../../../storage/list.ts";
import { lockProjects } from "../../../storage/lock-projects.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { DEFAULT_POLICY_ID } from "./retention.schema.ts";

export type PolicyAssignmentsStore = ReturnType<typeof createPolicyAssignmentsStore>;

const projectsOf = (context: CallContext, policyId: number) =>
  context.database
    .read(context, "short")
    .selectFrom("projects")
    .select(["id", "retention_policy_id as policyId"])
    .where("deleting", "=", 0)
    .where(
      "retention_policy_id",
      policyId === DEFAULT_POLICY_ID ? "is" : "=",
      policyId === DEFAULT_POLICY_ID ? null : policyId,
    );

export function createPolicyAssignmentsStore(dialect: Dialect) {
  return {
    async assign(context: CallContext, projectIds: readonly number[], policyId: number): Promise<void> {
      await context.database
        .write(context)
        .updateTable("projects")
        .set({ retention_policy_id: policyId === DEFAULT_POLICY_ID ? null : policyId })
        .where(dialect.inList(sql.ref("id"), projectIds))
        .execute();
    },

    /** As `lockProjects` of the storage. */
    lockProjects: (context: CallContext, ids: readonly number[]) => lockProjects(dialect, context, ids),

    /** Takes the projects away that have the policy; the others stay as they are. */
    async release(context: CallContext, projectIds: readonly number[], policyId: number): Promise<void> {
      await context.database
        .write(context)
        .updateTable("projects")
        .set({ retention_policy_id: null })
        .where(dialect.inList(sql.ref("id"), projectIds))
        .where("retention_policy_id", "=", policyId)
        .execute();
    },

    /** The policy of each project. */
    async listOfProjects(
      context: CallContext,
      projectIds: readonly number[],
    ): Promise<{ projectId: number; policyId: number }[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("projects")
        .select(["id", "retention_policy_id as policyId"])
        .where(dialect.inList(sql.ref("id"), projectIds))
        .execute();
      return rows.map(({ id, policyId }) => ({ projectId: id, policyId: policyId ?? DEFAULT_POLICY_ID }));
    },

    /** Row ids of the projects that have the policy, ascending. */
    listProjects: async (context: CallContext, policyId: number): Promise<number[]> =>
      (await projectsOf(context, policyId).orderBy("id").execute()).map(({ id }) => id),

    /** Pages of them, by policy. */
    pageProjects: (
      context: CallContext,
      policyIds: readonly number[],
      request: PageRequest,
    ): Promise<Map<number, PlacedPage<number>>> =>
      readPages(
        context.database.read(context, "short"),
        policyIds,
        {
          listOf: (id) => projectsOf(context, id),
          ownerOf: ({ policyId }) => policyId ?? DEFAULT_POLICY_ID,
          itemOf: ({ id }) => id,
        },
        arrivalOrder(sql.ref("projects.id"), "asc"),
        request,
      ),
  };
}
