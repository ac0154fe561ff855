// The commit watermark of span ids: up to which id nothing more can be committed. On SQLite ids are given and committed in one
// order. On PostgreSQL they are not: an id is settled when every transaction that was under way after it had been given has
// ended.
import { sql } from "kysely";
import type { Dialect } from "./dialect.ts";
import type { CallContext } from "./storage.ts";

export interface CommitWatermark {
  /** Every span up to this id is visible or will never be; 0 while none is known to be. Asked again and again: on PostgreSQL
   *  an answer tells what an earlier one began to wait for. */
  upTo(context: CallContext): Promise<number>;
}

export function createCommitWatermark(dialect: Dialect): CommitWatermark {
  return dialect.name === "sqlite" ? { upTo: newestSpan } : createPostgresCommitWatermark();
}

async function newestSpan(context: CallContext): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from spans`.execute(
    context.database.read(context, "short"),
  );
  return rows[0]?.id ?? 0;
}

function createPostgresCommitWatermark(): CommitWatermark {
  let settled = 0;
  /** Ids up to `id` are settled once no transaction before number `transaction` runs. */
  let waiting: { readonly id: number; readonly transaction: number } | null = null;

  return {
    async upTo(context) {
      // On the primary: a replica has transactions of its own.
      const database = context.database.write(context);
      const running = async () => {
        const { rows } = await sql<{ oldest: number; next: number }>`
          select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest,
            pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next`.execute(database);
        return rows[0]!;
      };
      if (waiting !== null && (await running()).oldest >= waiting.transaction) {
        settled = waiting.id;
        waiting = null;
      }
      if (waiting === null) {
        const { rows } = await sql<{ id: number }>`select last_value as id from spans_id_seq`.execute(database);
        const id = rows[0]!.id;
        // A statement of its own, later: ingestion locks traces before it takes ids, so a transaction that took one up to `id`
        // has a number below `next` by now.
        const { oldest, next } = await running();
        if (oldest >= next) settled = id;
        else waiting = { id, transaction: next };
      }
      return settled;
    },
  };
}
