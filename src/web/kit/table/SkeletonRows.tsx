// Grey bars in the columns of a table, while its first rows load.
import styles from "./DataTable.module.css";
import type { RowLayout } from "./TableRow.tsx";

const ROWS = 14;

interface SkeletonRowsProps {
  readonly layout: RowLayout;
  readonly columns: number;
}

export function SkeletonRows({ layout: { height, style }, columns }: SkeletonRowsProps) {
  return (
    <div role="rowgroup" className={styles.waiting}>
      {Array.from({ length: ROWS }, (_, row) => (
        <div key={`row ${String(row)}`} role="row" className={styles.skeleton} style={{ height, ...style }}>
          {Array.from({ length: columns }, (_cell, column) => (
            <div key={`cell ${String(column)}`} role="gridcell" className={styles.cell}>
              <span className={styles.bar} style={{ width: `${45 + ((row * 7 + column * 23) % 45)}%` }} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
