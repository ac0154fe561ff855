// The rows of annotations as they are written, of every kind of target alike.
import { sql } from "kysely";
import { labelHead } from "../../../../model/annotation.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { TargetKind } from "../annotation-targets.rules.ts";
import type { AnnotationRecord } from "../annotations.schema.ts";

/** A row to be written. */
export type WrittenAnnotation = Omit<AnnotationRecord, "id">;
/** What tells annotations of a kind of target apart. */
type Identity = Pick<WrittenAnnotation, "ownerId" | "position" | "name" | "identifier">;
export type StandingAnnotation = Identity & Pick<AnnotationRecord, "userId">;

/** Members of a written row, in the order of their columns. */
const written = [
  ["owner", "integer"],
  ["position", "integer"],
  ["name", "text"],
  ["identifier", "text"],
  ["annotator_kind", "text"],
  ["label", "text"],
  ["label_head", "text"],
  ["score", "real"],
  ["explanation", "text"],
  ["metadata", "text"],
  ["source", "text"],
  ["user_id", "integer"],
  ["created_us", "integer"],
  ["updated_us", "integer"],
] as const;
/** What an annotation of the same identity replaces; its id and the time it was made stay. */
const replaced = [
  "annotator_kind",
  "label",
  "label_head",
  "score",
  "explanation",
  "metadata",
  "source",
  "user_id",
  "updated_us",
] as const;

/** What a change by id leaves as it is. */
const kept: readonly string[] = ["owner", "position", "user_id", "created_us"];
/** What it writes, after the id. */
const changed = written.filter(([name]) => !kept.includes(name));

export type AnnotationRowsStore = ReturnType<typeof createAnnotationRowsStore>;

export function createAnnotationRowsStore(dialect: Dialect) {
  const columnOf = (kind: TargetKind, name: string) => (name === "owner" ? kind.column : name);
  const hasPosition = ({ target }: TargetKind) => target === "document";
  /** Those among the columns that the table of the target has. */
  const columnsOf = (kind: TargetKind) => written.filter(([name]) => name !== "position" || hasPosition(kind));

  return {
    /** Writes rows of different identities, each in the place of the one with its identity; `isLate` leaves those alone that
     *  were changed later. Answers with the ids, by identity (`identityOf`), of what was written. */
    async upsert(
      context: CallContext,
      kind: TargetKind,
      rows: readonly WrittenAnnotation[],
      { isLate }: { readonly isLate: boolean },
    ): Promise<Map<string, number>> {
      const columns = columnsOf(kind);
      const values = rows.map((row) => {
        const all = [row.ownerId, row.position, ...contentOf(row), row.userId, row.createdUs, row.updatedUs];
        return hasPosition(kind) ? all : all.toSpliced(1, 1);
      });
      const names = columns.map(([name]) => sql.ref(columnOf(kind, name)));
      const read = columns.map(([name, type], position) => {
        const member = dialect.member(sql.ref("value"), position, type);
        // Unknown user ids become NULL.
        return name === "user_id" ? sql`(select users.id from users where users.id = ${member})` : member;
      });
      const identity = sql.join([
        sql.ref(kind.column),
        ...(hasPosition(kind) ? [sql.ref("position")] : []),
        sql.ref("name"),
        sql.ref("identifier"),
      ]);
      const changes = replaced.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`);
      const unlessNewer = isLate ? sql`where excluded.updated_us >= ${sql.table(kind.table)}.updated_us` : sql``;
      const returned = await sql<{ id: number; ownerId: number; position: number; name: string; identifier: string }>`
        insert into ${sql.table(kind.table)} (${sql.join(names)})
        select ${sql.join(read)} from ${dialect.jsonRows(values)} where 1 = 1
        on conflict (${identity}) do update set ${sql.join(changes)} ${unlessNewer}
        returning id, ${sql.ref(kind.column)} as "ownerId", ${hasPosition(kind) ? sql`position` : sql`-1`} as "position", name,
          identifier`.execute(context.database.write(context));
      return new Map(returned.rows.map((row) => [identityOf(row), row.id]));
    },

    /** What stands in the places of the rows, and whose it is; asked inside the transaction that holds their targets. */
    async listStanding(
      context: CallContext,
      kind: TargetKind,
      rows: readonly Identity[],
    ): Promise<StandingAnnotation[]> {
      const values = rows.map(({ ownerId, position, name, identifier }) => [ownerId, position, name, identifier]);
      const member = (position: number, type: "integer" | "text") =>
        dialect.member(sql.ref("new.value"), position, type);
      const position = hasPosition(kind) ? sql.ref("a.position") : sql`-1`;
      const isThere = sql.join(
        [
          sql`a.${sql.ref(kind.column)} = ${member(0, "integer")}`,
          ...(hasPosition(kind) ? [sql`a.position = ${member(1, "integer")}`] : []),
          sql`a.name = ${member(2, "text")}`,
          sql`a.identifier = ${member(3, "text")}`,
        ],
        sql` and `,
      );
      const { rows: standing } = await sql<StandingAnnotation>`
        select a.${sql.ref(kind.column)} as "ownerId", ${position} as "position", a.name, a.identifier, a.user_id as "userId"
        from ${dialect.jsonRows(values)} as new join ${sql.table(kind.table)} a on ${isThere}`.execute(
        context.database.read(context, "short"),
      );
      return standing;
    },

    /** Changes rows by their ids; target and author stay, and so does the time they were made. */
    async update(context: CallContext, kind: TargetKind, rows: readonly AnnotationRecord[]): Promise<void> {
      const values = rows.map((row) => [row.id, ...contentOf(row), row.updatedUs]);
      const member = (position: number, type: "integer" | "real" | "text") =>
        dialect.member(sql.ref("new.value"), position, type);
      const changes = changed.map(([name, type], at) => sql`${sql.ref(name)} = ${member(at + 1, type)}`);
      await sql`update ${sql.table(kind.table)} set ${sql.join(changes)} from ${dialect.jsonRows(values)} as new
        where ${sql.table(kind.table)}.id = ${member(0, "integer")}`.execute(context.database.write(context));
    },
  };
}

type Content = Pick<
  WrittenAnnotation,
  "name" | "identifier" | "annotatorKind" | "label" | "score" | "explanation" | "metadata" | "source"
>;

/** In the order of `changed`. */
function contentOf({ name, identifier, annotatorKind, label, score, explanation, metadata, source }: Content) {
  const head = label === null ? null : labelHead(label);
  return [name, identifier, annotatorKind, label, head, score, explanation, metadata, source];
}

/** One text for what tells annotations of a kind of target apart. */
export function identityOf(row: Identity): string {
  return JSON.stringify([row.ownerId, row.position, row.name, row.identifier]);
}
