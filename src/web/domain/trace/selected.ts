// The parameter of an address that names the chosen span of a trace by its global id: clients and redirects use it, too.
export const SELECTED_SPAN = "selectedSpanNodeId";

/** The same for a session: the exporter's id of the trace of the chosen turn. */
export const CHOSEN_TURN = "turn";
