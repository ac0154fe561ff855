// Projects, datasets, experiments and prompts by a text in their name or description.
import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";

const resources = ["projects", "datasets", "experiments", "prompts"] as const;
export type Resource = (typeof resources)[number];

/** What lists of each show: not what is being deleted, nor the projects of experiments, nor experiments that are dismissed. */
const shown: Readonly<Record<Resource, RawBuilder<boolean>>> = {
  projects: sql`deleting = 0 and (name = 'playground' or not exists (
    select 1 from experiments where experiments.project_name = projects.name))`,
  datasets: sql`deleting = 0`,
  experiments: sql`deletion_began_us is null and dismissed_us is null and exists (
    select 1 from datasets where datasets.id = experiments.dataset_id and datasets.deleting = 0)`,
  prompts: sql`1 = 1`,
};

export type ResourceSearchStore = ReturnType<typeof createResourceSearchStore>;

export function createResourceSearchStore(dialect: Dialect) {
  return {
    /** Row ids of those that contain the text, in any letter case: in the name first, then in the description, each newest first. */
    async find(context: CallContext, resource: Resource, text: string, limit: number): Promise<number[]> {
      const named = dialect.containsIgnoringCase(sql.ref("name"), text);
      const described = dialect.containsIgnoringCase(sql<string>`coalesce(description, '')`, text);
      const { rows } = await sql<{ id: number }>`
        select id from (select id, case when ${named} then 0 when ${described} then 1 end as place
          from ${sql.table(resource)} where ${shown[resource]}) as found
        where place is not null order by place, id desc limit ${limit}`.execute(context.database.read(context, "slow"));
      return rows.map(({ id }) => id);
    },
  };
}
