// Lists of projects: page by page, and whole for where people choose one.
import { sql } from "kysely";
import type { PageRequest, PlacedPage } from "../../kernel/list.ts";
import type { Dialect } from "../../storage/dialect.ts";
import { arrivalOrder, readPage, sortedBy, type ValueOrder } from "../../storage/list.ts";
import type { CallContext } from "../../storage/storage.ts";
import { projectFromRow } from "./project-row.store.ts";
import type { Project } from "./projects.schema.ts";

export interface WholeList {
  /** Empty is no filter. */
  readonly nameContains: string;
  /** `endTime` is the start of the latest trace; projects without traces come last. Null is the order of row ids. */
  readonly sort: "name" | "endTime" | null;
  readonly direction: "asc" | "desc";
  readonly limit: number;
}

export function createProjectListsStore(dialect: Dialect) {
  return {
    /** Newest first. */
    async list(context: CallContext, nameContains: string | null, request: PageRequest): Promise<PlacedPage<Project>> {
      // A part of a name is found by reading every project; everything else is on the primary key.
      const readClass = nameContains === null ? "short" : "slow";
      let query = context.database
        .read(context, readClass)
        .selectFrom("projects")
        .selectAll()
        .where("deleting", "=", 0);
      if (nameContains !== null) {
        query = query.where((builder) => dialect.containsIgnoringCase(builder.ref("name"), nameContains));
      }
      const page = await readPage(query, arrivalOrder(sql.ref("id"), "desc"), request);
      return { ...page, items: page.items.map(projectFromRow) };
    },

    async listWholly(context: CallContext, list: WholeList): Promise<Project[]> {
      const { nameContains, sort, direction } = list;
      let query = context.database
        .read(context, nameContains === "" && sort !== "endTime" ? "short" : "slow")
        .selectFrom("projects")
        .selectAll()
        .where("deleting", "=", 0)
        .limit(list.limit);
      if (nameContains !== "") {
        query = query.where((builder) => dialect.containsIgnoringCase(builder.ref("name"), nameContains));
      }
      if (sort === "endTime") {
        const latest = sql<number | null>`(select max(traces.start_us) from traces
          where traces.project_id = projects.id and traces.span_count > 0)`;
        const order: ValueOrder = { value: latest, rowId: sql.ref<number>("id"), direction, nullable: true };
        return (await query.orderBy(sortedBy(order)).execute()).map(projectFromRow);
      }
      const projects = (await query.orderBy("id").execute()).map(projectFromRow);
      // Here, because each database has an order of its own for texts.
      const factor = direction === "asc" ? 1 : -1;
      return sort === null ? projects : projects.sort((one, other) => (one.name < other.name ? -factor : factor));
    },
  };
}
