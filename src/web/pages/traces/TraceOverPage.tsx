// A trace over a page that is about something else, such as the run of an experiment. The address keeps what is chosen in it.
import { OverList } from "../../explorer/OverList.tsx";
import { panelParameters } from "./panel/panel-address.ts";
import { TracePanel } from "./panel/TracePanel.tsx";

interface TraceOverPageProps {
  readonly projectId: string;
  readonly traceId: string;
  /** Named are the parameters of the address that go with it. */
  readonly onClose: (parameters: readonly string[]) => void;
}

export default function TraceOverPage({ projectId, traceId, onClose }: TraceOverPageProps) {
  return (
    <OverList rows={[]} isOpen={() => true} onOpen={() => undefined} onClose={() => onClose(panelParameters)}>
      {(navigation) => <TracePanel projectId={projectId} traceId={traceId} navigation={navigation} />}
    </OverList>
  );
}
