// The traces of a project, and the trace that is open over them.
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
import { type Sort, useSort } from "../../lib/address.ts";
import { formatCompact, formatCost, formatDuration, formatShare } from "../../lib/format.ts";
import { askGraphql, nodesOf, readFragment } from "../../lib/graphql.ts";
import { Late, late } from "../../lib/late.tsx";
import { useGraphql } from "../../lib/queries.ts";
import { LiveRange } from "../../lib/time-range.ts";
import { text } from "../../texts/texts.ts";
import { type Measured, nameOf, traceAttributes, traceCell, traceColumns, tracesNamed } from "./list-columns.tsx";
import {
  checkTraces,
  type TraceRow,
  traceList,
  traceRow,
  traceSearch,
  tracesFacets,
  tracesListed,
  traceVocabulary,
} from "./lists.queries.ts";
import { measured } from "./measured.ts";
import { OpenTrace } from "./OpenTrace.tsx";
import { traceFacetGroups, traceFacetsNote } from "./span-facets.tsx";
import { useOpenTrace } from "./use-open-trace.ts";
import { useUnfoldedTraces } from "./use-unfolded-traces.tsx";

const { Part: TraceSelectionBar } = late(() => import("./TraceSelectionBar.tsx"));

const PAGE = 100;
const sorts = ["startTime", "latencyMs", "tokenCountTotal", "costTotal", "numSpans", "errorCount"] as const;
const newest = { key: "startTime", direction: "desc" } as const;
const FAILED = "error_count > 0";
const names = { of: nameOf, without: tracesNamed };
const keyOf = ({ id }: TraceRow) => id;
const verdictsOf = ({ verdicts }: TraceRow) => verdicts;
const rootVerdictsOf = ({ rootSpan }: TraceRow) => rootSpan?.verdicts;

export default function TracesPage() {
  const { projectId, traceId, openTrace, closeTrace } = useOpenTrace("traces", "trace");
  const state = useExplorerState();
  const { condition, search, range } = state;
  const [sort, setSort] = useSort(sorts, newest);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const timeRange = useMemo(() => new LiveRange(range), [range]);

  const strip = useStrip(projectId, range);
  const listing = { id: projectId, timeRange, condition, text: search };
  const beside = useGraphql(
    tracesListed,
    { ...listing, period: strip.period, bins: strip.config },
    { live: search === "", keepPrevious: true },
  );
  const facets = useGraphql(tracesFacets, listing, { live: search === "" && "slowly", keepPrevious: true });
  const vocabulary = useVocabulary(
    projectOf(useGraphql(traceVocabulary, { id: projectId }).data)?.traceFilterVocabulary,
  );
  const shown = useAttributeColumns<Measured<TraceRow>>("traces", traceColumns, traceAttributes);
  const attributes = shown.names;
  const {
    columns,
    names: judged,
    rootNames: rootJudged,
  } = useVerdictColumns("traces", shown.columns, verdictsOf, rootVerdictsOf);
  const source = useMemo(() => {
    const asked = {
      id: projectId,
      first: PAGE,
      timeRange,
      condition,
      attributes,
      judged,
      anyJudged: judged.length > 0,
      rootJudged,
      anyRootJudged: rootJudged.length > 0,
    };
    return {
      key: [
        ...["traces", projectId, condition, search, timeRange],
        ...[sort.key, sort.direction, attributes, judged, rootJudged],
      ],
      keyOf,
      growsAtTop: search === "" && sort.key === newest.key && sort.direction === newest.direction,
      async ask(after: string | null, signal: AbortSignal): Promise<ListPage<Measured<TraceRow>>> {
        if (search !== "") {
          const found = projectOf(await askGraphql(traceSearch, { ...asked, after, text: search }, signal));
          const { edges, pageInfo, progress } = found!.searchTraces;
          return { rows: measured(readFragment(traceRow, nodesOf(edges))), ...pageInfo, progress };
        }
        const by = { col: sort.key, dir: sort.direction };
        const { edges, pageInfo } = projectOf(
          await askGraphql(traceList, { ...asked, after, sort: by }, signal),
        )!.traces;
        return { rows: measured(readFragment(traceRow, nodesOf(edges))), ...pageInfo };
      },
    };
  }, [projectId, condition, search, timeRange, sort.key, sort.direction, attributes, judged, rootJudged]);

  const unfolding = useUnfoldedTraces({ openTraceId: traceId, attributes, onOpen: openTrace });
  const listed = projectOf(beside.data)?.listedTraces;
  const counted = listed?.figures;
  const found = projectOf(facets.data)?.listedTraces;
  return (
    <Explorer
      projectId={projectId}
      tab="traces"
      state={state}
      source={source}
      columns={columns}
      attributes={vocabulary.attributes}
      names={names}
      sort={sort}
      onSort={(next) => setSort(next as Sort<(typeof sorts)[number]>)}
      onOpen={openTrace}
      isOpen={(row) => row.traceId === traceId}
      unfolding={unfolding}
      cellValueOf={traceCell}
      counted={listed?.progress}
      counting={beside.isPlaceholderData || facets.isPlaceholderData}
      strip={{ counted: "traces", bins: listed?.series, problem: beside.error?.message ?? null, of: strip }}
      stats={traceStats(counted, isAll(listed?.progress), {
        onErrors: () => state.setCondition(withPart(condition, FAILED)),
        onSlow: () => setSort({ key: "latencyMs", direction: "desc" }),
        onDear: () => setSort({ key: "costTotal", direction: "desc" }),
      })}
      facets={{
        groups: traceFacetGroups(found, listed),
        note: traceFacetsNote(found),
        problem: facets.error?.message ?? null,
      }}
      judged={{ listing, total: counted?.count }}
      vocabulary={vocabulary}
      check={checkTraces}
      searchable
      selection={{
        selected,
        onSelect: setSelected,
        bar: (rows) => (
          <Late>
            <TraceSelectionBar
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

interface TraceFigures {
  readonly count: number;
  readonly errorCount: number;
  readonly latencyMsP50: number | null;
  readonly latencyMsP99: number | null;
  readonly tokenCountTotal: number;
  readonly costTotal: number | null;
}

interface StatActions {
  readonly onErrors: () => void;
  readonly onSlow: () => void;
  readonly onDear: () => void;
}

/** The figures above the list; `all` is false while not every trace was counted. */
function traceStats(counted: TraceFigures | null | undefined, all: boolean, { onErrors, onSlow, onDear }: StatActions) {
  return [
    { label: text("explorer.stat.traces"), value: counted && countText(counted.count, all) },
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
      value: counted && formatCost(counted.costTotal),
      hint: text("costs.stat.traces.hint"),
      onClick: onDear,
    },
  ];
}
