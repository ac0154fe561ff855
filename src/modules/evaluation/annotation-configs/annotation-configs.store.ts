// The rows of annotation configurations.
import { type Selectable, sql } from "kysely";
import type { PageRequest } from "../../../kernel/list.ts";
import type { OptimizationDirection } from "../../../model/annotation.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { arrivalOrder, readRows } from "../../../storage/list.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { AnnotationConfigsTable } from "../../../storage/tables.ts";
import type { AnnotationConfig, ConfigContent, ConfigPage, NewAnnotationConfig } from "./annotation-configs.schema.ts";

/** How a configuration is identified: by row id or by name. */
export type ConfigKey = { readonly id: number } | { readonly name: string };

type ConfigRow = Selectable<AnnotationConfigsTable>;

export type AnnotationConfigsStore = ReturnType<typeof createAnnotationConfigsStore>;

export function createAnnotationConfigsStore(dialect: Dialect) {
  const configs = (context: CallContext) =>
    context.database.read(context, "short").selectFrom("annotation_configs").selectAll("annotation_configs");

  return {
    /** Newest first: those of a project, or of all. */
    async list(context: CallContext, projectId: number | null, request: PageRequest): Promise<ConfigPage> {
      let query = configs(context);
      if (projectId !== null) {
        query = query.where("annotation_configs.id", "in", (eb) =>
          eb.selectFrom("project_annotation_configs").select("config_id").where("project_id", "=", projectId),
        );
      }
      const rows = await readRows(query, arrivalOrder(sql.ref("annotation_configs.id"), "desc"), request);
      const found = rows.map(configOfRow);
      return { items: found.slice(0, request.limit), next: found[request.limit] ?? null };
    },

    /** By name. */
    async listWholly(context: CallContext, limit: number): Promise<AnnotationConfig[]> {
      return (await configs(context).orderBy("name").limit(limit).execute()).map(configOfRow);
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
export function configOfRow({
  id,
  name,
  description,
  type,
  optimization_direction,
  content,
}: ConfigRow): AnnotationConfig {
  // Written by `rowOf` with the type of the same row.
  const own = { type, ...JSON.parse(content) } as ConfigContent;
  return { id, name, description, optimizationDirection: optimization_direction, ...own };
}
