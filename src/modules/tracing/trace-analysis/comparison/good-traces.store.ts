// Traces without a failure, found at the end of the index of their start.
import type { CallContext } from "../../../../storage/storage.ts";
import type { TraceRecord } from "../../traces/traces.schema.ts";

/** By row id. */
export interface GoodCandidate {
  readonly id: number;
  readonly spanCount: number;
}

export type GoodTracesStore = ReturnType<typeof createGoodTracesStore>;

export function createGoodTracesStore() {
  return {
    /** Those of the project that started before a trace, latest first. */
    async listBefore(
      context: CallContext,
      { projectId, startUs, id }: TraceRecord,
      most: number,
    ): Promise<GoodCandidate[]> {
      return context.database
        .read(context, "slow")
        .selectFrom("traces")
        .select(["id", "span_count as spanCount"])
        .where("project_id", "=", projectId)
        .where("start_us", "<=", startUs)
        .where("id", "!=", id)
        .where("error_count", "=", 0)
        .where("span_count", ">", 0)
        .orderBy("start_us", "desc")
        .orderBy("id", "desc")
        .limit(most)
        .execute();
    },
  };
}
