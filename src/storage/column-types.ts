// What columns hold that no type of TypeScript says, for the tables of every feature.
import type { ColumnType } from "kysely";

/** JSON that only the dialect reads and writes (`dialect.json`): JSONB bytes in SQLite, jsonb in PostgreSQL. */
export type StoredJson = ColumnType<unknown, never, never>;
/** Money in 10^-12 USD: beyond 2^53 a number would lose digits, so sums are read as text. */
export type Money = ColumnType<number, number | undefined, never>;
/** A double, also where it happens to be whole; every other number is an integer. */
export type Real = number;
