// Whether the trace is shown as a graph, and which of its steps is chosen: in the address, so that a link shows the same.
import { useAddress } from "../../../../lib/address.ts";
import { LAYOUT, STEP } from "../panel-address.ts";

export interface GraphView {
  readonly shown: boolean;
  readonly asTable: boolean;
  /** The id of a step. */
  readonly step: string | null;
  readonly show: (shown: boolean) => void;
  readonly setTable: (asTable: boolean) => void;
  readonly setStep: (step: string | null) => void;
}

const GRAPH = "graph";
const TABLE = "graph-table";

export function useGraphView(): GraphView {
  const { get, set } = useAddress();
  const layout = get(LAYOUT);
  return {
    shown: layout === GRAPH || layout === TABLE,
    asTable: layout === TABLE,
    step: get(STEP),
    show: (shown) => set({ [LAYOUT]: shown ? GRAPH : null, [STEP]: null }),
    setTable: (asTable) => set({ [LAYOUT]: asTable ? TABLE : GRAPH }, "replace"),
    setStep: (step) => set({ [STEP]: step }, "replace"),
  };
}
