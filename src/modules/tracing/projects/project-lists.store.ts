// Lists of projects: page by page, and whole for where people choose one.
import { type SelectQueryBuilder, sql } from "kysely";
import type { PageRequest, PlacedPage } from "../../../kernel/list.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { arrivalOrder, readPage, sortedBy, type ValueOrder } from "../../../storage/list.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { Tables } from "../../../storage/tables.ts";
import { projectFromRow } from "./project-row.store.ts";
import type { Project } from "./projects.schema.ts";

/** Its project is where programs send what they play with, and always shown. */
const PLAYGROUND = "playground";

export interface ListedProjects {
  /** In any letter case; empty is no filter. */
  readonly nameContains: string;
  /** Also those that only hold the traces of an experiment. */
  readonly withExperiments: boolean;
  /** Also those that only hold the traces of an evaluator. */
  readonly withEvaluators: boolean;
}

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
    async list(
      context: CallContext,
      { nameContains, withExperiments, withEvaluators }: ListedProjects,
      request: PageRequest,
    ): Promise<PlacedPage<Project>> {
      // A part of a name is found by reading every project; everything else is on the primary key.
      const readClass = nameContains === "" ? "short" : "slow";
      let query = context.database
        .read(context, readClass)
        .selectFrom("projects")
        .selectAll()
        .where("deleting", "=", 0);
      if (nameContains !== "") {
        query = query.where((builder) => dialect.containsIgnoringCase(builder.ref("name"), nameContains));
      }
      if (!withExperiments) query = withoutExperiments(query);
      if (!withEvaluators) query = withoutEvaluators(query);
      const page = await readPage(query, arrivalOrder(sql.ref("id"), "desc"), request);
      return { ...page, items: page.items.map(projectFromRow) };
    },

    /** Of those that `listWholly` gives. */
    async count(context: CallContext): Promise<number> {
      const query = context.database.read(context, "short").selectFrom("projects").where("deleting", "=", 0);
      const counting = withoutEvaluators(withoutExperiments(query)).select((eb) =>
        eb.fn.countAll<number>().as("count"),
      );
      return Number((await counting.executeTakeFirstOrThrow()).count);
    },

    /** Without those of experiments and evaluators. */
    async listWholly(context: CallContext, list: WholeList): Promise<Project[]> {
      const { nameContains, sort, direction } = list;
      const chosen = context.database
        .read(context, nameContains === "" && sort !== "endTime" ? "short" : "slow")
        .selectFrom("projects")
        .selectAll()
        .where("deleting", "=", 0)
        .limit(list.limit);
      let query = withoutEvaluators(withoutExperiments(chosen));
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

/** An experiment owns the project of its name. */
function withoutExperiments<Row>(
  query: SelectQueryBuilder<Tables, "projects", Row>,
): SelectQueryBuilder<Tables, "projects", Row> {
  return query.where(({ and, exists, not, selectFrom }) =>
    not(
      and([
        exists(selectFrom("experiments").select("id").whereRef("experiments.project_name", "=", "projects.name")),
        sql<boolean>`projects.name <> ${PLAYGROUND}`,
      ]),
    ),
  );
}

/** An evaluator of a dataset owns the project of its name. */
function withoutEvaluators<Row>(
  query: SelectQueryBuilder<Tables, "projects", Row>,
): SelectQueryBuilder<Tables, "projects", Row> {
  return query.where(({ exists, not, selectFrom }) =>
    not(
      exists(
        selectFrom("dataset_evaluators").select("id").whereRef("dataset_evaluators.project_name", "=", "projects.name"),
      ),
    ),
  );
}
