// Payloads and what is stored of their large values, for `spanlight verify`.
import { sql } from "kysely";
import { LARGE_VALUE_HEAD_BYTES } from "../../../../model/span.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { storedHeads } from "../../../../storage/stored-values.ts";
import type { StoredPayload } from "./payloads-verify.rules.ts";

/** Their payloads are in memory together. */
const SPANS_AT_ONCE = 100;

export function createPayloadsVerifyStore(dialect: Dialect) {
  const readValues = (context: CallContext, spanIds: readonly number[]) =>
    storedHeads(dialect, context, spanIds, LARGE_VALUE_HEAD_BYTES).orderBy("stored.path").execute();

  return {
    /** Spans after the given id, at most a slice. */
    listSpans: (context: CallContext, after: number) =>
      context.database
        .read(context, "short")
        .selectFrom("spans")
        .select(["id", "span_key"])
        .where("id", ">", after)
        .orderBy("id")
        .limit(SPANS_AT_ONCE)
        .execute(),

    /** Those that there are. Fails as a whole when one of them is damaged so that the database cannot read it. */
    async readPayloads(
      context: CallContext,
      spanIds: readonly number[],
    ): Promise<readonly (StoredPayload & { readonly spanKey: string })[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("span_payloads")
        .innerJoin("spans", "spans.id", "span_payloads.span_id")
        .select(["spans.id", "span_key as spanKey", "input_head as inputHead", "output_head as outputHead"])
        .select("has_large as recorded")
        .select([
          dialect.jsonText(sql.ref("attributes")).as("attributes"),
          dialect.jsonText(sql.ref("events")).as("events"),
        ])
        .where(dialect.inList(sql.ref("spans.id"), spanIds))
        .orderBy("spans.id")
        .execute();
      const large = rows.filter(({ recorded }) => recorded !== 0).map(({ id }) => id);
      const values = large.length === 0 ? [] : await readValues(context, large);
      return rows.map(({ id, ...row }) => ({
        ...row,
        values: values
          .filter(({ span_id }) => span_id === id)
          .map(({ path, pieces, last, bytes, head: beginning }) => ({
            path,
            pieces: Number(pieces),
            last: Number(last),
            bytes: Number(bytes),
            beginning,
          })),
      }));
    },
  };
}
