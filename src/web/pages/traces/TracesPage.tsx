// The traces of a project, and the trace that is open over them.
import { withPart } from "../../domain/filter/chips.ts";
import { Explorer } from "../../explorer/Explorer.tsx";
import { describeList, useListPage } from "../../explorer/use-list-page.tsx";
import { type FragmentOf, readFragment } from "../../lib/graphql.ts";
import { late } from "../../lib/late.tsx";
import { measured, nameOf, traceAttributes, traceCell, traceColumns, tracesNamed } from "./list-columns.tsx";
import {
  checkTraces,
  traceList,
  traceRow,
  traceSearch,
  tracesFacets,
  tracesListed,
  traceVocabulary,
} from "./lists.queries.ts";
import { traceFacetGroups, traceFacetsNote } from "./span-facets.tsx";
import { statsOf, useListed } from "./use-listed.ts";
import { useOpenTrace } from "./use-open-trace.tsx";
import { useUnfoldedTraces } from "./use-unfolded-traces.tsx";

const { Part: TraceSelectionBar } = late(() => import("./TraceSelectionBar.tsx"));

const FAILED = "error_count > 0";
const names = { of: nameOf, without: tracesNamed };
const documents = { listed: tracesListed, facets: tracesFacets };
const described = describeList({
  tab: "traces",
  list: traceList,
  search: traceSearch,
  vocabulary: traceVocabulary,
  check: checkTraces,
  rowsOf: (nodes: readonly FragmentOf<typeof traceRow>[]) => measured(readFragment(traceRow, nodes)),
  sorts: ["startTime", "latencyMs", "tokenCountTotal", "costTotal", "numSpans", "errorCount"],
  newest: { key: "startTime", direction: "desc" },
  columns: traceColumns,
  attributesOf: traceAttributes,
  verdictsOf: ({ verdicts }) => verdicts,
  rootVerdictsOf: ({ rootSpan }) => rootSpan?.verdicts,
});

export default function TracesPage() {
  const { projectId, traceId, onOpen, over } = useOpenTrace("traces", "trace");
  const page = useListPage(projectId, described);
  const { listed, facets, ...counted } = useListed("traces", page, documents);
  const unfolding = useUnfoldedTraces({ openTraceId: traceId, attributes: page.attributes, onOpen });
  const { condition, setCondition } = page.state;
  return (
    <Explorer
      {...page.explorer}
      {...counted.explorer}
      {...{ names, unfolding, onOpen, over }}
      isOpen={(row) => row.traceId === traceId}
      cellValueOf={traceCell}
      stats={statsOf("traces", listed, listed && { cost: listed.figures.costTotal }, {
        onErrors: () => setCondition(withPart(condition, FAILED)),
        onSlow: () => page.sortBy("latencyMs"),
        onDear: () => page.sortBy("costTotal"),
      })}
      facets={{
        groups: traceFacetGroups(facets, listed),
        note: traceFacetsNote(facets),
        problem: counted.facetsProblem,
      }}
      selection={page.selectionBy((props) => <TraceSelectionBar {...props} />, listed?.figures.count)}
    />
  );
}
