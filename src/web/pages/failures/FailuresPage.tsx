// The failures of a project by their cause: reopened and new groups first, the state changed by keys.
import { CheckCheck, EyeOff, Merge, RotateCcw } from "lucide-react";
import { useMemo, useState } from "react";
import { useLocation, useParams } from "wouter";
import { projectOf } from "../../explorer/explorer.queries.ts";
import { ProjectPage } from "../../explorer/ProjectPage.tsx";
import { SelectionToolbar } from "../../explorer/SelectionToolbar.tsx";
import { Button } from "../../kit/Button.tsx";
import { Segmented } from "../../kit/Field.tsx";
import { useShortcut } from "../../kit/keys.ts";
import { Badge, EmptyState, FailedState } from "../../kit/States.tsx";
import { DataTable } from "../../kit/table/DataTable.tsx";
import { useAddress } from "../../lib/address.ts";
import type { ResultOf } from "../../lib/graphql.ts";
import { linkTo } from "../../lib/links.ts";
import { useGraphql, useGraphqlPages } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { text as pageText, textsOf } from "../../texts/texts.ts";
import styles from "./FailuresPage.module.css";
import { groupColumns } from "./failure-columns.tsx";
import { mostPressing } from "./failure-words.ts";
import { failureTexts } from "./failures.late-texts.ts";
import { failureGroupCounts, failureGroups, type ListedGroup } from "./failures.queries.ts";
import { trendRange } from "./trend-bars.ts";
import { useGroupChanges } from "./use-group-changes.ts";

const text = textsOf(failureTexts);
const views = ["open", "resolved", "ignored"] as const;
type View = (typeof views)[number];
const statesOf = {
  open: ["OPEN", "REOPENED"],
  resolved: ["RESOLVED"],
  ignored: ["IGNORED"],
} as const satisfies Readonly<Record<View, readonly string[]>>;

const AT_ONCE = 100;
const keyOf = ({ id }: ListedGroup) => id;
const groupsOf = ({ node }: ResultOf<typeof failureGroups>) =>
  node.__typename === "Project" ? node.failureGroups : null;

export default function FailuresPage() {
  const { projectId = "" } = useParams<{ projectId: string }>();
  const [, navigate] = useLocation();
  const address = useAddress();
  const view = views.find((each) => each === address.get("state")) ?? "open";
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const counts = projectOf(useGraphql(failureGroupCounts, { id: projectId }, { live: true }).data)?.failureGroupCounts;
  const list = useGraphqlPages(
    failureGroups,
    { id: projectId, states: [...statesOf[view]], first: AT_ONCE, trendRange },
    groupsOf,
    { live: true, keepPrevious: true },
  );
  const rows = useMemo(() => list.rows && mostPressing(list.rows), [list.rows]);
  const chosen = (rows ?? []).filter(({ id }) => selected.has(id));
  const { mayWrite } = useRights();
  const { change, merge } = useGroupChanges(() => setSelected(new Set()));
  /** Those that keys are about: the selected ones, else that where the keys are. */
  const meant = () => (chosen.length > 0 ? chosen : [focusedRow(rows ?? [])].filter((row) => row !== undefined));
  const group = "keys.list" as const;
  const resolve = () => change(meant(), "RESOLVED");
  const ignore = () => change(meant(), "IGNORED");
  useShortcut({ keys: "r", label: "failures.resolve", group, run: resolve }, mayWrite);
  useShortcut({ keys: "i", label: "failures.ignore", group, run: ignore }, mayWrite);
  useShortcut({ keys: "m", label: "failures.merge", group, run: () => merge(chosen) }, mayWrite && chosen.length > 1);

  return (
    <ProjectPage projectId={projectId} tab="failures">
      <div className={styles.head}>
        <Segmented
          label={text("failures.state")}
          value={view}
          choices={views.map((value) => ({
            value,
            label: text(`failures.state.${value}`, { count: counts?.[value] ?? "" }),
          }))}
          onChange={(value) => {
            setSelected(new Set());
            address.set({ state: value === "open" ? null : value });
          }}
        />
        {counts !== undefined && counts.reopened > 0 && (
          <Badge tone="error">{text("failures.reopened", { count: counts.reopened })}</Badge>
        )}
        {counts !== undefined && counts.new > 0 && (
          <Badge tone="accent">{text("failures.new", { count: counts.new })}</Badge>
        )}
      </div>
      {list.error !== null && rows === undefined ? (
        <FailedState failure={list.error} onRetry={list.refetch} />
      ) : (
        <DataTable
          name="failures"
          label={text("failures.groups")}
          columns={groupColumns}
          rows={rows}
          keyOf={keyOf}
          onOpen={({ id }) => navigate(linkTo("failureGroup", { projectId, groupId: id }))}
          {...(mayWrite ? { selected, onSelect: setSelected } : {})}
          onEnd={list.loadMore}
          loadingMore={list.loadingMore}
          empty={<EmptyState title={text("failures.none.title")}>{text(`failures.none.${view}`)}</EmptyState>}
        />
      )}
      {chosen.length > 0 && (
        <SelectionToolbar count={chosen.length} onDone={() => setSelected(new Set())}>
          {view === "open" ? (
            <>
              <Button icon={<CheckCheck />} shortcut="R" onClick={resolve}>
                {pageText("failures.resolve")}
              </Button>
              <Button icon={<EyeOff />} shortcut="I" onClick={ignore}>
                {pageText("failures.ignore")}
              </Button>
            </>
          ) : (
            <Button icon={<RotateCcw />} onClick={() => change(chosen, "OPEN")}>
              {text("failures.reopen")}
            </Button>
          )}
          {chosen.length > 1 && (
            <Button icon={<Merge />} shortcut="M" onClick={() => merge(chosen)}>
              {pageText("failures.merge")}
            </Button>
          )}
        </SelectionToolbar>
      )}
    </ProjectPage>
  );
}

/** The row that has the focus. */
function focusedRow(rows: readonly ListedGroup[]): ListedGroup | undefined {
  const index = document.activeElement?.closest<HTMLElement>("[data-index]")?.dataset.index;
  return index === undefined ? undefined : rows[Number(index)];
}
