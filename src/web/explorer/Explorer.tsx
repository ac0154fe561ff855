// The page of a list: facets beside it, then traffic and figures, the filter, the rows. Traces, spans and sessions are three of it.
import { ArrowUp } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import type { ViewTab } from "../../model/saved-view.ts";
import type { Vocabulary } from "../domain/filter/completion.ts";
import { FilterBar } from "../domain/filter/FilterBar.tsx";
import type { CheckDocument } from "../domain/filter/use-check.ts";
import { Button } from "../kit/Button.tsx";
import { classes } from "../kit/classes.ts";
import { EmptyState, FailedState, Notice } from "../kit/States.tsx";
import { useRangeText } from "../kit/TimeRangeControl.tsx";
import { ColumnsMenu } from "../kit/table/ColumnsMenu.tsx";
import { type Column, DataTable } from "../kit/table/DataTable.tsx";
import type { Unfolding } from "../kit/table/unfolding.ts";
import type { Sort } from "../lib/address.ts";
import { Late, late } from "../lib/late.tsx";
import { text } from "../texts/texts.ts";
import { AttributeField } from "./AttributeField.tsx";
import { ChartStrip, type Strip } from "./ChartStrip.tsx";
import { type CellValue, cellActions } from "./cell-actions.tsx";
import { type CountedProgress, isAll } from "./counted.ts";
import { ExplainButton } from "./ExplainButton.tsx";
import styles from "./Explorer.module.css";
import { type FacetGroup, FacetSidebar, FacetsButton } from "./FacetSidebar.tsx";
import { LateOnboarding } from "./LateOnboarding.tsx";
import { ListEnd } from "./list-end.ts";
import { EndOnboarding, useNewcomer } from "./onboarding/use-newcomer.ts";
import { ProjectPage, useProject } from "./ProjectPage.tsx";
import { RangeActions } from "./RangeActions.tsx";
import { SearchLine } from "./SearchLine.tsx";
import { type Stat, StatsBar } from "./StatsBar.tsx";
import type { ExplorerState } from "./use-explorer-state.ts";
import { type ListSource, useList } from "./use-list.ts";
import type { Listing } from "./verdicts/use-verdicts.ts";
import { ViewsMenu } from "./views/ViewsMenu.tsx";

const { Part: Verdicts } = late(() => import("./verdicts/Verdicts.tsx"));

interface ExplorerProps<Row> {
  readonly projectId: string;
  readonly tab: ViewTab;
  readonly state: ExplorerState;
  readonly source: ListSource<Row>;
  readonly columns: readonly Column<Row>[];
  /** Rows of one name alone are shown without it. */
  readonly names?: {
    readonly of: (row: Row) => string;
    readonly without: (columns: readonly Column<Row>[], name: string) => readonly Column<Row>[];
  };
  /** Those that were seen: they can be added as columns. */
  readonly attributes?: readonly string[] | undefined;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly onOpen: (row: Row) => void;
  /** The row of what is open over the list. */
  readonly isOpen?: (row: Row) => boolean;
  /** What stands below the rows. */
  readonly unfolding?: Unfolding<Row>;
  /** What a cell says, for its menu; null for nothing. */
  readonly cellValueOf?: (row: Row, column: string) => CellValue | null;
  readonly stats: readonly Stat[];
  readonly strip: Strip;
  /** How far the search has come that the figures are of. */
  readonly counted?: CountedProgress;
  /** The figures, bars and facets are still those of what was listed before. */
  readonly counting?: boolean;
  readonly facets?: {
    readonly groups: readonly FacetGroup[];
    readonly problem: string | null;
    readonly note?: string | null;
  };
  /** What is listed, and how many rows that are; undefined while they are counted. */
  readonly listing: Listing;
  readonly total: number | undefined;
  readonly vocabulary: Vocabulary;
  readonly check: CheckDocument<{ readonly id: string }>;
  readonly selection?: {
    readonly selected: ReadonlySet<string>;
    readonly onSelect: (selected: ReadonlySet<string>) => void;
    readonly bar: (rows: readonly Row[]) => ReactNode;
  };
  /** In place of the rows while there is nothing of this kind in any range, where that is known. */
  readonly whenNone?: ReactNode;
  /** Over the list, which then has no facets beside it: what is open, with the rows it stands among. */
  readonly over?: (rows: readonly Row[]) => ReactNode;
}

