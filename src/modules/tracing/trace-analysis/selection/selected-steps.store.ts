// The spans of many traces as graphs and critical paths take them: rows without payloads, and only their short columns.
import { sql } from "kysely";
import { spanKinds, spanStatuses } from "../../../../model/span.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { placeColumns } from "../analysed-spans.store.ts";

const ERROR = spanStatuses.indexOf("ERROR");

interface SelectedStep {
  readonly id: number;
  readonly traceId: number;
  readonly spanKey: string;
  readonly parentKey: string | null;
  readonly name: string;
  readonly kind: string;
  readonly failed: boolean;
  /** Microseconds UTC. */
  readonly startUs: number;
  readonly endUs: number;
  /** Its own in 10^-12 USD; null where it is not known, and where a child counts it. */
  readonly cost: number | null;
}

export type SelectedStepsStore = ReturnType<typeof createSelectedStepsStore>;

export function createSelectedStepsStore(dialect: Dialect) {
  return {
    /** By row id of the trace, each list by start. */
    async list(context: CallContext, traceIds: readonly number[]): Promise<Map<number, SelectedStep[]>> {
      const rows = await context.database
        .read(context, "slow")
        .selectFrom("spans")
        .select(placeColumns)
        .select(["start_us as startUs", "latency_us as latencyUs"])
        .select(sql<number | null>`case when repeats_child = 0 then own_cost end`.as("cost"))
        .where(dialect.inList(sql.ref("trace_id"), traceIds))
        .orderBy("trace_id")
        .orderBy("start_us")
        .orderBy("id")
        .execute();
      const steps = rows.map(
        ({ kind, status, latencyUs, ...row }): SelectedStep => ({
          ...row,
          kind: spanKinds[kind]!,
          failed: status === ERROR,
          endUs: row.startUs + latencyUs,
        }),
      );
      return Map.groupBy(steps, ({ traceId }) => traceId);
    },
  };
}
