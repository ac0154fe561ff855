// What an upload says of splits: who is in which one afterwards.
import { type RawBuilder, sql } from "kysely";
import type { CallContext } from "../../../../storage/storage.ts";
import type { UploadRange } from "./uploads.store.ts";

/** Of splits that an upload makes. */
const MADE_COLOR = "#808080";

export type UploadSplitsStore = ReturnType<typeof createUploadSplitsStore>;

export function createUploadSplitsStore() {
  const run = async (context: CallContext, statement: RawBuilder<unknown>): Promise<void> => {
    await statement.execute(context.database.write(context));
  };
  const within = ({ first, last }: UploadRange, table: string) =>
    sql<boolean>`${sql.ref(`${table}.content_id`)} between ${first} and ${last}`;
  /** Pairs of example and split: those of the upload, and those that its examples have. */
  const wanted = (range: UploadRange) => sql`
    select rows.example_id, splits.id as split_id from dataset_upload_rows as rows
    inner join dataset_upload_splits as named on named.content_id = rows.content_id
    inner join dataset_splits as splits on splits.name = named.name
    where ${within(range, "rows")} and rows.example_id is not null`;
  const present = (range: UploadRange) => sql`
    select members.example_id, members.split_id from dataset_split_examples as members
    where members.example_id in (select example_id from dataset_upload_rows as rows where ${within(range, "rows")})`;

  return {
    /** Creates the missing splits. In the order of their names, so that two uploads never wait for each other. */
    async ensureSplits(context: CallContext, range: UploadRange, userId: number | null, nowUs: number): Promise<void> {
      await run(
        context,
        sql`insert into dataset_splits (name, color, metadata, user_id, created_us, updated_us)
          select name, ${MADE_COLOR}, '{}', ${userId === null ? sql`null` : sql.lit(userId)}, ${sql.lit(nowUs)}, ${sql.lit(nowUs)} from (
            select distinct named.name from dataset_upload_splits as named where ${within(range, "named")}
          ) as missing
          where not exists (select 1 from dataset_splits as known where known.name = missing.name)
          order by name
          on conflict (name) do nothing`,
      );
    },

    /** Examples that were there before, whose splits the upload changes and whose content it does not. */
    async countChanged(context: CallContext, range: UploadRange): Promise<number> {
      const statement = sql<{ count: number }>`
        select count(distinct changed.example_id) as count from (
          select * from (${wanted(range)} except ${present(range)}) as added
          union all
          select * from (${present(range)} except ${wanted(range)}) as removed
        ) as changed
        inner join dataset_upload_rows as rows on rows.example_id = changed.example_id
        where ${within(range, "rows")} and rows.kind = 'SAME'`;
      const { rows } = await statement.execute(context.database.write(context));
      return Number(rows[0]?.count ?? 0);
    },

    /** The examples of the upload are in the splits that it names and in no others. */
    async replace(context: CallContext, range: UploadRange): Promise<void> {
      await run(
        context,
        sql`delete from dataset_split_examples
          where example_id in (select example_id from dataset_upload_rows as rows where ${within(range, "rows")})
            and (example_id, split_id) not in (${wanted(range)})`,
      );
      await run(
        context,
        sql`insert into dataset_split_examples (split_id, example_id)
          select split_id, example_id from (${wanted(range)} except ${present(range)}) as added
          order by split_id, example_id`,
      );
    },

    /** Examples of the dataset that the upload has no row for are in no split. */
    async removeOthers(context: CallContext, range: UploadRange, datasetId: number): Promise<void> {
      await run(
        context,
        sql`delete from dataset_split_examples
          where example_id in (select id from dataset_examples where dataset_id = ${datasetId})
            and example_id not in (
              select example_id from dataset_upload_rows as rows
              where ${within(range, "rows")} and example_id is not null
            )`,
      );
    },

    async hasSplits(context: CallContext, range: UploadRange): Promise<boolean> {
      const statement = sql`select 1 from dataset_upload_splits as named where ${within(range, "named")} limit 1`;
      return (await statement.execute(context.database.write(context))).rows.length > 0;
    },
  };
}
