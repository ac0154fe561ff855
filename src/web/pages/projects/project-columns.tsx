// The columns of the projects table.
import { Link } from "wouter";
import { Time } from "../../kit/Time.tsx";
import type { Column } from "../../kit/table/DataTable.tsx";
import { formatCount, formatDuration, formatShare } from "../../lib/format.ts";
import { linkToOpening } from "../../lib/project-tab.ts";
import { text } from "../../texts/texts.ts";
import styles from "./ProjectsPage.module.css";
import type { FiguresOfProject, ListedProject } from "./projects.queries.ts";

export interface ProjectRow extends ListedProject {
  /** Undefined until they have come. */
  readonly figures: FiguresOfProject | undefined;
}

const pending = <span className={styles.pending} />;

/** Waits in place: a figure that is not there yet is no zero. */
function figure(row: ProjectRow, show: (figures: FiguresOfProject) => string) {
  return row.figures === undefined ? pending : show(row.figures);
}

export const projectColumns: readonly Column<ProjectRow>[] = [
  {
    key: "name",
    title: text("projects.name"),
    width: 240,
    grow: 2,
    pinned: true,
    sortable: true,
    narrow: "title",
    render: ({ id, name, description }) => (
      <>
        <Link href={linkToOpening(id)} tabIndex={-1} className={styles.name}>
          {name}
        </Link>
        {description && <span className={styles.description}>{description}</span>}
      </>
    ),
  },
  {
    key: "endTime",
    title: text("projects.activity"),
    width: 140,
    align: "end",
    sortable: true,
    narrow: "aside",
    render: ({ endTime }) =>
      endTime === null ? (
        <span className={styles.never}>{text("projects.never")}</span>
      ) : (
        <Time at={endTime} relative />
      ),
  },
  {
    key: "traces",
    title: text("projects.traces"),
    width: 110,
    align: "end",
    narrow: "line",
    render: (row) => figure(row, ({ traceCount }) => formatCount(traceCount)),
  },
  {
    key: "sessions",
    title: text("projects.sessions"),
    width: 110,
    align: "end",
    narrow: "line",
    render: (row) => figure(row, ({ sessionCount }) => formatCount(sessionCount)),
  },
  {
    key: "p50",
    title: text("projects.p50"),
    width: 110,
    align: "end",
    narrow: "line",
    render: (row) => figure(row, ({ latencyMsQuantile }) => formatDuration(latencyMsQuantile)),
  },
  {
    key: "errors",
    title: text("projects.errors"),
    width: 130,
    align: "end",
    narrow: "line",
    render: (row) => {
      if (row.figures === undefined) return pending;
      const { errorTraceCount: errors, traceCount } = row.figures;
      if (errors === 0) return <span className={styles.none}>0</span>;
      return (
        <span className={styles.errors}>
          {formatCount(errors)} <small>{formatShare(errors / traceCount)}</small>
        </span>
      );
    },
  },
];
