// All projects: where the work is, and where it fails. The pattern for pages with a list.
import { Plus, Search } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../../kit/Button.tsx";
import { TextField } from "../../kit/Field.tsx";
import { useShortcut } from "../../kit/keys.ts";
import { EmptyState, FailedState, Notice } from "../../kit/States.tsx";
import { TimeRangeControl } from "../../kit/TimeRangeControl.tsx";
import { ColumnsMenu } from "../../kit/table/ColumnsMenu.tsx";
import { DataTable } from "../../kit/table/DataTable.tsx";
import { useAddress, useSort, useTimeRange } from "../../lib/address.ts";
import { useDebounced } from "../../lib/debounced.ts";
import { linkToProject } from "../../lib/links.ts";
import { useGraphql } from "../../lib/queries.ts";
import { LiveRange } from "../../lib/time-range.ts";
import { useRights } from "../../lib/viewer.ts";
import { LiveButton } from "../../shell/LiveButton.tsx";
import { Page } from "../../shell/Page.tsx";
import { text } from "../../texts/texts.ts";
import { NewProjectDialog } from "./NewProjectDialog.tsx";
import styles from "./ProjectsPage.module.css";
import { type ProjectRow, projectColumns } from "./project-columns.tsx";
import { projectFigures, projectList } from "./projects.queries.ts";

const AT_ONCE = 1000;
const keyOf = ({ id }: ProjectRow) => id;

export default function ProjectsPage() {
  const address = useAddress();
  const [, navigate] = useLocation();
  const [range, setRange] = useTimeRange();
  const [sort, setSort] = useSort(["name", "endTime"], { key: "endTime", direction: "desc" });
  const [creating, setCreating] = useState(false);
  const search = useDebounced(address.get("search") ?? "");
  const searchField = useRef<HTMLInputElement>(null);
  const { mayWrite } = useRights();
  useShortcut({ keys: "/", label: "keys.filter", group: "keys.list", run: () => searchField.current?.focus() });

  const variables = {
    first: AT_ONCE,
    filter: search === "" ? null : { col: "name" as const, value: search },
    sort: { col: sort.key, dir: sort.direction },
  };
  const timeRange = useMemo(() => new LiveRange(range), [range]);
  const list = useGraphql(projectList, variables, { keepPrevious: true, live: "slowly" });
  const figures = useGraphql(projectFigures, { ...variables, timeRange }, { keepPrevious: true, live: "slowly" });

  const rows = useMemo(() => {
    const byId = new Map(figures.data?.projects.edges.map(({ node }) => [node.id, node]));
    return list.data?.projects.edges.map(({ node }) => ({ ...node, figures: byId.get(node.id) }));
  }, [list.data, figures.data]);

  return (
    <Page
      title={text("projects.title")}
      actions={
        <>
          <TimeRangeControl range={range} onChange={setRange} />
          <LiveButton />
        </>
      }
    >
      <div className={styles.bar}>
        <div className={styles.search}>
          <TextField
            label={text("projects.search")}
            labelHidden
            type="search"
            placeholder={text("projects.search")}
            icon={<Search />}
            inputRef={searchField}
            value={address.get("search") ?? ""}
            onChange={(value) => address.set({ search: value }, "replace")}
          />
        </div>
        <span className={styles.count}>{rows !== undefined && text("projects.count", { count: rows.length })}</span>
        <ColumnsMenu table="projects" columns={projectColumns} />
        {mayWrite && (
          <Button look="main" icon={<Plus />} onClick={() => setCreating(true)}>
            {text("projects.new")}
          </Button>
        )}
      </div>
      {figures.error && rows !== undefined && <Notice tone="error">{figures.error.message}</Notice>}
      {list.error && rows === undefined ? (
        <FailedState failure={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <DataTable
          name="projects"
          label={text("projects.title")}
          columns={projectColumns}
          rows={rows}
          keyOf={keyOf}
          onOpen={({ id }) => navigate(linkToProject(id))}
          sort={sort}
          onSort={({ key, direction }) => setSort({ key: key === "name" ? "name" : "endTime", direction })}
          empty={
            <EmptyState
              title={text("projects.none.title")}
              action={<Button onClick={() => address.set({ search: null })}>{text("projects.none.action")}</Button>}
            >
              {text("projects.none.text", { search })}
            </EmptyState>
          }
        />
      )}
      <NewProjectDialog open={creating} onClose={() => setCreating(false)} />
    </Page>
  );
}
