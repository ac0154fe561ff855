// How much waits to be done behind ingestion, for the metrics.
import { BLOCK_SPANS, firstOfBlock, SUMMARY_VERSION } from "../model/summaries/blocks/block.ts";
import type { CallContext } from "../storage/storage.ts";

export interface Backlog {
  /** Traces whose sums must be computed again. */
  readonly traces: number;
  /** The newest spans, which no block summarises yet, and those of blocks of an older summary version; at most a block of them is usual. */
  readonly spans: number;
  /** What came before its span, trace or session. */
  readonly annotations: number;
  readonly messages: number;
  /** By job: items that failed and have not succeeded since. */
  readonly failing: ReadonlyMap<string, number>;
}

/** A few look-ups in indexes. */
export async function readBacklog(context: CallContext): Promise<Backlog> {
  const database = context.database.read(context, "short");
  const count = async (table: "pending_rollups" | "pending_annotations" | "pending_messages") => {
    const { amount } = await database
      .selectFrom(table)
      .select((of) => of.fn.countAll<number>().as("amount"))
      .executeTakeFirstOrThrow();
    return Number(amount);
  };
  const { newest } = await database
    .selectFrom("spans")
    .select((of) => of.fn.max("id").as("newest"))
    .executeTakeFirstOrThrow();
  const { last } = await database
    .selectFrom("span_blocks")
    .select((of) => of.fn.max("block").as("last"))
    .executeTakeFirstOrThrow();
  const { older } = await database
    .selectFrom("span_blocks")
    .select((of) => of.fn.countAll<number>().as("older"))
    .where("summary_version", "<", SUMMARY_VERSION)
    .executeTakeFirstOrThrow();
  const failing = await database
    .selectFrom("job_failures")
    .select(["job", (of) => of.fn.countAll<number>().as("amount")])
    .groupBy("job")
    .execute();
  const summarised = last === null ? 0 : firstOfBlock(last + 1) - 1;
  return {
    traces: await count("pending_rollups"),
    spans: Math.max(0, Number(newest ?? 0) - summarised) + Number(older) * BLOCK_SPANS,
    annotations: await count("pending_annotations"),
    messages: await count("pending_messages"),
    failing: new Map(failing.map(({ job, amount }) => [job, Number(amount)])),
  };
}
