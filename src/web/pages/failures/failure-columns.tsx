// The columns of the failure groups.
import { Badge } from "../../kit/States.tsx";
import type { Column } from "../../kit/table/DataTable.tsx";
import { agoColumn, Quiet } from "../../kit/table/thing-columns.tsx";
import { formatCount } from "../../lib/format.ts";
import { textsOf } from "../../texts/texts.ts";
import styles from "./FailuresPage.module.css";
import { badgeOf, titleOf } from "./failure-words.ts";
import { failureTexts } from "./failures.late-texts.ts";
import type { ListedGroup } from "./failures.queries.ts";
import { Trend } from "./Trend.tsx";

const text = textsOf(failureTexts);

const countColumn = (key: "spans" | "traces" | "users", of: (row: ListedGroup) => number): Column<ListedGroup> => ({
  ...{ key, title: text(`failures.column.${key}`), width: 80, align: "end", narrow: "line" },
  render: (row) => formatCount(of(row)),
});

export const groupColumns: readonly Column<ListedGroup>[] = [
  {
    ...{ key: "failure", title: text("failures.column.failure"), width: 320, grow: 1, pinned: true, narrow: "title" },
    render: (row) => <Failure group={row} />,
  },
  {
    ...{ key: "trend", title: text("failures.column.trend"), width: 120 },
    render: ({ trend }) => <Trend points={trend} />,
  },
  countColumn("spans", ({ spanCount }) => spanCount),
  countColumn("traces", ({ traceCount }) => traceCount),
  countColumn("users", ({ userCount }) => userCount),
  {
    ...{ key: "version", title: text("failures.column.version"), width: 100 },
    render: ({ versions }) => <Quiet>{versions[0]?.version ?? undefined}</Quiet>,
  },
  agoColumn("last", text("failures.column.last"), ({ lastSeenAt }) => lastSeenAt, { width: 110, narrow: "aside" }),
];

function Failure({ group }: { readonly group: ListedGroup }) {
  const badge = badgeOf(group);
  return (
    <span className={styles.failure}>
      <b>{titleOf(group)}</b>
      {badge !== null && <Badge tone={badge.tone}>{badge.words}</Badge>}
      <bdi className={styles.message}>{group.message}</bdi>
    </span>
  );
}
