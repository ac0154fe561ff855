// The rows of annotation configurations.
import { type Selectable, sql } from "kysely";
import { mapPage, type PlacedPage, type SortedRequest } from "../../../kernel/list.ts";
import type { OptimizationDirection } from "../../../model/annotation.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { type NameSort, nameOrder, readPage, readPages } from "../../../storage/list.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { AnnotationConfig, ConfigContent, NewAnnotationConfig } from "./annotation-configs.schema.ts";
import type { AnnotationConfigsTable } from "./annotation-configs.tables.ts";

/** How a configuration is identified: by row id or by name. */
export type ConfigKey = { readonly id: number } | { readonly name: string };

interface ConfigsOfProject extends SortedRequest<NameSort> {
  readonly names: readonly string[] | null;
}

type ConfigRow = Selectable<AnnotationConfigsTable>;

export type AnnotationConfigsStore = ReturnType<typeof createAnnotationConfigsStore>;

export function createAnnotationConfigsStore(dialect: Dialect) {
  const configs = (context: CallContext) =>
    context.database.read(context, "short").selectFrom("annotation_configs").selectAll("annotation_configs");

  return {
    async list(context: CallContext, request: SortedRequest<NameSort>): Promise<PlacedPage<AnnotationConfig>> {
      return mapPage(await readPage(configs(context), nameOrder("annotation_configs", request), request), configOfRow);
    },

    /** Those that projects have, by project; `names` null is all. */
    listOfProjects(
      context: CallContext,
      projectIds: readonly number[],
      { names, ...request }: ConfigsOfProject,
    ): Promise<Map<number, PlacedPage<AnnotationConfig>>> {
      const listOf = (projectId: number) => {
        const query = configs(context)
          .innerJoin("project_annotation_configs as assigned", "assigned.config_id", "annotation_configs.id")
          .select("assigned.project_id as projectId")
          .where("assigned.project_id", "=", projectId);
        return names === null ? query : query.where(dialect.inList(sql.ref("annotation_configs.name"), names));
      };
      return readPages(
        context.database.read(context, "short"),
        projectIds,
        { listOf, ownerOf: ({ projectId }) => projectId, itemOf: configOfRow },
        nameOrder("annotation_configs", request),
        request,
      );
    },

    async findByNames(context: CallContext, names: readonly string[]): Promise<AnnotationConfig[]> {
      const query = configs(context).where(dialect.inList(sql.ref("name"), names));
      return (await query.execute()).map(configOfRow);
    },

    async find(context: CallContext, key: ConfigKey): Promise<AnnotationConfig | null> {
      const query = configs(context);
      const row = await ("id" in key
        ? query.where("id", "=", key.id)
        : query.where("name", "=", key.name)
      ).executeTakeFirst();
      return row === undefined ? null : configOfRow(row);
    },

    async findAll(context: CallContext, ids: readonly number[]): Promise<AnnotationConfig[]> {
      return (
        await configs(context)
          .where(dialect.inList(sql.ref("id"), ids))
          .execute()
      ).map(configOfRow);
    },

    /** By name; null of the type that may have none reads as NONE. */
    async findDirections(context: CallContext, names: readonly string[]): Promise<Map<string, OptimizationDirection>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("annotation_configs")
        .select(["name", "optimization_direction as direction"])
        .where(dialect.inList(sql.ref("name"), names))
        .execute();
      return new Map(rows.map(({ name, direction }) => [name, direction ?? "NONE"]));
    },

    /** False without a configuration of that name. */
    async setDirection(context: CallContext, name: string, direction: OptimizationDirection): Promise<boolean> {
      const row = await context.database
        .write(context)
        .updateTable("annotation_configs")
        .set({ optimization_direction: direction })
        .where("name", "=", name)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Null when the name is taken. */
    async insert(context: CallContext, config: NewAnnotationConfig): Promise<AnnotationConfig | null> {
      const row = await context.database
        .write(context)
        .insertInto("annotation_configs")
        .values(rowOf(config))
        .onConflict((conflict) => conflict.column("name").doNothing())
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : configOfRow(row);
    },

    /** Null when the configuration is gone. Fails as a duplicate when the name is taken. */
    async update(context: CallContext, id: number, config: NewAnnotationConfig): Promise<AnnotationConfig | null> {
      const row = await context.database
        .write(context)
        .updateTable("annotation_configs")
        .set(rowOf(config))
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : configOfRow(row);
    },

    /** With their assignments. Answers with those that were there. */
    async remove(context: CallContext, ids: readonly number[]): Promise<AnnotationConfig[]> {
      const rows = await context.database
        .write(context)
        .deleteFrom("annotation_configs")
        .where(dialect.inList(sql.ref("id"), ids))
        .returningAll()
        .execute();
      return rows.map(configOfRow);
    },
  };
}

function rowOf({ name, description, optimizationDirection, ...content }: NewAnnotationConfig) {
  const { type, ...own } = content;
  return {
    name,
    type,
    description,
    optimization_direction: optimizationDirection,
    content: JSON.stringify(own),
  };
}

/** A row as the rest of the program knows it. */
function configOfRow({ id, name, description, type, optimization_direction, content }: ConfigRow): AnnotationConfig {
  // Written by `rowOf` with the type of the same row.
  const own = { type, ...JSON.parse(content) } as ConfigContent;
  return { id, name, description, optimizationDirection: optimization_direction, ...own };
}
