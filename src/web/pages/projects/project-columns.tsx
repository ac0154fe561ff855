// The columns of the projects table.
import type { ReactNode } from "react";
import { Time } from "../../kit/Time.tsx";
import type { Column } from "../../kit/table/DataTable.tsx";
import { nameColumn, Quiet } from "../../kit/table/thing-columns.tsx";
import { formatCount, formatDuration, formatShare } from "../../lib/format.ts";
import { linkToOpening } from "../../lib/project-tab.ts";
import { text } from "../../texts/texts.ts";
import styles from "./ProjectsPage.module.css";
import type { FiguresOfProject, ListedProject } from "./projects.queries.ts";

export interface ProjectRow extends ListedProject {
  /** Undefined until they have come. */
  readonly figures: FiguresOfProject | undefined;
}

/** A figure of a project; it waits in place: one that is not there yet is no zero. */
function figureColumn(
  key: "traces" | "sessions" | "p50" | "errors",
  width: number,
  show: (figures: FiguresOfProject) => ReactNode,
): Column<ProjectRow> {
  return {
    key,
    title: text(`projects.${key}`),
    width,
    align: "end",
    narrow: "line",
    render: ({ figures }) => (figures === undefined ? <span className={styles.pending} /> : show(figures)),
  };
}

export const projectColumns: readonly Column<ProjectRow>[] = [
  nameColumn({
    title: text("projects.name"),
    width: 240,
    grow: 2,
    sortable: true,
    nameOf: ({ name }) => name,
    descriptionOf: ({ description }) => description,
    to: ({ id }) => linkToOpening(id),
  }),
  {
    key: "endTime",
    title: text("projects.activity"),
    width: 140,
    align: "end",
    sortable: true,
    narrow: "aside",
    render: ({ endTime }) =>
      endTime === null ? <Quiet>{text("projects.never")}</Quiet> : <Time at={endTime} relative />,
  },
  figureColumn("traces", 110, ({ traceCount }) => formatCount(traceCount)),
  figureColumn("sessions", 110, ({ sessionCount }) => formatCount(sessionCount)),
  figureColumn("p50", 110, ({ latencyMsQuantile }) => formatDuration(latencyMsQuantile)),
  figureColumn("errors", 130, ({ errorTraceCount: errors, traceCount }) =>
    errors === 0 ? (
      <Quiet>0</Quiet>
    ) : (
      <span className={styles.errors}>
        {formatCount(errors)} <small>{formatShare(errors / traceCount)}</small>
      </span>
    ),
  ),
];
