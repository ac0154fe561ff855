// The sessions of a project, and the session that is open over them.

import { useMemo } from "react";
import { searchedWords } from "../../../modules/tracing/spans/search/search.rules.ts";
import { literalOf, withPart } from "../../domain/filter/chips.ts";
import { useStrip } from "../../explorer/ChartStrip.tsx";
import { Explorer } from "../../explorer/Explorer.tsx";
import { projectOf } from "../../explorer/explorer.queries.ts";
import { LateOnboarding } from "../../explorer/LateOnboarding.tsx";
import { OverList } from "../../explorer/OverList.tsx";
import type { Stat } from "../../explorer/StatsBar.tsx";
import { useExplorerState } from "../../explorer/use-explorer-state.ts";
import type { ListPage } from "../../explorer/use-list.ts";
import { useVocabulary } from "../../explorer/use-vocabulary.ts";
import { useVerdictColumns } from "../../explorer/verdicts/verdict-columns.tsx";
import { EmptyState, Skeleton } from "../../kit/States.tsx";
import { type Sort, useSort } from "../../lib/address.ts";
import { formatCost, formatCount, formatDuration, formatMean, formatShare } from "../../lib/format.ts";
import { askGraphql, nodesOf, readFragment } from "../../lib/graphql.ts";
import { Late, late } from "../../lib/late.tsx";
import { useGraphql } from "../../lib/queries.ts";
import { LiveRange } from "../../lib/time-range.ts";
import { text } from "../../texts/texts.ts";
import { sessionCell, sessionColumns } from "./session-columns.tsx";
import { sessionFacetGroups } from "./session-facets.tsx";
import {
  anySession,
  checkSessions,
  type SessionFiguresAnswer,
  type SessionRow,
  sessionFacets,
  sessionFigures,
  sessionList,
  sessionRow,
  sessionsCost,
  sessionTraffic,
  sessionVocabulary,
} from "./sessions.queries.ts";
import { useOpenSession } from "./use-open-session.ts";
import { useSessionSelection } from "./use-session-selection.tsx";

const { Part: SessionPanel } = late(() => import("./SessionPanel.tsx"));

const PAGE = 100;
const sorts = ["endTime", "startTime", "numTraces", "tokenCountTotal", "costTotal"] as const;
const newest = { key: "endTime", direction: "desc" } as const;
const keyOf = ({ id }: SessionRow) => id;
const verdictsOf = ({ verdicts }: SessionRow) => verdicts;
const FAILED = "num_traces_with_error > 0";

/** Words that all stand in what turns of a session were asked or answered with. */
function conditionWith(condition: string, words: string): string {
  if (words === "") return condition;
  return searchedWords(words)
    .map(literalOf)
    .reduce((all, word) => withPart(all, `(${word} in any_input or ${word} in any_output)`), condition);
}

