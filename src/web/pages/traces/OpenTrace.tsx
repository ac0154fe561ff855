// The open trace over its list, or on the whole page, with its neighbours in the list.
import { classes } from "../../kit/classes.ts";
import { createPreference, usePreference } from "../../lib/preferences.ts";
import styles from "./lists.module.css";
import { TracePanel } from "./panel/TracePanel.tsx";

interface Listed {
  readonly traceId: string;
}

interface OpenTraceProps<Row extends Listed> {
  readonly projectId: string;
  readonly traceId: string;
  readonly rows: readonly Row[];
  readonly onOpen: (row: Row) => void;
  readonly onClose: () => void;
}

const fullPreference = createPreference("trace.full", false);

export function OpenTrace<Row extends Listed>({ projectId, traceId, rows, onOpen, onClose }: OpenTraceProps<Row>) {
  const [full, setFull] = usePreference(fullPreference);
  const at = rows.findIndex((row) => row.traceId === traceId);
  const to = (step: number) => {
    // Several spans of a list may be of one trace.
    for (let index = at + step; at >= 0 && rows[index] !== undefined; index += step) {
      const row = rows[index]!;
      if (row.traceId !== traceId) return () => onOpen(row);
    }
    return null;
  };
  return (
    <div className={classes(styles.over, full ? styles.full : styles.beside)}>
      <TracePanel
        projectId={projectId}
        traceId={traceId}
        place={{ full, onFull: setFull, onClose, onPrevious: to(-1), onNext: to(1), hasList: rows.length > 0 }}
      />
    </div>
  );
}
