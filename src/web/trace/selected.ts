// The parameter of an address that names the chosen span of a trace by its global id: clients and redirects use it, too.
export const SELECTED_SPAN = "selectedSpanNodeId";
