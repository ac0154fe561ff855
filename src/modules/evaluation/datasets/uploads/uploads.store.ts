// Rows of uploads: stored in parts as they arrive, not visible to readers, and matched with the examples that are there when all have
// come. What they say is written once: a version only points to it.
import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { BEING_MADE } from "../datasets.schema.ts";
import type { UploadPart } from "./upload-parts.rules.ts";

/** Rows of one upload: their contents have numbers of its own. */
export const MOST_UPLOAD_ROWS = 2 ** 22;

/** The rows of one upload, by the numbers of their contents. */
export interface UploadRange {
  readonly upload: number;
  readonly first: number;
  readonly last: number;
}

function uploadRangeOf(upload: number): UploadRange {
  const first = upload * MOST_UPLOAD_ROWS;
  return { upload, first, last: first + MOST_UPLOAD_ROWS - 1 };
}

/** How many rows an upload has of each kind; null are those that make an example. */
interface MatchedCounts {
  readonly created: number;
  readonly changed: number;
  readonly same: number;
}

/** Rows that are removed in one statement. */
const SLICE_ROWS = 5000;

/** Rows from which on it is better to read all examples of a dataset than to look each one up. */
export const MANY_ROWS = 1000;

export type UploadsStore = ReturnType<typeof createUploadsStore>;

export function createUploadsStore(dialect: Dialect) {
  return { ...stagedRows(dialect), ...matching(dialect), ...uploadedRevisions(dialect), ...leftRows() };
}

const rowsOf = ({ first, last }: UploadRange) =>
  sql<boolean>`dataset_upload_rows.content_id between ${first} and ${last}`;

/** Runs a statement. Answers with how many rows it touched. */
async function run(context: CallContext, statement: RawBuilder<unknown>): Promise<number> {
  const result = await statement.execute(context.database.write(context));
  return Number(result.numAffectedRows ?? 0n);
}

async function list<Row>(context: CallContext, statement: RawBuilder<Row>): Promise<readonly Row[]> {
  return (await statement.execute(context.database.write(context))).rows;
}

/** Says that the upload goes on. False when it was given up meanwhile. */
async function touch(context: CallContext, { upload }: UploadRange, nowUs: number): Promise<boolean> {
  const touching = sql`update dataset_uploads set touched_us = ${nowUs} where id = ${upload} and committed = 0`;
  return (await run(context, touching)) > 0;
}

function stagedRows(dialect: Dialect) {
  const value = sql.ref("value");
  const integer = (position: number) => dialect.member(value, position, "integer");
  const text = (position: number) => dialect.member(value, position, "text");

  return {
    async begin(context: CallContext, nowUs: number): Promise<UploadRange> {
      const row = await context.database
        .write(context)
        .insertInto("dataset_uploads")
        .values({ touched_us: nowUs })
        .returning("id")
        .executeTakeFirstOrThrow();
      return uploadRangeOf(row.id);
    },

    /** Writes a part. False when the upload was given up meanwhile. */
    async stage(
      context: CallContext,
      range: UploadRange,
      { contents, named, splits }: UploadPart,
      nowUs: number,
    ): Promise<boolean> {
      if (!(await touch(context, range, nowUs))) return false;
      const { first } = range;
      const contentId = sql`${sql.lit(first)} + ${integer(0)}`;
      await run(
        context,
        sql`insert into dataset_contents (id, input, output, metadata)
          select ${contentId}, ${text(1)}, ${text(2)}, ${text(3)} from ${dialect.jsonRows(contents)}`,
      );
      await run(
        context,
        sql`insert into dataset_upload_rows (content_id, hash, external_id, named_example, linked_span)
          select ${contentId}, ${text(1)}, ${text(2)}, ${integer(3)}, ${integer(4)} from ${dialect.jsonRows(named)}`,
      );
      if (splits !== null) {
        await run(
          context,
          sql`insert into dataset_upload_splits (content_id, name)
            select ${contentId}, ${text(1)} from ${dialect.jsonRows(splits)}`,
        );
      }
      return true;
    },

    /** Says for rows, by their positions, which example each changes. */
    async address(
      context: CallContext,
      { first }: UploadRange,
      addressed: readonly (readonly [position: number, exampleId: number])[],
    ): Promise<void> {
      if (addressed.length === 0) return;
      const rows = addressed.map(([position, exampleId]) => [first + position, exampleId]);
      await run(
        context,
        sql`update dataset_upload_rows set example_id = given.example, kind = 'PATCH'
          from ${dialect.integerRows(["content", "example"], rows)} as given
          where dataset_upload_rows.content_id = given.content`,
      );
    },

    /** Says for rows, by their positions, which span each was made of. */
    async link(
      context: CallContext,
      { first }: UploadRange,
      linked: readonly (readonly [position: number, spanId: number])[],
    ): Promise<void> {
      if (linked.length === 0) return;
      const rows = linked.map(([position, spanId]) => [first + position, spanId]);
      await run(
        context,
        sql`update dataset_upload_rows set linked_span = given.span
          from ${dialect.integerRows(["content", "span"], rows)} as given
          where dataset_upload_rows.content_id = given.content`,
      );
    },
  };
}

