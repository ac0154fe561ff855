// The spans of a project, each a row; a row opens its trace at the span.
import { useMemo, useState } from "react";
import { withPart } from "../../domain/filter/chips.ts";
import { useAttributeColumns } from "../../explorer/attribute-columns.tsx";
import { useStrip } from "../../explorer/ChartStrip.tsx";
import { countText, isAll } from "../../explorer/counted.ts";
import { Explorer } from "../../explorer/Explorer.tsx";
import { projectOf } from "../../explorer/explorer.queries.ts";
import { LateOnboarding } from "../../explorer/LateOnboarding.tsx";
import { useExplorerState } from "../../explorer/use-explorer-state.ts";
import type { ListPage } from "../../explorer/use-list.ts";
import { useVocabulary } from "../../explorer/use-vocabulary.ts";
import { useVerdictColumns } from "../../explorer/verdicts/verdict-columns.tsx";
import { type Sort, useAddress, useSort } from "../../lib/address.ts";
import { formatCompact, formatCost, formatDuration, formatShare } from "../../lib/format.ts";
import { askGraphql, nodesOf, readFragment } from "../../lib/graphql.ts";
import { Late, late } from "../../lib/late.tsx";
import { useGraphql } from "../../lib/queries.ts";
import { LiveRange } from "../../lib/time-range.ts";
import { text } from "../../texts/texts.ts";
import { type Measured, spanAttributes, spanCell, spanColumns, spansNamed } from "./list-columns.tsx";
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
import { measured } from "./measured.ts";
import { OpenTrace } from "./OpenTrace.tsx";
import { SELECTED } from "./panel/use-spans.ts";
import { spanFacetGroups, spanFacetsNote } from "./span-facets.tsx";
import { useOpenTrace } from "./use-open-trace.ts";

const { Part: SpanSelectionBar } = late(() => import("./SpanSelectionBar.tsx"));

const PAGE = 100;
const sorts = ["startTime", "latencyMs", "tokenCountTotal", "tokenCostTotal"] as const;
const newest = { key: "startTime", direction: "desc" } as const;
const FAILED = "status_code == 'ERROR'";
const keyOf = ({ id }: SpanListRow) => id;
const verdictsOf = ({ verdicts }: SpanListRow) => verdicts;

interface OpenableSpan extends Measured<SpanListRow> {
  readonly traceId: string;
  readonly spanNodeId: string;
}

const names = { of: ({ name }: SpanListRow) => name, without: spansNamed<OpenableSpan> };

const openable = (rows: readonly SpanListRow[]): OpenableSpan[] =>
  measured(rows).map((row) => ({ ...row, traceId: row.trace.traceId, spanNodeId: row.id }));

