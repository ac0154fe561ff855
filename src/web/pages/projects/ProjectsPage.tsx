// All projects: where the work is, and where it fails. The pattern for pages with a list.
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../../kit/Button.tsx";
import { TimeRangeControl } from "../../kit/TimeRangeControl.tsx";
import { ColumnsMenu } from "../../kit/table/ColumnsMenu.tsx";
import { SearchList, useSearchText } from "../../kit/table/SearchList.tsx";
import { useSort, useTimeRange } from "../../lib/address.ts";
import { useDebounced } from "../../lib/debounced.ts";
import { linkToOpening } from "../../lib/project-tab.ts";
import { useGraphql } from "../../lib/queries.ts";
import { LiveRange } from "../../lib/time-range.ts";
import { useRights } from "../../lib/viewer.ts";
import { LiveButton } from "../../shell/LiveButton.tsx";
import { Page } from "../../shell/Page.tsx";
import { text } from "../../texts/texts.ts";
import { NewProjectDialog } from "./NewProjectDialog.tsx";
import { type ProjectRow, projectColumns } from "./project-columns.tsx";
import { projectFigures, projectList } from "./projects.queries.ts";

const AT_ONCE = 1000;
const keyOf = ({ id }: ProjectRow) => id;
const searching = {
  label: "projects.search",
  none: (search: string) => ({
    title: text("projects.none.title"),
    text: text("projects.none.text", { search }),
  }),
} as const;

export default function ProjectsPage() {
  const [, navigate] = useLocation();
  const [range, setRange] = useTimeRange();
  const [sort, setSort] = useSort(["name", "endTime"], { key: "endTime", direction: "desc" });
  const [creating, setCreating] = useState(false);
  const search = useDebounced(useSearchText());
  const { mayWrite } = useRights();

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
      <SearchList
        name="projects"
        label={text("projects.title")}
        columns={projectColumns}
        list={{ rows, error: list.error, refetch: list.refetch }}
        problem={figures.error?.message}
        keyOf={keyOf}
        onOpen={({ id }) => navigate(linkToOpening(id))}
        sort={sort}
        onSort={({ key, direction }) => setSort({ key: key === "name" ? "name" : "endTime", direction })}
        search={searching}
        note={(count) => count !== undefined && text("projects.count", { count })}
        empty={{ title: text("projects.empty.title"), text: text("projects.empty.text") }}
        actions={
          <>
            <ColumnsMenu table="projects" columns={projectColumns} />
            {mayWrite && (
              <Button look="main" icon={<Plus />} onClick={() => setCreating(true)}>
                {text("projects.new")}
              </Button>
            )}
          </>
        }
      />
      <NewProjectDialog open={creating} onClose={() => setCreating(false)} />
    </Page>
  );
}