function matching(dialect: Dialect) {
  return {
    /** To be called first in a transaction, with how many rows and examples it goes through. PostgreSQL has no statistics of rows that
     *  have just come, takes them for a few, and would go through all of them for each example. */
    async expect(context: CallContext, rows: number): Promise<void> {
      if (dialect.name === "postgres" && rows > MANY_ROWS) await run(context, sql`set local enable_nestloop = off`);
    },

    /** Own ids that more than one row has, some of them. */
    async listRepeatedIds(context: CallContext, range: UploadRange, limit: number): Promise<string[]> {
      const rows = await list(
        context,
        sql<{ id: string }>`select external_id as id from dataset_upload_rows
          where ${rowsOf(range)} and external_id is not null
          group by external_id having count(*) > 1 order by min(content_id) limit ${limit}`,
      );
      return rows.map(({ id }) => id);
    },

    /** Finds the example of each row that names one, and then one of the same content for each that names none: as many as there
     *  are, the oldest first, each once. */
    async match(context: CallContext, range: UploadRange, datasetId: number): Promise<void> {
      const living = sql`revisions.dataset_id = ${datasetId} and revisions.until_version_id is null
        and revisions.hash is not null`;
      const found = sql`given.content_id as row_id, revisions.example_id,
        case when revisions.hash = given.hash then 'SAME' else 'PATCH' end as kind`;
      const inRange = sql`given.content_id between ${range.first} and ${range.last}`;
      // `cross join` has SQLite begin with the rows: it would go through all of them for each example.
      await run(
        context,
        sql`update dataset_upload_rows set example_id = matched.example_id, kind = matched.kind from (
            select ${found} from dataset_upload_rows as given cross join dataset_revisions as revisions
            where ${inRange} and given.named_example is not null and revisions.example_id = given.named_example and ${living}
          ) as matched where content_id = matched.row_id`,
      );
      await run(
        context,
        sql`update dataset_upload_rows set example_id = matched.example_id, kind = matched.kind from (
            select ${found} from dataset_upload_rows as given
            cross join dataset_examples as examples cross join dataset_revisions as revisions
            where ${inRange} and given.external_id is not null and examples.dataset_id = ${datasetId}
              and examples.external_id = given.external_id and revisions.example_id = examples.id and ${living}
          ) as matched where content_id = matched.row_id`,
      );
      const unnamed = sql`${rowsOf(range)} and external_id is null and named_example is null`;
      await run(
        context,
        sql`update dataset_upload_rows set example_id = matched.example_id, kind = 'SAME'
          from (
            select wanted.content_id as wanted_id, found.example_id from (
              select content_id, hash, row_number() over (partition by hash order by content_id) as turn
              from dataset_upload_rows where ${unnamed}
            ) as wanted inner join (
              select example_id, hash, row_number() over (partition by hash order by example_id) as turn
              from dataset_revisions as revisions
              where ${living} and hash in (select hash from dataset_upload_rows where ${unnamed})
                and example_id not in (
                  select example_id from dataset_upload_rows where ${rowsOf(range)} and example_id is not null
                )
            ) as found on found.hash = wanted.hash and found.turn = wanted.turn
          ) as matched
          where content_id = matched.wanted_id`,
      );
    },

    /** Ids of ours that name no living example of the dataset, some of them. */
    async listForeign(context: CallContext, range: UploadRange, limit: number): Promise<number[]> {
      const rows = await list(
        context,
        sql<{ id: number }>`select named_example as id from dataset_upload_rows
          where ${rowsOf(range)} and named_example is not null and kind is null order by content_id limit ${limit}`,
      );
      return rows.map(({ id }) => Number(id));
    },

    /** Examples that more than one row is for, some of them. */
    async listRepeated(context: CallContext, range: UploadRange, limit: number): Promise<number[]> {
      const rows = await list(
        context,
        sql<{ id: number }>`select example_id as id from dataset_upload_rows
          where ${rowsOf(range)} and example_id is not null
          group by example_id having count(*) > 1 order by example_id limit ${limit}`,
      );
      return rows.map(({ id }) => Number(id));
    },

    /** Rows that make an example, whose own id a deleted one has: that one lives again. */
    async revive(context: CallContext, range: UploadRange, datasetId: number): Promise<void> {
      await run(
        context,
        sql`update dataset_upload_rows set example_id = (
            select id from dataset_examples as examples
            where examples.dataset_id = ${datasetId} and examples.external_id = dataset_upload_rows.external_id
          ) where ${rowsOf(range)} and kind is null and external_id is not null`,
      );
    },

    async countMatched(context: CallContext, range: UploadRange): Promise<MatchedCounts> {
      const rows = await list(
        context,
        sql<{ kind: string | null; count: number }>`select kind, count(*) as count from dataset_upload_rows
          where ${rowsOf(range)} group by kind`,
      );
      const counts = new Map(rows.map(({ kind, count }) => [kind, Number(count)]));
      return { created: counts.get(null) ?? 0, changed: counts.get("PATCH") ?? 0, same: counts.get("SAME") ?? 0 };
    },
  };
}

