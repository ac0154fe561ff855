// Annotations of every kind of target, read and removed. (Writing: annotation-rows.store.ts.)
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type PageRequest, type PlacedPage, pageOfRows, rowsWanted } from "../../../kernel/list.ts";
import { type AnnotatorKind, NOTE } from "../../../model/annotation.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { type TargetKind, targetKinds } from "./annotation-targets.rules.ts";
import type { AnnotationRecord } from "./annotations.schema.ts";

export interface AnnotationFilter {
  readonly projectId: number;
  /** Null for those of every target in the project. */
  readonly ownerIds: readonly number[] | null;
  readonly identifiers: readonly string[] | null;
  readonly names: readonly string[] | null;
  readonly otherNames: readonly string[] | null;
  readonly annotatorKind: AnnotatorKind | null;
  readonly userId: number | null;
  readonly createdFromUs: number | null;
  readonly createdBeforeUs: number | null;
  /** The start of the target. */
  readonly startedFromUs: number | null;
  readonly startedBeforeUs: number | null;
}

/** An annotation and the external id of what it is about. */
export interface ListedAnnotation extends AnnotationRecord {
  readonly key: string;
}

export type AnnotationsStore = ReturnType<typeof createAnnotationsStore>;

export function createAnnotationsStore(dialect: Dialect) {
  const hasPosition = ({ target }: TargetKind) => target === "document";

  function conditionsOf(kind: TargetKind, filter: AnnotationFilter): RawBuilder<SqlBool>[] {
    const { ownerIds, identifiers, names, otherNames } = filter;
    const conditions = [sql<SqlBool>`owner.project_id = ${filter.projectId}`];
    if (ownerIds !== null) conditions.push(dialect.inList(sql.ref(`a.${kind.column}`), ownerIds));
    if (identifiers !== null) {
      conditions.push(dialect.inList(sql.ref("a.identifier"), identifiers));
      // As the index of identifiers says it.
      if (!identifiers.includes("")) conditions.push(sql<SqlBool>`a.identifier <> ''`);
    }
    if (names !== null) conditions.push(dialect.inList(sql.ref("a.name"), names));
    if (otherNames !== null) conditions.push(sql<SqlBool>`not ${dialect.inList(sql.ref("a.name"), otherNames)}`);
    if (filter.annotatorKind !== null) conditions.push(sql<SqlBool>`a.annotator_kind = ${filter.annotatorKind}`);
    if (filter.userId !== null) conditions.push(sql<SqlBool>`a.user_id = ${filter.userId}`);
    if (filter.createdFromUs !== null) conditions.push(sql<SqlBool>`a.created_us >= ${filter.createdFromUs}`);
    if (filter.createdBeforeUs !== null) conditions.push(sql<SqlBool>`a.created_us < ${filter.createdBeforeUs}`);
    if (filter.startedFromUs !== null) conditions.push(sql<SqlBool>`owner.start_us >= ${filter.startedFromUs}`);
    if (filter.startedBeforeUs !== null) conditions.push(sql<SqlBool>`owner.start_us < ${filter.startedBeforeUs}`);
    return conditions;
  }

  const recordOf = (kind: TargetKind) => sql`a.id, a.${sql.ref(kind.column)} as "ownerId",
    ${hasPosition(kind) ? sql`a.position` : sql`-1`} as "position", a.name, a.identifier, a.annotator_kind as "annotatorKind",
    a.label, a.score, a.explanation, a.metadata, a.source, a.user_id as "userId", a.created_us as "createdUs",
    a.updated_us as "updatedUs"`;

  return {
    /** Newest first. */
    async list(
      context: CallContext,
      kind: TargetKind,
      filter: AnnotationFilter,
      { start, limit }: PageRequest,
    ): Promise<PlacedPage<ListedAnnotation>> {
      const conditions = conditionsOf(kind, filter);
      if (start !== null) {
        const { place, included } = start;
        conditions.push(sql<SqlBool>`a.id ${sql.raw(included ? "<=" : "<")} ${place.rowId}`);
      }
      const { rows } = await sql<ListedAnnotation>`
        select ${recordOf(kind)}, owner.${sql.ref(kind.keyColumn)} as "key"
        from ${sql.table(kind.table)} a join ${sql.table(kind.owners)} owner on owner.id = a.${sql.ref(kind.column)}
        where ${sql.join(conditions, sql` and `)} order by a.id desc limit ${rowsWanted(limit)}`.execute(
        context.database.read(context, "slow"),
      );
      return pageOfRows(rows, limit, ({ id }) => ({ value: id, rowId: id }));
    },

    /** The first `limit` ids of those that match, beyond an id. */
    async listIds(
      context: CallContext,
      kind: TargetKind,
      filter: AnnotationFilter,
      { after, limit }: { readonly after: number; readonly limit: number },
    ): Promise<number[]> {
      const conditions = [...conditionsOf(kind, filter), sql<SqlBool>`a.id > ${after}`];
      const { rows } = await sql<{ id: number }>`
        select a.id from ${sql.table(kind.table)} a join ${sql.table(kind.owners)} owner on owner.id = a.${sql.ref(kind.column)}
        where ${sql.join(conditions, sql` and `)} order by a.id limit ${limit}`.execute(
        context.database.read(context, "slow"),
      );
      return rows.map(({ id }) => id);
    },

    async remove(context: CallContext, kind: TargetKind, ids: readonly number[]): Promise<void> {
      await sql`delete from ${sql.table(kind.table)} where ${dialect.inList(sql.ref("id"), ids)}`.execute(
        context.database.write(context),
      );
    },

    /** By row ids of annotations; those that are gone are left out. */
    async findAll(context: CallContext, kind: TargetKind, ids: readonly number[]): Promise<AnnotationRecord[]> {
      const { rows } = await sql<AnnotationRecord>`
        select ${recordOf(kind)} from ${sql.table(kind.table)} a where ${dialect.inList(sql.ref("a.id"), ids)}`.execute(
        context.database.read(context, "short"),
      );
      return rows;
    },

    /** Of the spans of each trace, without notes: the newest `most`, newest first. */
    async listOfTraces(
      context: CallContext,
      traceIds: readonly number[],
      most: number,
    ): Promise<(AnnotationRecord & { readonly traceId: number })[]> {
      const { rows } = await sql<AnnotationRecord & { readonly traceId: number }>`
        select * from (
          select ${recordOf(targetKinds.span)}, spans.trace_id as "traceId",
            row_number() over (partition by spans.trace_id order by a.id desc) as place
          from spans join span_annotations a on a.span_id = spans.id
          where ${dialect.inList(sql.ref("spans.trace_id"), traceIds)} and a.name <> ${NOTE}) numbered
        where place <= ${most} order by "traceId", place`.execute(context.database.read(context, "short"));
      return rows;
    },

    /** Every annotation of the owners, oldest first. */
    async listOf(context: CallContext, kind: TargetKind, ownerIds: readonly number[]): Promise<AnnotationRecord[]> {
      if (ownerIds.length === 0) return [];
      const { rows } = await sql<AnnotationRecord>`
        select ${recordOf(kind)} from ${sql.table(kind.table)} a
        where ${dialect.inList(sql.ref(`a.${kind.column}`), ownerIds)} order by a.id`.execute(
        context.database.read(context, "short"),
      );
      return rows;
    },
  };
}
