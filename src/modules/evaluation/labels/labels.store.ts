// The rows of labels of any kind, and which things have them.
import { sql } from "kysely";
import type { PlacedPage, SortedRequest } from "../../../kernel/list.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { type NameSort, nameOrder, readPage } from "../../../storage/list.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { Label, LabelTables, LabelWords } from "./labels.schema.ts";

export type LabelsStore<Row extends Label> = ReturnType<typeof createLabelsStore<Row>>;

export function createLabelsStore<Row extends Label>(dialect: Dialect, tables: LabelTables) {
  const labels = sql.table(tables.labels);
  const uses = sql.table(tables.uses);
  const owner = sql.ref(tables.owner);
  const columns = sql`id, name, description, color`;
  const order = tables.order === "name" ? sql`l.name` : sql`l.id desc`;

  return {
    /** `names` null is all. */
    async list(
      context: CallContext,
      names: readonly string[] | null,
      request: SortedRequest<NameSort>,
    ): Promise<PlacedPage<Row>> {
      let query = context.database
        .read(context, "short")
        .selectFrom(sql<Label>`${labels}`.as("labels"))
        .select(["labels.id", "labels.name", "labels.description", "labels.color"]);
      if (names !== null) query = query.where(dialect.inList(sql.ref("labels.name"), names));
      return (await readPage(query, nameOrder("labels", request), request)) as PlacedPage<Row>;
    },

    async find(context: CallContext, ids: readonly number[]): Promise<Map<number, Row>> {
      const { rows } =
        await sql<Row>`select ${columns} from ${labels} where ${dialect.inList(sql.ref("id"), ids)}`.execute(
          context.database.read(context, "short"),
        );
      return byId(rows);
    },

    /** Of each thing, in the order of the kind; those that have none are left out. */
    async listOf(context: CallContext, ownerIds: readonly number[]): Promise<Map<number, Row[]>> {
      const { rows } = await sql<Row & { readonly ownerId: number }>`
        select l.id, l.name, l.description, l.color, u.${owner} as "ownerId"
        from ${uses} u join ${labels} l on l.id = u.label_id
        where ${dialect.inList(sql.ref(`u.${tables.owner}`), ownerIds)} order by ${order}`.execute(
        context.database.read(context, "short"),
      );
      return Map.groupBy(rows, ({ ownerId }) => ownerId);
    },

    /** How many things have each label; those that none has are left out. */
    async countUses(context: CallContext, ids: readonly number[]): Promise<Map<number, number>> {
      const { deletingOwners } = tables;
      const seen =
        deletingOwners === null
          ? sql``
          : sql`join ${sql.table(deletingOwners)} o on o.id = u.${owner} and o.deleting = 0`;
      const { rows } = await sql<{ readonly id: number; readonly count: number }>`
        select u.label_id as id, count(*) as count from ${uses} u ${seen}
        where ${dialect.inList(sql.ref("u.label_id"), ids)} group by u.label_id`.execute(
        context.database.read(context, "short"),
      );
      return new Map(rows.map(({ id, count }) => [id, Number(count)]));
    },

    /** Null when the name is taken. */
    async insert(context: CallContext, words: LabelWords, userId: number | null): Promise<Row | null> {
      const { name, description, color } = words;
      const [column, value] = tables.hasAuthor ? [sql`, user_id`, sql`, ${userId}`] : [sql``, sql``];
      const { rows } = await sql<Row>`
        insert into ${labels} (name, description, color${column}) values (${name}, ${description}, ${color}${value})
        on conflict (name) do nothing returning ${columns}`.execute(context.database.write(context));
      return rows[0] ?? null;
    },

    async getByName(context: CallContext, name: string): Promise<Row> {
      const { rows } = await sql<Row>`select ${columns} from ${labels} where name = ${name}`.execute(
        context.database.write(context),
      );
      return rows[0]!;
    },

    /** What is absent stays. Null when the label is gone. Fails as a duplicate when the name is taken. */
    async update(context: CallContext, id: number, changes: Partial<LabelWords>): Promise<Row | null> {
      const { name = sql.ref("name"), description = sql.ref("description"), color = sql.ref("color") } = changes;
      const { rows } = await sql<Row>`
        update ${labels} set name = ${name}, description = ${description}, color = ${color}
        where id = ${id} returning ${columns}`.execute(context.database.write(context));
      return rows[0] ?? null;
    },

    /** Things have them no longer. Answers with those that were there. */
    async remove(context: CallContext, ids: readonly number[]): Promise<Map<number, Row>> {
      const { rows } = await sql<Row>`
        delete from ${labels} where ${dialect.inList(sql.ref("id"), ids)} returning ${columns}`.execute(
        context.database.write(context),
      );
      return byId(rows);
    },

    /** Also those that the thing has already. */
    async add(context: CallContext, ownerId: number, labelIds: readonly number[]): Promise<void> {
      const ids = [...new Set(labelIds)].sort((one, other) => one - other);
      if (ids.length === 0) return;
      await sql`
        insert into ${uses} (${owner}, label_id) values ${sql.join(ids.map((id) => sql`(${ownerId}, ${id})`))}
        on conflict (${owner}, label_id) do nothing`.execute(context.database.write(context));
    },

    /** `labelIds` null is all. Answers with the ids of those that the thing had. */
    async take(context: CallContext, ownerId: number, labelIds: readonly number[] | null): Promise<Set<number>> {
      const these = labelIds === null ? sql`` : sql`and ${dialect.inList(sql.ref("label_id"), labelIds)}`;
      const { rows } = await sql<{ readonly id: number }>`
        delete from ${uses} where ${owner} = ${ownerId} ${these} returning label_id as id`.execute(
        context.database.write(context),
      );
      return new Set(rows.map(({ id }) => id));
    },
  };
}

function byId<Row extends Label>(rows: readonly Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}
