// The columns of the table of experiments; one for each evaluation that one of them has.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { Badge } from "../../../kit/States.tsx";
import { Time } from "../../../kit/Time.tsx";
import type { Column } from "../../../kit/table/DataTable.tsx";
import { agoColumn, badgesColumn, menuColumn, Quiet } from "../../../kit/table/thing-columns.tsx";
import { formatCompact, formatCost, formatCount, formatDuration, formatShare, NOTHING } from "../../../lib/format.ts";
import { nodesOf } from "../../../lib/graphql.ts";
import { linkTo } from "../../../lib/links.ts";
import { queryText } from "../../../lib/rest.ts";
import { text } from "../../../texts/texts.ts";
import { scoreText } from "../comparison/measure-words.ts";
import { linkToComparison } from "./comparison-link.ts";
import styles from "./Experiments.module.css";
import type { ListedExperiment } from "./experiments.queries.ts";

interface ColumnNeeds {
  readonly datasetId: string;
  readonly evaluations: readonly string[];
  /** What can be done with one. */
  readonly menu: (experiment: ListedExperiment) => ReactNode;
}

export function experimentColumns({ datasetId, evaluations, menu }: ColumnNeeds): readonly Column<ListedExperiment>[] {
  return [
    {
      key: "name",
      title: text("experiments.name"),
      width: 260,
      grow: 2,
      pinned: true,
      narrow: "title",
      render: ({ id, sequenceNumber, name, description, isBaseline }) => (
        <span className={styles.title}>
          <span className={styles.number}>#{sequenceNumber}</span>
          <Link href={linkToComparison(datasetId, [id])} tabIndex={-1} className={styles.name}>
            {name}
          </Link>
          {isBaseline && <Badge tone="accent">{text("experiments.baseline")}</Badge>}
          {description && <span className={styles.quiet}>{description}</span>}
        </span>
      ),
    },
    {
      key: "progress",
      title: text("experiments.runs"),
      width: 200,
      align: "end",
      narrow: "aside",
      render: (experiment) => <Progress {...experiment} />,
    },
    ...evaluations.map(
      (name): Column<ListedExperiment> => ({
        key: `score ${name}`,
        title: name,
        width: 100,
        align: "end",
        narrow: "line",
        render: ({ annotationSummaries }) =>
          scoreText(annotationSummaries.find(({ annotationName }) => annotationName === name)?.meanScore ?? null),
      }),
    ),
    {
      key: "latency",
      title: text("experiments.measure.latency"),
      width: 90,
      align: "end",
      narrow: "line",
      render: ({ averageRunLatencyMs }) => formatDuration(averageRunLatencyMs),
    },
    {
      key: "tokens",
      title: text("experiments.measure.tokens"),
      width: 80,
      align: "end",
      render: ({ costSummary }) => formatCompact(costSummary.total.tokens),
    },
    {
      key: "cost",
      title: text("experiments.measure.cost"),
      width: 80,
      align: "end",
      hidden: true,
      render: ({ costSummary }) => formatCost(costSummary.total.cost),
    },
    {
      key: "errors",
      title: text("experiments.errors"),
      width: 80,
      align: "end",
      render: ({ errorRate }) =>
        errorRate === null ? (
          NOTHING
        ) : (
          <span className={errorRate > 0 ? styles.failed : ""}>{formatShare(errorRate)}</span>
        ),
    },
    ...aboutColumns(datasetId),
    menuColumn(62, menu),
  ];
}

/** What it was made of, when and by whom. */
function aboutColumns(datasetId: string): readonly Column<ListedExperiment>[] {
  return [
    {
      key: "version",
      title: text("experiments.version"),
      width: 110,
      align: "end",
      render: ({ datasetVersion: { id, createdAt } }) => (
        <Link
          href={linkTo("examples", { datasetId }) + queryText({ version: id })}
          tabIndex={-1}
          className={styles.link}
        >
          <Time at={createdAt} relative />
        </Link>
      ),
    },
    badgesColumn({
      key: "splits",
      title: text("datasets.splits"),
      width: 120,
      of: ({ datasetSplits }) => nodesOf(datasetSplits.edges),
    }),
    {
      key: "repetitions",
      title: text("experiments.repetitions"),
      width: 90,
      align: "end",
      hidden: true,
      render: ({ repetitions }) => formatCount(repetitions),
    },
    {
      key: "by",
      title: text("experiments.author"),
      width: 110,
      hidden: true,
      render: ({ user }) => user?.username ?? <Quiet />,
    },
    agoColumn("created", text("datasets.created"), ({ createdAt }) => createdAt, { width: 110 }),
  ];
}

/** How many of its runs are there, with a bar and the number of those that are missing until all are. */
function Progress({ runCount, expectedRunCount }: Pick<ListedExperiment, "runCount" | "expectedRunCount">) {
  if (runCount >= expectedRunCount) return formatCount(runCount);
  const words = text("experiments.progress", { count: runCount, expected: expectedRunCount });
  return (
    <span className={styles.progress}>
      <progress value={runCount} max={expectedRunCount} aria-label={words} />
      <span>
        {words} ·{" "}
        <span className={styles.missing}>
          {text("experiments.missing", { count: formatCount(expectedRunCount - runCount) })}
        </span>
      </span>
    </span>
  );
}
