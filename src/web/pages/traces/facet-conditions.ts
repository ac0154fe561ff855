// What a click on a value asks of spans and of traces. A facet of traces counts those that the condition then lists.
import { literalOf } from "../../domain/filter/chips.ts";
import { anySpanFacet, fieldFacet, partFacet } from "../../explorer/facets.ts";

export const spanFacets = {
  status: fieldFacet("status_code"),
  kind: fieldFacet("span_kind"),
  model: fieldFacet("llm.model_name"),
  name: fieldFacet("name"),
  user: fieldFacet("user.id"),
  trace: fieldFacet("trace_id"),
} as const;

/** Kinds and names are those of any span, the user that of the root span. */
export const traceFacets = {
  kind: anySpanFacet("span_kind"),
  name: anySpanFacet("name"),
  user: partFacet((value) => ({
    included: [`user.id == ${literalOf(value)}`],
    excluded: [`user.id != ${literalOf(value)}`],
  })),
} as const;
