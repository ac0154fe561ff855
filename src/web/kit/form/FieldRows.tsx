// Fields that repeat, a row for each of any number of things, and two fields side by side.
import { Plus } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { Button } from "../Button.tsx";
import styles from "./FieldRows.module.css";
import { changedRows, type FieldRow, withRow } from "./field-rows.ts";
import type { FormField } from "./use-form.ts";

interface RowChange<Row> {
  /** From 1. */
  readonly number: number;
  readonly change: (changed: Partial<Row>) => void;
  readonly remove: () => void;
}

interface FieldRowsProps<Row extends FieldRow> extends FormField<readonly Row[]> {
  readonly legend: string;
  /** Beside the legend. */
  readonly note?: string;
  /** What a new row holds. */
  readonly blank: Omit<Row, "key">;
  /** Of the button that adds a row. */
  readonly add: string;
  readonly children: (row: Row, change: RowChange<Row>) => ReactNode;
}

export function FieldRows<Row extends FieldRow>(props: FieldRowsProps<Row>) {
  const { value: rows, onChange, problem, legend, note, blank, add, children } = props;
  return (
    <fieldset className={styles.rows}>
      <legend className={styles.legend}>
        {legend}
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </legend>
      {rows.map((row, index) => (
        <Fragment key={row.key}>
          {children(row, {
            number: index + 1,
            change: (changed) => onChange(changedRows(rows, row.key, changed)),
            remove: () => onChange(rows.filter(({ key }) => key !== row.key)),
          })}
        </Fragment>
      ))}
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <span>
        <Button icon={<Plus />} onClick={() => onChange(withRow(rows, blank))}>
          {add}
        </Button>
      </span>
    </fieldset>
  );
}

/** One below the other where there is no space. */
export function FieldPair({ children }: { readonly children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>;
}