export default function SpansPage() {
  const { projectId, traceId, openTrace, closeTrace } = useOpenTrace("spans", "traceOfSpan");
  const address = useAddress();
  const state = useExplorerState();
  const { condition, search, range } = state;
  const [sort, setSort] = useSort(sorts, newest);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const timeRange = useMemo(() => new LiveRange(range), [range]);

  const strip = useStrip(projectId, range);
  const listing = { id: projectId, timeRange, condition, text: search };
  const beside = useGraphql(
    spansListed,
    { ...listing, period: strip.period, bins: strip.config },
    { live: search === "", keepPrevious: true },
  );
  const cost = useGraphql(spansCost, listing, { live: search === "" && "slowly", keepPrevious: true });
  const facets = useGraphql(spansFacets, listing, { live: search === "" && "slowly", keepPrevious: true });
  const vocabulary = useVocabulary(projectOf(useGraphql(spanVocabulary, { id: projectId }).data)?.spanFilterVocabulary);
  const shown = useAttributeColumns<OpenableSpan>("spans", spanColumns, spanAttributes);
  const attributes = shown.names;
  const { columns, names: judged } = useVerdictColumns("spans", shown.columns, verdictsOf);
  const source = useMemo(() => {
    const asked = {
      id: projectId,
      first: PAGE,
      timeRange,
      condition,
      attributes,
      judged,
      anyJudged: judged.length > 0,
    };
    return {
      key: ["spans", projectId, condition, search, timeRange, sort.key, sort.direction, attributes, judged],
      keyOf,
      growsAtTop: search === "" && sort.key === newest.key && sort.direction === newest.direction,
      async ask(after: string | null, signal: AbortSignal): Promise<ListPage<OpenableSpan>> {
        if (search !== "") {
          const found = projectOf(await askGraphql(spanSearch, { ...asked, after, text: search }, signal));
          const { edges, pageInfo, progress } = found!.searchSpans;
          return { rows: openable(readFragment(spanRow, nodesOf(edges))), ...pageInfo, progress };
        }
        const by = { col: sort.key, dir: sort.direction };
        const { edges, pageInfo } = projectOf(await askGraphql(spanList, { ...asked, after, sort: by }, signal))!.spans;
        return { rows: openable(readFragment(spanRow, nodesOf(edges))), ...pageInfo };
      },
    };
  }, [projectId, condition, search, timeRange, sort.key, sort.direction, attributes, judged]);

  const listed = projectOf(beside.data)?.listedSpans;
  const counted = listed?.figures;
  const found = projectOf(facets.data)?.listedSpans;
  return (
    <Explorer
      projectId={projectId}
      tab="spans"
      state={state}
      source={source}
      columns={columns}
      attributes={vocabulary.attributes}
      names={names}
      sort={sort}
      onSort={(next) => setSort(next as Sort<(typeof sorts)[number]>)}
      onOpen={openTrace}
      isOpen={({ id }) => traceId !== null && id === address.get(SELECTED)}
      cellValueOf={spanCell}
      counted={listed?.progress}
      counting={beside.isPlaceholderData || facets.isPlaceholderData}
      strip={{ counted: "spans", bins: listed?.series, problem: beside.error?.message ?? null, of: strip }}
      stats={spanStats(counted, projectOf(cost.data)?.listedSpans.costSummary.total, isAll(listed?.progress), {
        onErrors: () => state.setCondition(withPart(condition, FAILED)),
        onSlow: () => setSort({ key: "latencyMs", direction: "desc" }),
        onDear: () => setSort({ key: "tokenCostTotal", direction: "desc" }),
      })}
      facets={{ groups: spanFacetGroups(found), note: spanFacetsNote(found), problem: facets.error?.message ?? null }}
      judged={{ listing, total: counted?.count }}
      vocabulary={vocabulary}
      check={checkSpans}
      searchable
      selection={{
        selected,
        onSelect: setSelected,
        bar: (rows) => (
          <Late>
            <SpanSelectionBar
              projectId={projectId}
              rows={rows}
              matching={search === "" ? { condition, timeRange, count: counted?.count } : null}
              onDone={() => setSelected(new Set())}
            />
          </Late>
        ),
      }}
      whenNew={<LateOnboarding />}
      over={(rows) =>
        traceId !== null && (
          <OpenTrace projectId={projectId} traceId={traceId} rows={rows} onOpen={openTrace} onClose={closeTrace} />
        )
      }
    />
  );
}

interface SpanFigures {
  readonly count: number;
  readonly errorCount: number;
  readonly latencyMsP50: number | null;
  readonly latencyMsP99: number | null;
  readonly tokenCountTotal: number;
}

interface StatActions {
  readonly onErrors: () => void;
  readonly onSlow: () => void;
  readonly onDear: () => void;
}

/** The figures above the list; `all` is false while not every span was counted. */
function spanStats(
  counted: SpanFigures | undefined,
  spent: { readonly cost: number | null } | undefined,
  all: boolean,
  { onErrors, onSlow, onDear }: StatActions,
) {
  return [
    { label: text("explorer.stat.spans"), value: counted && countText(counted.count, all) },
    {
      label: text("explorer.stat.errors"),
      value: counted && formatShare(counted.count === 0 ? 0 : counted.errorCount / counted.count),
      failed: (counted?.errorCount ?? 0) > 0,
      hint: text("explorer.stat.errors.hint"),
      onClick: onErrors,
    },
    { label: text("explorer.stat.p50"), value: counted && formatDuration(counted.latencyMsP50) },
    {
      label: text("explorer.stat.p99"),
      value: counted && formatDuration(counted.latencyMsP99),
      hint: text("explorer.stat.p99.hint"),
      onClick: onSlow,
    },
    { label: text("explorer.stat.tokens"), value: counted && formatCompact(counted.tokenCountTotal) },
    {
      label: text("costs.cost"),
      value: spent && formatCost(spent.cost),
      hint: text("costs.stat.spans.hint"),
      onClick: onDear,
    },
  ];
}
