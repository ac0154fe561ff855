// The spans of a project, each a row; a row opens its trace at the span.
import { withPart } from "../../domain/filter/chips.ts";
import { Explorer } from "../../explorer/Explorer.tsx";
import { projectOf } from "../../explorer/explorer.queries.ts";
import { describeList, useListPage } from "../../explorer/use-list-page.tsx";
import { useAddress } from "../../lib/address.ts";
import { type FragmentOf, readFragment } from "../../lib/graphql.ts";
import { late } from "../../lib/late.tsx";
import { useGraphql } from "../../lib/queries.ts";
import { type Measured, measured, spanAttributes, spanCell, spanColumns, spansNamed } from "./list-columns.tsx";
import {
  checkSpans,
  type SpanListRow,
  spanList,
  spanRow,
  spanSearch,
  spansCost,
  spansFacets,
  spansListed,
  spanVocabulary,
} from "./lists.queries.ts";
import { SELECTED } from "./panel/panel-address.ts";
import { spanFacetGroups, spanFacetsNote } from "./span-facets.tsx";
import { statsOf, useListed } from "./use-listed.ts";
import { useOpenTrace } from "./use-open-trace.tsx";

const { Part: SpanSelectionBar } = late(() => import("./SpanSelectionBar.tsx"));

interface OpenableSpan extends Measured<SpanListRow> {
  readonly traceId: string;
  readonly spanNodeId: string;
}

const FAILED = "status_code == 'ERROR'";
const names = { of: ({ name }: SpanListRow) => name, without: spansNamed<OpenableSpan> };
const documents = { listed: spansListed, facets: spansFacets };
const described = describeList({
  tab: "spans",
  list: spanList,
  search: spanSearch,
  vocabulary: spanVocabulary,
  check: checkSpans,
  rowsOf: (nodes: readonly FragmentOf<typeof spanRow>[]): readonly OpenableSpan[] =>
    measured(readFragment(spanRow, nodes)).map((row) => ({ ...row, traceId: row.trace.traceId, spanNodeId: row.id })),
  sorts: ["startTime", "latencyMs", "tokenCountTotal", "tokenCostTotal"],
  newest: { key: "startTime", direction: "desc" },
  columns: spanColumns,
  attributesOf: spanAttributes,
  verdictsOf: ({ verdicts }) => verdicts,
});

export default function SpansPage() {
  const { projectId, traceId, onOpen, over } = useOpenTrace("spans", "traceOfSpan");
  const chosen = useAddress().get(SELECTED);
  const page = useListPage(projectId, described);
  const { listed, facets, ...counted } = useListed("spans", page, documents);
  const cost = useGraphql(spansCost, page.listing, page.slowly);
  const { condition, setCondition } = page.state;
  return (
    <Explorer
      {...page.explorer}
      {...counted.explorer}
      {...{ names, onOpen, over }}
      isOpen={({ id }) => traceId !== null && id === chosen}
      cellValueOf={spanCell}
      stats={statsOf("spans", listed, projectOf(cost.data)?.listed.costSummary.total, {
        onErrors: () => setCondition(withPart(condition, FAILED)),
        onSlow: () => page.sortBy("latencyMs"),
        onDear: () => page.sortBy("tokenCostTotal"),
      })}
      facets={{ groups: spanFacetGroups(facets), note: spanFacetsNote(facets), problem: counted.facetsProblem }}
      selection={page.selectionBy((props) => <SpanSelectionBar {...props} />, listed?.figures.count)}
    />
  );
}
