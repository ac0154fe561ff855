// The columns of the list of sessions.

import { CostCell } from "../../domain/costs/Cost.tsx";
import type { CellValue } from "../../explorer/cell-actions.tsx";
import { Failure, Preview, shortText, Title, Words } from "../../explorer/cells.tsx";
import { fieldFacet } from "../../explorer/facets.ts";
import { verdictCell } from "../../explorer/verdicts/verdict-columns.tsx";
import { Time } from "../../kit/Time.tsx";
import type { Column } from "../../kit/table/DataTable.tsx";
import { formatCompact, formatCount, formatDuration } from "../../lib/format.ts";
import { text } from "../../texts/texts.ts";
import type { SessionRow } from "./sessions.queries.ts";

const idFacet = fieldFacet("session_id");
const userFacet = fieldFacet("user.id");

/** What the menu of a cell is about. */
export function sessionCell(row: SessionRow, column: string): CellValue | null {
  const verdict = verdictCell("sessions", row.verdicts, column);
  if (verdict !== undefined) return verdict;
  switch (column) {
    case "session":
      return row.firstInput === null ? null : { value: row.firstInput.truncatedValue };
    case "output":
      return row.lastOutput === null ? null : { value: row.lastOutput.truncatedValue };
    case "user":
      return row.userId === null ? null : { value: row.userId, facet: userFacet };
    case "startTime":
    case "endTime":
      return { value: row[column] };
    default:
      return { value: row.sessionId, facet: idFacet };
  }
}

export function durationOf({ startTime, endTime }: Pick<SessionRow, "startTime" | "endTime">): number {
  return Date.parse(endTime) - Date.parse(startTime);
}

export const sessionColumns: readonly Column<SessionRow>[] = [
  {
    key: "session",
    title: text("sessions.session"),
    width: 220,
    grow: 2,
    pinned: true,
    narrow: "title",
    render: ({ sessionId, firstInputSaid, numTracesWithError }) => (
      <Title words={shortText(firstInputSaid, "input") || sessionId}>
        <Failure
          whole
          words={numTracesWithError === 0 ? null : text("sessions.errors.count", { count: numTracesWithError })}
        />
      </Title>
    ),
  },
  {
    key: "numTraces",
    title: text("sessions.turns"),
    width: 70,
    align: "end",
    sortable: true,
    narrow: "line",
    render: ({ numTraces }) => formatCount(numTraces),
  },
  {
    key: "output",
    title: text("sessions.output"),
    width: 150,
    grow: 2,
    narrow: "line",
    render: ({ lastOutputSaid }) => <Preview value={lastOutputSaid} side="output" />,
  },
  { key: "id", title: text("sessions.id"), width: 110, render: ({ sessionId }) => <Words>{sessionId}</Words> },
  {
    key: "errors",
    title: text("sessions.errors"),
    width: 96,
    align: "end",
    hidden: true,
    render: ({ numTracesWithError }) => (numTracesWithError === 0 ? "" : formatCount(numTracesWithError)),
  },
  {
    key: "duration",
    title: text("sessions.duration"),
    width: 108,
    align: "end",
    render: (row) => formatDuration(durationOf(row)),
  },
  {
    key: "tokenCountTotal",
    title: text("sessions.tokens"),
    width: 80,
    align: "end",
    sortable: true,
    render: ({ tokenUsage }) => (tokenUsage.total === 0 ? "" : formatCompact(tokenUsage.total)),
  },
  {
    key: "costTotal",
    title: text("costs.cost"),
    width: 80,
    align: "end",
    sortable: true,
    render: ({ id, costTotal, tokenUsage }) => <CostCell id={id} cost={costTotal} tokens={tokenUsage.total} />,
  },
  { key: "user", title: text("sessions.user"), width: 100, render: ({ userId }) => <Words>{userId}</Words> },
  {
    key: "startTime",
    title: text("sessions.started"),
    width: 132,
    align: "end",
    sortable: true,
    // The duration says it as well as a second time does.
    hidden: true,
    render: ({ startTime }) => <Time at={startTime} />,
  },
  {
    key: "endTime",
    title: text("sessions.active"),
    width: 132,
    align: "end",
    sortable: true,
    narrow: "aside",
    render: ({ endTime }) => <Time at={endTime} />,
  },
];
