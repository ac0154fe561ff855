// Texts that are stored separately from the row of their span, in pieces.
import { sql } from "kysely";
import { freeBytes } from "../../../../kernel/free-bytes.ts";
import type { StoredPieces } from "../../../../model/attributes/large-values.ts";
import type { LargeValue } from "../../../../model/span.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { storedHeads, storedPieces } from "../../../../storage/stored-values.ts";
import { valueGone } from "../spans.errors.ts";

/** Pieces of a text that are in memory together; one has at most LARGE_VALUE_PIECE_BYTES. */
const PIECES_A_READ = 4;

/** Large values of a span, and what is stored of each. */
interface LargeValues {
  readonly values: LargeValue[];
  readonly stored: StoredPieces[];
}

export function createLargeValuesStore(dialect: Dialect) {
  return {
    /** By span id; a span without large values is left out. */
    async read(context: CallContext, spanIds: readonly number[]): Promise<Map<number, LargeValues>> {
      const found = new Map<number, LargeValues>();
      if (spanIds.length === 0) return found;
      const pieces = await context.database
        .read(context, "short")
        .selectFrom("large_values")
        .select(["span_id", "path", "seq", "bytes"])
        .where(dialect.inList(sql.ref("span_id"), spanIds))
        .orderBy("span_id")
        .orderBy("path")
        .orderBy("seq")
        .execute();
      for (let first = 0; first < pieces.length; ) {
        const { span_id, path } = pieces[first]!;
        let end = first;
        while (pieces[end]?.span_id === span_id && pieces[end]?.path === path) end++;
        // A piece may end inside a character: only their concatenation is text.
        const bytes = Buffer.concat(pieces.slice(first, end).map((piece) => piece.bytes));
        for (const piece of pieces.slice(first, end)) freeBytes(piece.bytes);
        const { values, stored } = found.get(span_id) ?? { values: [], stored: [] };
        values.push({ path, text: bytes.toString("utf8") });
        stored.push({ path, pieces: end - first, last: pieces[end - 1]!.seq, bytes: bytes.byteLength });
        freeBytes(bytes);
        found.set(span_id, { values, stored });
        first = end;
      }
      return found;
    },

    /** The beginnings of the texts that are stored separately, with what is stored of the whole. */
    async readHeads(context: CallContext, spanIds: readonly number[], headBytes: number) {
      const rows = await storedHeads(dialect, context, spanIds, headBytes).execute();
      return rows.map(({ span_id: spanId, path, head, pieces, last, bytes }) => ({
        spanId,
        path,
        // It may end inside a character, which is left out.
        text: head === null ? "" : new TextDecoder().decode(head, { stream: true }),
        pieces: Number(pieces),
        last: Number(last),
        bytes: Number(bytes),
      }));
    },

    /** What is stored of each text of a span that is stored separately. */
    async listStored(context: CallContext, spanId: number): Promise<StoredPieces[]> {
      const rows = await storedPieces(dialect, context, [spanId]).execute();
      return rows.map(({ path, pieces, last, bytes }) => ({
        path,
        pieces: Number(pieces),
        last: Number(last),
        bytes: Number(bytes),
      }));
    },

    /** The bytes of one text that is stored separately, a few pieces at a time: a piece may end inside a character. Fails when the text is
     *  deleted meanwhile. */
    async *walkText(context: CallContext, spanId: number, { path, pieces }: StoredPieces): AsyncGenerator<Uint8Array> {
      for (let first = 0; first < pieces; first += PIECES_A_READ) {
        const rows = await context.database
          .read(context, "short")
          .selectFrom("large_values")
          .select("bytes")
          .where("span_id", "=", spanId)
          .where("path", "=", path)
          .where("seq", ">=", first)
          .where("seq", "<", first + PIECES_A_READ)
          .orderBy("seq")
          .execute();
        if (rows.length !== Math.min(PIECES_A_READ, pieces - first)) throw valueGone(path);
        for (const { bytes } of rows) yield bytes;
      }
    },
  };
}
