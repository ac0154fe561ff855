// What the two databases say differently in a condition: reading a value out of stored attributes, number formats, arithmetic
// that must neither fail nor round differently. Each side of it is one file.
import type { RawBuilder } from "kysely";
import type { AttributePath } from "./tree.ts";

export type Sql<Value = unknown> = RawBuilder<Value>;

/** Attributes as stored, and the first of several paths into them that has a value. */
export interface AttributeSource {
  readonly attributes: Sql;
  readonly paths: readonly AttributePath[];
}

export interface SqlDifferences {
  /** JSON that is stored as text, as attributes are stored. */
  document(text: Sql): Sql;
  /** The value as text: text as it is, numbers with all their digits, lists and objects as JSON without blanks. `plainly`: numbers,
   *  booleans, lists and objects may read as any text that is not an ordinary word, which is quicker. */
  attributeText(source: AttributeSource, plainly: boolean): Sql<string>;
  /** JSON numbers and texts that hold one, as an exact decimal; missing for everything else. */
  attributeNumber(source: AttributeSource): Sql<number>;
  /** JSON booleans, the texts true and false in any case, the integers 1 and 0; missing for everything else. */
  attributeBoolean(source: AttributeSource): Sql<boolean>;
  /** Whether there is a value that is not null; never missing. */
  attributePresent(source: AttributeSource): Sql<boolean>;
  /** The whole text of pieces (`large_values`), by the column of their bytes and that of their order. */
  joinedPieces(bytes: Sql, order: Sql): Sql<string>;

  text(value: string): Sql<string>;
  /** Lists are one parameter and one set, whatever their length; missing where the value is. */
  amongTexts(value: Sql, texts: readonly string[]): Sql<boolean>;
  /** An integer of 64 bits, cut to them. */
  integer(value: bigint): Sql<number>;
  /** An integer expression, which may be `wide`, among integers that are each cut to 64 bits. */
  amongIntegers(value: Sql, integers: readonly bigint[]): Sql<boolean>;
  /** A decimal number beside `attributeNumber`. */
  decimal(text: string): Sql<number>;
  amongDecimals(value: Sql, texts: readonly string[]): Sql<boolean>;
  double(value: number): Sql<number>;
  amongDoubles(value: Sql, doubles: readonly number[]): Sql<boolean>;
  /** An integer, decimal or double expression as binary floating point. */
  asDouble(value: Sql): Sql<number>;
  /** An integer expression that may grow beyond 64 bits without failing. */
  wide(value: Sql): Sql<number>;
  /** Text, to be ordered by its bytes. */
  ordered(value: Sql): Sql<string>;
  /** Whether a text contains another, in any letter case (kernel/fold-case.ts). */
  contains(haystack: Sql, needle: Sql): Sql<boolean>;
  containsLiteral(haystack: Sql, needle: string): Sql<boolean>;
  /** Whether the message of an exception passes the test, among stored events; never missing. */
  anyExceptionMessage(events: Sql, test: (message: Sql<string>) => Sql<boolean>): Sql<boolean>;
  /** The expressions evaluated once each, under names, in another that uses them several times. */
  once(values: readonly Sql[], use: (names: readonly Sql[]) => Sql): Sql<number>;
  /** A number cut at its point downwards, as an integer of 64 bits. */
  wholePart(value: Sql): Sql<number>;
}
