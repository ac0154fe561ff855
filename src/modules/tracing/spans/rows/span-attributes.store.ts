// The beginnings of a few attributes of spans, as columns of a list show them: nothing else of a payload is read into memory.
import { type RawBuilder, sql } from "kysely";
import { wirePaths } from "../../../../filter/attribute-path.ts";
import { differencesOf } from "../../../../filter/filter.ts";
import type { AttributePath } from "../../../../filter/tree.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";

export type SpanAttributesStore = ReturnType<typeof createSpanAttributesStore>;

export function createSpanAttributesStore(dialect: Dialect) {
  return {
    /** Texts in the order of the paths, each cut after so many characters; null where a span has no such attribute. */
    async readTexts(
      context: CallContext,
      spanIds: readonly number[],
      paths: readonly AttributePath[],
      characters: number,
    ): Promise<Map<number, readonly (string | null)[]>> {
      if (paths.length === 0) return new Map(spanIds.map((id) => [id, []]));
      const attributes = sql.ref<never>("unpacked.attributes");
      const texts: RawBuilder<string | null>[] = paths.map((path) => {
        const text = differencesOf(dialect).attributeText({ attributes, paths: wirePaths(path) }, false);
        return sql<string | null>`substr(${text}, 1, ${sql.lit(characters)})`;
      });
      const columns = texts.map((text, at) => sql`${text} as ${sql.ref(`text${at}`)}`);
      const { rows } = await sql<Readonly<Record<string, number | string | null>>>`
        select span_id as id, ${sql.join(columns)} from (
          select span_id, ${dialect.unpacked(sql.ref("attributes"))} as attributes from span_payloads
          where ${dialect.inList(sql.ref("span_id"), spanIds)} limit ${spanIds.length}) as unpacked`.execute(
        context.database.read(context, "short"),
      );
      return new Map(rows.map((row) => [Number(row.id), paths.map((_, at) => row[`text${at}`] as string | null)]));
    },
  };
}
