// The sessions of a project, and the session that is open over them.

import { searchedWords } from "../../../modules/tracing/spans/search/search.rules.ts";
import { literalOf, withPart } from "../../domain/filter/chips.ts";
import { Explorer } from "../../explorer/Explorer.tsx";
import { projectOf } from "../../explorer/explorer.queries.ts";
import { OverList } from "../../explorer/OverList.tsx";
import { costStat, errorStat, type Stat } from "../../explorer/StatsBar.tsx";
import { describeList, useListPage } from "../../explorer/use-list-page.tsx";
import { EmptyState, Skeleton } from "../../kit/States.tsx";
import { formatCount, formatDuration, formatMean } from "../../lib/format.ts";
import { type FragmentOf, readFragment } from "../../lib/graphql.ts";
import { Late, late } from "../../lib/late.tsx";
import { useGraphql } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
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

const { Part: SessionPanel } = late(() => import("./SessionPanel.tsx"));
const { Part: SessionSelectionBar } = late(() => import("./SessionSelectionBar.tsx"));

const FAILED = "num_traces_with_error > 0";

const described = describeList({
  tab: "sessions",
  list: sessionList,
  /** Words that all stand in what turns of a session were asked or answered with. */
  conditionWith: (condition, words) =>
    (words === "" ? [] : searchedWords(words))
      .map(literalOf)
      .reduce((all, word) => withPart(all, `(${word} in any_input or ${word} in any_output)`), condition),
  vocabulary: sessionVocabulary,
  check: checkSessions,
  rowsOf: (nodes: readonly FragmentOf<typeof sessionRow>[]) => readFragment(sessionRow, nodes),
  sorts: ["endTime", "startTime", "numTraces", "tokenCountTotal", "costTotal"],
  newest: { key: "endTime", direction: "desc" },
  columns: sessionColumns,
  verdictsOf: ({ verdicts }) => verdicts,
});

export default function SessionsPage() {
  const { projectId, sessionId, openSession, closeSession } = useOpenSession();
  const { mayWrite } = useRights();
  const page = useListPage(projectId, described);
  const { listing, strip, live, slowly, state } = page;
  const figures = useGraphql(sessionFigures, listing, live);
  const cost = useGraphql(sessionsCost, listing, slowly);
  const facets = useGraphql(sessionFacets, listing, slowly);
  const { period, config: bins } = strip;
  const turns = useGraphql(sessionTraffic, period && { ...listing, period, bins }, live);

  const counted = projectOf(figures.data);
  const isEmpty = listing.condition === "" && counted?.sessionFacets === null;
  const any = projectOf(useGraphql(anySession, { id: projectId }, { enabled: isEmpty }).data);
  const count = counted && (counted.sessionFacets?.count ?? 0);
  const isOpen = (row: SessionRow) => row.id === sessionId || row.sessionId === sessionId;
  return (
    <Explorer
      {...page.explorer}
      onOpen={openSession}
      isOpen={isOpen}
      cellValueOf={sessionCell}
      counting={figures.isPlaceholderData || turns.isPlaceholderData || facets.isPlaceholderData}
      total={count}
      strip={{
        counted: "turns",
        bins: projectOf(turns.data)?.sessionTurnTimeSeries.data,
        problem: turns.error?.message ?? null,
        of: strip,
      }}
      stats={sessionStats(counted, projectOf(cost.data)?.costSummary.total, {
        onErrors: () => state.setCondition(withPart(state.condition, FAILED)),
        onTurns: () => page.sortBy("numTraces"),
        onDear: () => page.sortBy("costTotal"),
      })}
      facets={{
        groups: sessionFacetGroups(facets.data && projectOf(facets.data)?.sessionFacets),
        problem: facets.error?.message ?? null,
      }}
      {...(mayWrite && { selection: page.selectionBy((props) => <SessionSelectionBar {...props} />, count) })}
      whenNone={
        any?.sessions.edges.length === 0 ? (
          <EmptyState title={text("sessions.none")}>{text("sessions.none.text")}</EmptyState>
        ) : undefined
      }
      over={(rows) =>
        sessionId !== null && (
          <OverList rows={rows} isOpen={isOpen} onOpen={openSession} onClose={closeSession} reading>
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

interface StatActions {
  readonly onErrors: () => void;
  readonly onTurns: () => void;
  readonly onDear: () => void;
}

function sessionStats(
  counted: SessionFiguresAnswer | undefined,
  spent: { readonly cost: number | null } | undefined,
  { onErrors, onTurns, onDear }: StatActions,
): readonly Stat[] {
  const figures = counted && (counted.sessionFacets ?? { count: 0, errorCount: 0 });
  return [
    { label: text("sessions.stat.sessions"), value: figures && formatCount(figures.count) },
    errorStat(figures, text("sessions.stat.errors"), text("sessions.stat.errors.hint"), onErrors),
    {
      label: text("sessions.stat.turns"),
      value: counted && formatMean(counted.averageTracesPerSession),
      hint: text("sessions.stat.turns.hint"),
      onClick: onTurns,
    },
    { label: text("sessions.stat.duration"), value: counted && formatDuration(counted.p50) },
    costStat(spent, text("costs.stat.sessions.hint"), onDear),
  ];
}