export function Explorer<Row>(props: ExplorerProps<Row>) {
  const { projectId, tab, state, source, listing, total, stats, facets, selection, counting = false } = props;
  const { condition, setCondition, search, setSearch, range, setRange } = state;
  const { project } = useProject(projectId);
  const newcomer = useNewcomer(project);
  const [atTop, setAtTop] = useState(true);
  const list = useList(source, atTop);
  const columns = useColumns(props, list.rows);

  const verdicts = (as: "figures" | "facets" | "columns") => (
    <Late>
      <Verdicts
        {...{ as, list: tab, listing, total, condition, onCondition: setCondition }}
        isListed={list.rows !== undefined && !list.stale}
        atLeast={!isAll(props.counted)}
      />
    </Late>
  );
  const sidebar = facets && {
    note: null,
    ...facets,
    counting,
    condition,
    onCondition: setCondition,
    children: verdicts("facets"),
  };

  if (newcomer.isNew && !props.over?.([])) {
    return (
      <ProjectPage projectId={projectId} tab={tab}>
        <EndOnboarding value={newcomer.end}>
          <LateOnboarding />
        </EndOnboarding>
      </ProjectPage>
    );
  }
  const empty = props.whenNone ?? <NoRows state={state} />;
  const rows = list.rows;
  const over = props.over?.(rows ?? []);
  const openRow = props.isOpen && rows?.find(props.isOpen);
  const chosen = selection !== undefined && selection.selected.size > 0;

  return (
    <ProjectPage
      projectId={projectId}
      tab={tab}
      actions={<RangeActions range={range} onRange={setRange} onRefresh={list.refetch} />}
      aside={sidebar && !over && <FacetSidebar {...sidebar} />}
    >
      <div className={styles.strip}>
        <ChartStrip {...props.strip} counting={counting} onRange={setRange} />
        <StatsBar stats={stats} counting={counting} note={isAll(props.counted) ? null : text("explorer.stat.sofar")}>
          {verdicts("figures")}
        </StatsBar>
      </div>
      <div className={styles.filter}>
        {sidebar && <FacetsButton {...sidebar} />}
        <ViewsMenu projectId={projectId} tab={tab} />
        <div className={styles.bar}>
          <FilterBar
            name={tab}
            condition={condition}
            onCondition={setCondition}
            search={search}
            onSearch={setSearch}
            vocabulary={props.vocabulary}
            check={{ document: props.check, of: { id: projectId } }}
          />
        </div>
        {tab !== "sessions" && search === "" && (condition !== "" || range.preset === null) && (
          <ExplainButton {...{ projectId, state }} of={tab} />
        )}
        <ColumnsMenu table={tab} columns={columns}>
          {props.attributes && <AttributeField table={tab} seen={props.attributes} />}
          {verdicts("columns")}
        </ColumnsMenu>
      </div>
      {list.progress !== undefined && search !== "" && <SearchLine list={list} />}
      {list.error && rows !== undefined && <Notice tone="error">{list.error.message}</Notice>}
      {list.error && rows === undefined ? (
        <FailedState failure={list.error} onRetry={list.refetch} />
      ) : (
        <div
          className={classes(styles.table, list.stale && styles.stale)}
          onScrollCapture={(event) => setAtTop((event.target as HTMLElement).scrollTop < 8)}
        >
          {list.waiting > 0 && (
            <Button look="main" icon={<ArrowUp />} onClick={list.showWaiting}>
              {text("explorer.waiting", { count: list.waiting })}
            </Button>
          )}
          <DataTable
            name={tab}
            label={text(`explorer.tab.${tab}`)}
            columns={columns}
            rows={rows}
            keyOf={source.keyOf}
            onOpen={props.onOpen}
            openKey={openRow === undefined ? null : source.keyOf(openRow)}
            unfolding={props.unfolding}
            sort={props.sort}
            onSort={props.onSort}
            cellActions={(row, column) => {
              const value = props.cellValueOf?.(row, column) ?? null;
              return value === null ? [] : cellActions(state, value);
            }}
            {...(selection ? { selected: selection.selected, onSelect: selection.onSelect } : {})}
            onEnd={search === "" || list.progress === undefined ? list.loadMore : undefined}
            loadingMore={list.loadingMore}
            empty={search !== "" && list.progress?.complete === false ? null : empty}
          />
        </div>
      )}
      {chosen && selection.bar((rows ?? []).filter((row) => selection.selected.has(source.keyOf(row))))}
      <ListEnd value={list}>{over}</ListEnd>
    </ProjectPage>
  );
}

/** Nothing in the range, or nothing that matches, with the way out. */
function NoRows({ state }: { readonly state: ExplorerState }) {
  const rangeText = useRangeText(state.range);
  const narrowed = state.condition !== "" || state.search !== "";
  return (
    <EmptyState
      title={text(narrowed ? "explorer.none.match" : "explorer.none.range")}
      action={
        narrowed ? (
          <Button onClick={state.clear}>{text("filter.clear")}</Button>
        ) : (
          <Button onClick={() => state.setRange({ preset: "all" })}>{text("explorer.none.all")}</Button>
        )
      }
    >
      {text("explorer.none.text", { range: rangeText })}
    </EmptyState>
  );
}

/** Where all rows have one name, the columns that say it once. */
function useColumns<Row>({ names, columns }: ExplorerProps<Row>, rows: readonly Row[] | undefined) {
  const onlyName = names && rows && onlyOf(rows, names.of);
  return useMemo(
    () => (names === undefined || onlyName == null ? columns : names.without(columns, onlyName)),
    [names, onlyName, columns],
  );
}

/** What all of several rows have in common; null where they differ. */
function onlyOf<Row>(rows: readonly Row[], of: (row: Row) => string): string | null {
  const first = rows[0] === undefined || rows.length < 2 ? null : of(rows[0]);
  return first !== null && rows.every((row) => of(row) === first) ? first : null;
}
