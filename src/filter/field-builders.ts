// Short ways to write the rows of the field tables.
import type { Field, Place } from "./field.ts";

export const fieldOfText = (name: string, place: Place): Field => ({ name, type: "text", place });
/** The groups of failures of a row. */
export const errorGroupField = (of: "span" | "trace" | "session"): Field => ({
  ...fieldOfText("error_group", { in: "error groups", of }),
  failures: true,
});
export const fieldOfNumber = (name: string, place: Place): Field => ({ name, type: "number", place });
export const fieldOfTime = (name: string, place: Place): Field => ({ name, type: "timestamp", place });
export const column = (name: string, scale = 0): Place => ({ in: "column", column: name, scale });
export const columns = (names: readonly string[], scale = 0): Place => ({ in: "columns", columns: names, scale });

/** Microseconds of a timestamp, whose unit is the second; and of a latency, whose unit is the millisecond. */
export const TIME_SCALE = 6;
export const LATENCY_SCALE = 3;
/** Money is stored in 10^-12 USD. */
export const MONEY_SCALE = 12;
