// The experiments of a dataset: how far they are, what they score, and the way to compare them.
import { Download, Ellipsis, Flag, Pencil, SquareTerminal, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useLocation } from "wouter";
import { Button, IconButton, LinkButton } from "../../../kit/Button.tsx";
import { Menu, MenuItem, MenuLink, MenuSeparator } from "../../../kit/Menu.tsx";
import { EmptyState, FailedState } from "../../../kit/States.tsx";
import { showToast } from "../../../kit/Toast.tsx";
import { ColumnsMenu } from "../../../kit/table/ColumnsMenu.tsx";
import { DataTable } from "../../../kit/table/DataTable.tsx";
import { Late, late } from "../../../lib/late.tsx";
import { linkTo } from "../../../lib/links.ts";
import { useGraphqlMutation, useGraphqlPages } from "../../../lib/queries.ts";
import { queryText } from "../../../lib/rest.ts";
import { useRights } from "../../../lib/viewer.ts";
import { text } from "../../../texts/texts.ts";
import { linkToComparison } from "./comparison-link.ts";
import { ExperimentCharts } from "./ExperimentCharts.tsx";
import { DeleteExperimentsDialog, EditExperimentDialog } from "./ExperimentDialogs.tsx";
import styles from "./Experiments.module.css";
import { experimentColumns } from "./experiment-columns.tsx";
import { experimentList, experimentsOf, type ListedExperiment, setBaseline } from "./experiments.queries.ts";

const { Part: FirstExperiment } = late(() => import("./FirstExperiment.tsx"));

const AT_ONCE = 100;
const keyOf = ({ id }: ListedExperiment) => id;

interface ExperimentsProps {
  readonly datasetId: string;
}

export default function Experiments({ datasetId }: ExperimentsProps) {
  const [, navigate] = useLocation();
  const { mayWrite } = useRights();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<{
    readonly what: "edit" | "delete";
    readonly of: readonly ListedExperiment[];
  } | null>(null);
  const list = useGraphqlPages(experimentList, { id: datasetId, first: AT_ONCE, filter: null }, experimentsOf, {
    live: true,
    keepPrevious: true,
  });
  const { rows } = list;
  const baseline = useGraphqlMutation(setBaseline, ["experiments"]);
  const evaluations = useMemo(() => evaluationsOf(rows ?? []).join("\n"), [rows]);
  const columns = useMemo(() => {
    const mark = ({ id, name, isBaseline }: ListedExperiment) =>
      baseline.mutate(
        { id, baseline: !isBaseline },
        {
          onSuccess: () =>
            showToast(text(isBaseline ? "experiments.baseline.unset.done" : "experiments.baseline.done", { name })),
          onError: ({ message }) => showToast(message, "error"),
        },
      );
    return experimentColumns({
      datasetId,
      evaluations: evaluations === "" ? [] : evaluations.split("\n"),
      menu: (experiment) => (
        <Menu
          trigger={<IconButton small label={text("experiments.more", { name: experiment.name })} icon={<Ellipsis />} />}
        >
          <MenuLink file icon={<Download />} to={`v1/experiments/${encodeURIComponent(experiment.id)}/json`}>
            {text("experiments.export.json")}
          </MenuLink>
          <MenuLink file icon={<Download />} to={`v1/experiments/${encodeURIComponent(experiment.id)}/csv`}>
            {text("experiments.export.csv")}
          </MenuLink>
          {mayWrite && (
            <>
              <MenuSeparator />
              <MenuItem icon={<Flag />} onSelect={() => mark(experiment)}>
                {text(experiment.isBaseline ? "experiments.baseline.unset" : "experiments.baseline.set")}
              </MenuItem>
              <MenuItem icon={<Pencil />} onSelect={() => setAsked({ what: "edit", of: [experiment] })}>
                {text("experiments.edit")}
              </MenuItem>
              <MenuItem danger icon={<Trash2 />} onSelect={() => setAsked({ what: "delete", of: [experiment] })}>
                {text("experiments.delete")}
              </MenuItem>
            </>
          )}
        </Menu>
      ),
    });
  }, [datasetId, evaluations, mayWrite, baseline.mutate]);
  if (list.error !== null && rows === undefined) return <FailedState failure={list.error} onRetry={list.refetch} />;
  if (rows?.length === 0) return <NoExperiments datasetId={datasetId} />;
  const chosen = rows?.filter(({ id }) => selected.has(id)) ?? [];
  const close = () => setAsked(null);
  return (
    <>
      {rows !== undefined && (
        <>
          <ExperimentCharts experiments={rows} directions={list.first?.experimentMeasureDirections ?? []} />
          <Toolbar
            rows={rows}
            chosen={chosen}
            datasetId={datasetId}
            columns={columns}
            onDelete={mayWrite ? () => setAsked({ what: "delete", of: chosen }) : null}
            onClear={() => setSelected(new Set())}
          />
        </>
      )}
      <DataTable
        name="experiments"
        label={text("experiments.title")}
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        onOpen={({ id }) => navigate(linkToComparison(datasetId, [id]))}
        selected={selected}
        onSelect={setSelected}
        onEnd={list.loadMore}
        loadingMore={list.loadingMore}
      />
      {asked?.what === "edit" && <EditExperimentDialog experiment={asked.of[0]!} onClose={close} />}
      {asked?.what === "delete" && (
        <DeleteExperimentsDialog experiments={asked.of} onClose={close} onDone={() => setSelected(new Set())} />
      )}
    </>
  );
}

