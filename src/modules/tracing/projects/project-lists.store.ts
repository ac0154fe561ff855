// Lists of projects.
import { type SelectQueryBuilder, sql } from "kysely";
import { mapPage, type PlacedPage, type SortedRequest } from "../../../kernel/list.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { type ListOrder, nameOrder, readPage } from "../../../storage/list.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { Tables } from "../../../storage/tables.ts";
import { projectFromRow } from "./project-row.store.ts";
import type { Project, ProjectSort } from "./projects.schema.ts";

/** Its project is where programs send what they play with, and always shown. */
const PLAYGROUND = "playground";

interface ListedProjects {
  /** In any letter case; empty is no filter. */
  readonly nameContains: string;
  /** Also those that only hold the traces of an experiment. */
  readonly withExperiments: boolean;
  /** Also those that only hold the traces of an evaluator. */
  readonly withEvaluators: boolean;
}

export function createProjectListsStore(dialect: Dialect) {
  return {
    async list(
      context: CallContext,
      { nameContains, withExperiments, withEvaluators }: ListedProjects,
      request: SortedRequest<ProjectSort>,
    ): Promise<PlacedPage<Project>> {
      // A part of a name and the latest traces are found by reading every project; everything else is on an index.
      const readClass = nameContains === "" && request.sort !== "endTime" ? "short" : "slow";
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
      return mapPage(await readPage(query, orderOf(request), request), projectFromRow);
    },

    /** Without those of experiments and evaluators. */
    async count(context: CallContext): Promise<number> {
      const query = context.database.read(context, "short").selectFrom("projects").where("deleting", "=", 0);
      const counting = withoutEvaluators(withoutExperiments(query)).select((eb) =>
        eb.fn.countAll<number>().as("count"),
      );
      return Number((await counting.executeTakeFirstOrThrow()).count);
    },
  };
}

function orderOf({ sort, order }: Pick<SortedRequest<ProjectSort>, "sort" | "order">): ListOrder {
  if (sort !== "endTime") return nameOrder("projects", { sort, order });
  const latest = sql<number | null>`(select max(traces.start_us) from traces
    where traces.project_id = projects.id and traces.span_count > 0)`;
  return { value: latest, rowId: sql.ref<number>("projects.id"), direction: order, nullable: true };
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