function uploadedRevisions(dialect: Dialect) {
  return {
    /** Examples for the rows that have none yet, in the order of the rows. */
    async addExamples(context: CallContext, range: UploadRange, datasetId: number, nowUs: number): Promise<void> {
      await run(
        context,
        sql`insert into dataset_examples (dataset_id, external_id, origin, created_us)
          select ${sql.lit(datasetId)}, external_id, content_id, ${sql.lit(nowUs)} from dataset_upload_rows
          where ${rowsOf(range)} and example_id is null order by content_id`,
      );
      await run(
        context,
        sql`update dataset_upload_rows set example_id = (
            select id from dataset_examples as examples where examples.origin = dataset_upload_rows.content_id
          ) where ${rowsOf(range)} and example_id is null`,
      );
      await run(
        context,
        sql`insert into dataset_example_spans (example_id, span_id)
          select examples.id, spans.id from dataset_upload_rows
          inner join dataset_examples as examples on examples.origin = dataset_upload_rows.content_id
          inner join spans on spans.id = linked_span
          where ${rowsOf(range)} and linked_span is not null`,
      );
    },

    /** What the rows change, as revisions of the version. */
    async addRevisions(context: CallContext, range: UploadRange, datasetId: number, versionId: number): Promise<void> {
      await run(
        context,
        sql`insert into dataset_revisions (dataset_id, example_id, version_id, kind, content_id, hash)
          select ${sql.lit(datasetId)}, example_id, ${sql.lit(versionId)}, coalesce(kind, 'CREATE'), content_id, hash
          from dataset_upload_rows where ${rowsOf(range)} and (kind is null or kind = 'PATCH') order by example_id`,
      );
    },

    /** Marks the examples that no row is for as deleted with the version. */
    async addDeletions(context: CallContext, range: UploadRange, datasetId: number, versionId: number): Promise<void> {
      await run(
        context,
        sql`insert into dataset_revisions (dataset_id, example_id, version_id, kind)
          select dataset_id, example_id, ${sql.lit(versionId)}, 'DELETE' from dataset_revisions
          where dataset_id = ${datasetId} and until_version_id is null and hash is not null
            and version_id < ${versionId} and example_id not in (
              select example_id from dataset_upload_rows where ${rowsOf(range)} and example_id is not null
            )`,
      );
    },

    /** Marks examples as deleted with the version. */
    async addDeletionsOf(
      context: CallContext,
      datasetId: number,
      versionId: number,
      exampleIds: readonly number[],
    ): Promise<void> {
      await run(
        context,
        sql`insert into dataset_revisions (dataset_id, example_id, version_id, kind)
          select dataset_id, id, ${sql.lit(versionId)}, 'DELETE' from dataset_examples
          where dataset_id = ${datasetId} and ${dialect.inList(sql.ref("id"), exampleIds)}`,
      );
    },

    /** Ends what the examples of the version were before. */
    async endReplaced(context: CallContext, datasetId: number, versionId: number): Promise<void> {
      await run(
        context,
        sql`update dataset_revisions set until_version_id = ${versionId}
          where dataset_id = ${datasetId} and until_version_id is null and version_id < ${versionId}
            and example_id in (select example_id from dataset_revisions where version_id = ${versionId})`,
      );
    },
  };
}

