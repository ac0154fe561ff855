// The open trace over its list, or on the whole page, with its neighbours in the list.
import { OverList } from "../../explorer/OverList.tsx";
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

export function OpenTrace<Row extends Listed>({ projectId, traceId, rows, onOpen, onClose }: OpenTraceProps<Row>) {
  return (
    <OverList rows={rows} isOpen={(row) => row.traceId === traceId} onOpen={onOpen} onClose={onClose}>
      {(navigation) => <TracePanel projectId={projectId} traceId={traceId} navigation={navigation} />}
    </OverList>
  );
}
