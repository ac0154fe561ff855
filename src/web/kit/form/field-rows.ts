// The rows of fields that repeat, as values of a form.

/** `key` is of the row in the form alone. */
export interface FieldRow {
  readonly key: number;
}

export function changedRows<Row extends FieldRow>(rows: readonly Row[], key: number, changed: Partial<Row>): Row[] {
  return rows.map((row) => (row.key === key ? { ...row, ...changed } : row));
}

export function withRow<Row extends FieldRow>(rows: readonly Row[], blank: Omit<Row, "key">): readonly Row[] {
  const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
  return [...rows, { ...blank, key } as Row];
}