/** To the playground, which runs prompts over it. */
function RunLink({ datasetId }: ExperimentsProps) {
  return (
    <LinkButton icon={<SquareTerminal />} to={linkTo("playground") + queryText({ dataset: datasetId })}>
      {text("experiments.run")}
    </LinkButton>
  );
}

function NoExperiments({ datasetId }: ExperimentsProps) {
  const { mayWrite } = useRights();
  return (
    // A region that scrolls must be reachable by keys.
    <section className={styles.empty} aria-label={text("experiments.title")} tabIndex={0}>
      <EmptyState title={text("experiments.empty.title")} action={mayWrite && <RunLink datasetId={datasetId} />}>
        {text("experiments.empty.text")}
      </EmptyState>
      <Late>
        <FirstExperiment datasetId={datasetId} />
      </Late>
    </section>
  );
}

/** By name. */
function evaluationsOf(rows: readonly ListedExperiment[]): readonly string[] {
  return [
    ...new Set(rows.flatMap(({ annotationSummaries }) => annotationSummaries.map((each) => each.annotationName))),
  ].sort();
}

interface ToolbarProps {
  readonly rows: readonly ListedExperiment[];
  readonly chosen: readonly ListedExperiment[];
  readonly datasetId: string;
  readonly columns: ReturnType<typeof experimentColumns>;
  readonly onDelete: (() => void) | null;
  readonly onClear: () => void;
}

function Toolbar({ rows, chosen, datasetId, columns, onDelete, onClear }: ToolbarProps) {
  const [, navigate] = useLocation();
  if (chosen.length === 0) {
    return (
      <div className={styles.bar}>
        <span className={styles.note}>{text("experiments.count", { count: rows.length })}</span>
        {onDelete !== null && <RunLink datasetId={datasetId} />}
        <ColumnsMenu table="experiments" columns={columns} />
      </div>
    );
  }
  // The baseline is what others are compared with; without one the oldest is.
  const ordered = [...chosen].sort(
    (one, other) => Number(other.isBaseline) - Number(one.isBaseline) || one.sequenceNumber - other.sequenceNumber,
  );
  return (
    <div role="toolbar" aria-label={text("experiments.selected", { count: chosen.length })} className={styles.bar}>
      <span className={styles.note}>{text("experiments.selected", { count: chosen.length })}</span>
      {onDelete !== null && <Button onClick={onDelete}>{text("experiments.delete")}</Button>}
      <Button look="quiet" onClick={onClear}>
        {text("experiments.clear")}
      </Button>
      <Button
        look="main"
        onClick={() =>
          navigate(
            linkToComparison(
              datasetId,
              ordered.map(({ id }) => id),
            ),
          )
        }
      >
        {text("experiments.compare")}
      </Button>
    </div>
  );
}
