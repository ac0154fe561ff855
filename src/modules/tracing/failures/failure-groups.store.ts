// Groups of failures as rows, and what is counted of their spans. All of it is right only after it was settled (settlement/).
import { type Selectable, sql } from "kysely";
import type { PageRequest, PlacedPage } from "../../../kernel/list.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { readPages, type ValueOrder } from "../../../storage/list.ts";
import type { CallContext, Database } from "../../../storage/storage.ts";
import {
  type FailureGroup,
  type FailureGroupCounts,
  type FailureGroupSort,
  type FailureGroupStateName,
  NEW_FOR_US,
} from "./failures.schema.ts";
import type { FailureFingerprintsTable, FailureGroupsTable } from "./failures.tables.ts";

export interface GroupsRequest extends PageRequest {
  readonly sort: FailureGroupSort;
  /** Null for all. */
  readonly states: readonly FailureGroupStateName[] | null;
}

const columns = {
  last_seen: "last_us",
  first_seen: "first_us",
  span_count: "span_count",
  trace_count: "trace_count",
} as const satisfies Record<FailureGroupSort, keyof FailureGroupsTable>;

export type FailureGroupsStore = ReturnType<typeof createFailureGroupsStore>;

export function createFailureGroupsStore(dialect: Dialect) {
  const orderOf = (sort: FailureGroupSort): ValueOrder => ({
    value: sql.ref<number>(columns[sort]),
    rowId: sql.ref<number>("failure_groups.id"),
    direction: "desc",
    nullable: false,
  });
  return {
    /** Pages of the groups of each project that have spans. */
    listOfProjects(
      context: CallContext,
      projectIds: readonly number[],
      { sort, states, ...request }: GroupsRequest,
    ): Promise<Map<number, PlacedPage<FailureGroup>>> {
      const database = context.database.read(context, "short");
      const listOf = (projectId: number) => {
        const groups = groupsIn(database)
          .where("failure_groups.project_id", "=", projectId)
          .where("span_count", ">", 0);
        return states === null ? groups : groups.where("state", "in", [...states]);
      };
      const lists = {
        listOf,
        ownerOf: ({ project_id }: GroupRow) => project_id,
        itemOf: groupFromRow,
      };
      return readPages(database, projectIds, lists, orderOf(sort), request);
    },

    async findGroups(context: CallContext, ids: readonly number[]): Promise<FailureGroup[]> {
      const rows = await groupsIn(context.database.read(context, "short"))
        .where(dialect.inList(sql.ref("failure_groups.id"), ids))
        .execute();
      return rows.map(groupFromRow);
    },

    async findByKey(context: CallContext, projectId: number, key: string): Promise<FailureGroup | null> {
      const row = await groupsIn(context.database.read(context, "short"))
        .where("failure_groups.project_id", "=", projectId)
        .where("group_key", "=", key)
        .executeTakeFirst();
      return row === undefined ? null : groupFromRow(row);
    },

    /** Projects without groups are left out. */
    async countStates(
      context: CallContext,
      projectIds: readonly number[],
      nowUs: number,
    ): Promise<Map<number, FailureGroupCounts>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("failure_groups")
        .select(["project_id", "state", (of) => of.fn.countAll<number>().as("amount")])
        .select(sql<number>`sum(case when known_us >= ${nowUs - NEW_FOR_US} then 1 else 0 end)`.as("fresh"))
        .where(dialect.inList(sql.ref("project_id"), projectIds))
        .where("span_count", ">", 0)
        .groupBy(["project_id", "state"])
        .execute();
      return new Map(
        [...Map.groupBy(rows, ({ project_id }) => project_id)].map(([projectId, states]) => {
          const of = (name: FailureGroupStateName) => states.find(({ state }) => state === name);
          const amount = (name: FailureGroupStateName) => Number(of(name)?.amount ?? 0);
          const counts = {
            open: amount("open") + amount("reopened"),
            new: Number(of("open")?.fresh ?? 0),
            reopened: amount("reopened"),
            resolved: amount("resolved"),
            ignored: amount("ignored"),
          };
          return [projectId, counts];
        }),
      );
    },
  };
}

type GroupRow = Selectable<FailureGroupsTable> &
  Pick<
    Selectable<FailureFingerprintsTable>,
    "kind" | "type" | "message" | "http_status" | "code" | "tool_name" | "span_name" | "frames"
  >;

/** With the failure that they are called by. */
function groupsIn(database: Database) {
  return database
    .selectFrom("failure_groups")
    .innerJoin("failure_fingerprints as called", (join) =>
      join
        .onRef("called.project_id", "=", "failure_groups.project_id")
        .onRef("called.fingerprint", "=", "failure_groups.group_key"),
    )
    .selectAll("failure_groups")
    .select(["called.kind", "called.type", "called.message", "called.http_status", "called.code"])
    .select(["called.tool_name", "called.span_name", "called.frames"]);
}

function groupFromRow(row: GroupRow): FailureGroup {
  return {
    id: row.id,
    projectId: row.project_id,
    key: row.group_key,
    kind: row.kind as FailureGroup["kind"],
    type: row.type,
    message: row.message,
    httpStatus: row.http_status,
    code: row.code,
    toolName: row.tool_name,
    spanName: row.span_name,
    frames: JSON.parse(row.frames) as string[],
    state: row.state as FailureGroupStateName,
    stateUs: row.state_us,
    resolvedVersion: row.resolved_version,
    reopenedVersion: row.reopened_version,
    spanCount: row.span_count,
    traceCount: row.trace_count,
    sessionCount: row.session_count,
    userCount: row.user_count,
    firstUs: row.first_us,
    lastUs: row.last_us,
    knownUs: row.known_us,
  };
}