function leftRows() {
  return {
    touch,

    /** Lets the dataset that a failed upload was making be deleted; it was never seen. */
    async abandon(context: CallContext, { first, last }: UploadRange): Promise<void> {
      await run(
        context,
        sql`update datasets set deleting = 1 where deleting = ${BEING_MADE} and id in (
          select dataset_id from dataset_examples where origin between ${first} and ${last})`,
      );
    },

    /** Marks the upload as taken over; what is left of it is cleared later. */
    async commit(context: CallContext, { upload }: UploadRange): Promise<void> {
      await run(context, sql`update dataset_uploads set committed = 1 where id = ${upload}`);
    },

    /** Abandoned uploads: superseded, or not touched since. */
    async listLeft(context: CallContext, untouchedSinceUs: number): Promise<UploadRange[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("dataset_uploads")
        .select("id")
        .where((eb) => eb.or([eb("committed", "=", 1), eb("touched_us", "<", untouchedSinceUs)]))
        .execute();
      return rows.map(({ id }) => uploadRangeOf(id));
    },

    /** Removes a slice of what an upload left behind: all but the contents that a version points to. False when nothing was left. */
    async clearSlice(context: CallContext, range: UploadRange): Promise<boolean> {
      const slice = await list(
        context,
        sql<{ id: number }>`select content_id as id from dataset_upload_rows where ${rowsOf(range)}
          order by content_id limit ${SLICE_ROWS}`,
      );
      const last = slice.at(-1);
      const upTo = last === undefined ? range.last : Number(last.id);
      const from = last === undefined ? range.first : Number(slice[0]!.id);
      await run(context, sql`delete from dataset_upload_splits where content_id between ${from} and ${upTo}`);
      if (last !== undefined) {
        await run(
          context,
          sql`delete from dataset_contents where id between ${from} and ${upTo}
            and not exists (select 1 from dataset_revisions where content_id = dataset_contents.id)`,
        );
        await run(context, sql`delete from dataset_upload_rows where content_id between ${from} and ${upTo}`);
        return true;
      }
      await run(context, sql`delete from dataset_uploads where id = ${range.upload}`);
      return false;
    },
  };
}
