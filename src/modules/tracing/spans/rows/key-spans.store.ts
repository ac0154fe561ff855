// The spans of traces that matter: model calls, tools, retrievers, agents below the top and the like, and what failed.
import { sql } from "kysely";
import { spanKinds, spanStatuses } from "../../../../model/span.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { selectedSpan } from "../../../../storage/span-columns.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { keySpanKinds } from "../../traces/key-spans.rules.ts";
import type { SpanRecord } from "../spans.schema.ts";
import { recordOf } from "./span-columns.store.ts";

const ERROR = spanStatuses.indexOf("ERROR");
/** Frameworks make a span of each of their layers: it says what is below it, not what was done. */
const isWrapper = sql<boolean>`(spans.kind = ${sql.lit(spanKinds.indexOf("CHAIN"))}
  or (spans.kind = ${sql.lit(spanKinds.indexOf("UNKNOWN"))} and spans.input_head is null and spans.output_head is null
    and spans.model is null and spans.prompt_tokens is null and spans.completion_tokens is null))`;

export type KeySpansStore = ReturnType<typeof createKeySpansStore>;

export function createKeySpansStore(dialect: Dialect) {
  return {
    /** By start: the spans of each trace that matter, and how many it has. Beyond `most` of a trace, those that failed and the
     *  earliest. */
    async listKeySpans(
      context: CallContext,
      traceIds: readonly number[],
      most: number,
    ): Promise<(SpanRecord & { readonly stepCount: number })[]> {
      const kinds = keySpanKinds.map((kind) => spanKinds.indexOf(kind));
      const numbered = context.database
        .read(context, "short")
        .selectFrom("spans")
        .select(selectedSpan)
        .select([
          sql<number>`row_number() over (partition by spans.trace_id
            order by case when spans.status = ${sql.lit(ERROR)} then 0 else 1 end, spans.start_us, spans.id)`.as(
            "position",
          ),
          sql<number>`count(*) over (partition by spans.trace_id)`.as("stepCount"),
        ])
        .where(dialect.inList(sql.ref("spans.trace_id"), traceIds))
        .where((eb) =>
          eb.or([
            eb("spans.kind", "in", kinds),
            eb("spans.status", "=", ERROR),
            // What stands at the top speaks for the whole trace.
            eb.and([eb("spans.parent_key", "is not", null), eb.not(isWrapper)]),
          ]),
        );
      const found = await context.database
        .read(context, "short")
        .selectFrom(numbered.as("numbered"))
        .selectAll()
        .where("position", "<=", most)
        .orderBy("traceId")
        .orderBy("startUs")
        .orderBy("id")
        .execute();
      return found.map(({ position: _position, stepCount, ...row }) => ({
        ...recordOf(row),
        stepCount: Number(stepCount),
      }));
    },
  };
}