export default function SessionsPage() {
  const { projectId, sessionId, openSession, closeSession } = useOpenSession();
  const state = useExplorerState();
  const { search, range } = state;
  const condition = conditionWith(state.condition, search);
  const [sort, setSort] = useSort(sorts, newest);
  const timeRange = useMemo(() => new LiveRange(range), [range]);
  const listing = { id: projectId, timeRange, condition };

  const figures = useGraphql(sessionFigures, listing, { live: true, keepPrevious: true });
  const cost = useGraphql(sessionsCost, listing, { live: "slowly", keepPrevious: true });
  const facets = useGraphql(sessionFacets, listing, { live: "slowly", keepPrevious: true });
  const strip = useStrip(projectId, range);
  const turns = useGraphql(
    sessionTraffic,
    strip.period && { id: projectId, period: strip.period, bins: strip.config, condition },
    { live: true, keepPrevious: true },
  );
  const vocabulary = useVocabulary(
    projectOf(useGraphql(sessionVocabulary, { id: projectId }).data)?.sessionFilterVocabulary,
  );
  const { columns, names: judged } = useVerdictColumns("sessions", sessionColumns, verdictsOf);
  const source = useMemo(
    () => ({
      key: ["sessions", projectId, condition, timeRange, sort.key, sort.direction, judged],
      keyOf,
      growsAtTop: sort.key === newest.key && sort.direction === newest.direction,
      async ask(after: string | null, signal: AbortSignal): Promise<ListPage<SessionRow>> {
        const by = { col: sort.key, dir: sort.direction };
        const asked = {
          id: projectId,
          first: PAGE,
          after,
          timeRange,
          condition,
          sort: by,
          judged,
          anyJudged: judged.length > 0,
        };
        const { edges, pageInfo } = projectOf(await askGraphql(sessionList, asked, signal))!.sessions;
        return { rows: readFragment(sessionRow, nodesOf(edges)), ...pageInfo };
      },
    }),
    [projectId, condition, timeRange, sort.key, sort.direction, judged],
  );

  const isEmpty =
    condition === "" && projectOf(figures.data) !== undefined && projectOf(figures.data)?.sessionFacets === null;
  const any = projectOf(useGraphql(anySession, { id: projectId }, { enabled: isEmpty }).data);
  const counted = projectOf(figures.data);
  const count = counted?.sessionFacets?.count ?? 0;
  const selection = useSessionSelection(projectId, { condition, timeRange, count: counted && count });
  return (
    <Explorer
      projectId={projectId}
      tab="sessions"
      state={state}
      source={source}
      columns={columns}
      sort={sort}
      onSort={(next) => setSort(next as Sort<(typeof sorts)[number]>)}
      onOpen={openSession}
      isOpen={(row) => row.id === sessionId || row.sessionId === sessionId}
      counting={figures.isPlaceholderData || turns.isPlaceholderData || facets.isPlaceholderData}
      strip={{
        counted: "turns",
        bins: projectOf(turns.data)?.sessionTurnTimeSeries.data,
        problem: turns.error?.message ?? null,
        of: strip,
      }}
      stats={sessionStats(counted, projectOf(cost.data)?.costSummary.total, {
        onErrors: () => state.setCondition(withPart(state.condition, FAILED)),
        onTurns: () => setSort({ key: "numTraces", direction: "desc" }),
        onDear: () => setSort({ key: "costTotal", direction: "desc" }),
      })}
      facets={{
        groups: sessionFacetGroups(facets.data && projectOf(facets.data)?.sessionFacets),
        problem: facets.error?.message ?? null,
      }}
      judged={{
        listing,
        total: counted && (counted.sessionFacets?.count ?? 0),
      }}
      vocabulary={vocabulary}
      check={checkSessions}
      searchable
      cellValueOf={sessionCell}
      {...selection}
      whenNew={<LateOnboarding />}
      whenNone={
        any?.sessions.edges.length === 0 ? (
          <EmptyState title={text("sessions.none")}>{text("sessions.none.text")}</EmptyState>
        ) : undefined
      }
      over={(rows) =>
        sessionId !== null && (
          <OverList
            rows={rows}
            isOpen={(row) => row.id === sessionId || row.sessionId === sessionId}
            onOpen={openSession}
            onClose={closeSession}
            reading
          >
            {(navigation) => (
              <Late fallback={<Skeleton lines={8} />}>
                <SessionPanel key={sessionId} projectId={projectId} sessionId={sessionId} navigation={navigation} />
              </Late>
            )}
          </OverList>
        )
      }
    />
  );
}

interface Spent {
  readonly cost: number | null;
}

interface StatActions {
  readonly onErrors: () => void;
  readonly onTurns: () => void;
  readonly onDear: () => void;
}

function sessionStats(
  counted: SessionFiguresAnswer | undefined,
  spent: Spent | undefined,
  { onErrors, onTurns, onDear }: StatActions,
): readonly Stat[] {
  const { count, errorCount } = counted?.sessionFacets ?? { count: 0, errorCount: 0 };
  return [
    { label: text("sessions.stat.sessions"), value: counted && formatCount(count) },
    {
      label: text("sessions.stat.errors"),
      value: counted && formatShare(count === 0 ? 0 : errorCount / count),
      failed: errorCount > 0,
      hint: text("sessions.stat.errors.hint"),
      onClick: onErrors,
    },
    {
      label: text("sessions.stat.turns"),
      value: counted && formatMean(counted.averageTracesPerSession),
      hint: text("sessions.stat.turns.hint"),
      onClick: onTurns,
    },
    { label: text("sessions.stat.duration"), value: counted && formatDuration(counted.p50) },
    {
      label: text("costs.cost"),
      value: spent && formatCost(spent.cost),
      hint: text("costs.stat.sessions.hint"),
      onClick: onDear,
    },
  ];
}
