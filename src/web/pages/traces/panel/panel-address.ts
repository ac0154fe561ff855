// The open trace in the address and in the help of keys: what lists need of it before its script is there.
import { SELECTED_SPAN } from "../../../domain/trace/selected.ts";
import type { PanelTexts } from "../../../explorer/panel-navigation.tsx";

/** Parameters of the address that belong to the open trace. */
export const SELECTED = SELECTED_SPAN;
export const FIND = "find";
export const KINDS = "kinds";
/** `all` shows the wrappers, too. The name of old links. */
export const WRAPPERS = "steps";
/** What the waterfall shows beside the times. */
export const OVERLAY = "overlay";
/** `graph`, or `graph-table`: the trace as a graph, and the step of it that is chosen. */
export const LAYOUT = "layout";
export const STEP = "step";
export const panelParameters: readonly string[] = [SELECTED, FIND, KINDS, WRAPPERS, OVERLAY, LAYOUT, STEP];

export const traceWords: PanelTexts = {
  group: "trace.keys",
  previous: "trace.previous",
  next: "trace.next",
  close: "trace.close",
};
