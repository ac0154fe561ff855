// Gives every row of a page the longest latency among them, for the bars of the latency column.
import type { Measured } from "./list-columns.tsx";

export function measured<Row extends { readonly latencyMs: number | null }>(rows: readonly Row[]): Measured<Row>[] {
  const slowestMs = rows.reduce((slowest, { latencyMs }) => Math.max(slowest, latencyMs ?? 0), 0);
  return rows.map((row) => ({ ...row, slowestMs }));
}
