// Above a comparison: its experiments with their letters, and what is shown of them how.
import { Plus, X } from "lucide-react";
import { IconButton } from "../../../kit/Button.tsx";
import { Segmented, Select } from "../../../kit/Field.tsx";
import { Menu, MenuItem } from "../../../kit/Menu.tsx";
import { SeriesDot } from "../../../kit/SeriesDot.tsx";
import { nodesOf } from "../../../lib/graphql.ts";
import { useGraphql } from "../../../lib/queries.ts";
import { text } from "../../../texts/texts.ts";
import styles from "./CompareBar.module.css";
import { comparableExperiments } from "./comparison.queries.ts";
import { measureName } from "./measure-words.ts";
import { orders, outcomeFilters } from "./measures.ts";
import { RunFilter } from "./RunFilter.tsx";
import {
  type ComparedProps,
  type Comparison,
  EXPERIMENT_ID,
  heights,
  references,
  thresholds,
  views,
} from "./use-comparison.ts";

export function CompareBar(props: Omit<ComparedProps, "measured">) {
  const { datasetId, experiments, comparison, measures, measure } = props;
  const { view, threshold, set } = comparison;
  const ids = experiments.map(({ id }) => id);
  const choose = (next: readonly string[]) => set({ [EXPERIMENT_ID]: next, alone: null });
  return (
    <div className={styles.bar}>
      <div className={styles.line}>
        <ul className={styles.experiments} aria-label={text("experiments.title")}>
          {experiments.map(({ id, index, listed }) => (
            <li key={id} className={styles.experiment}>
              <Menu
                align="start"
                trigger={
                  <button type="button" className={styles.chip} title={listed.name}>
                    <SeriesDot index={index} />
                    <bdi className={styles.name}>{listed.name}</bdi>
                    <span className={styles.number}>#{listed.sequenceNumber}</span>
                    {index === 0 && <span className={styles.base}>{text("experiments.compare.base")}</span>}
                  </button>
                }
              >
                <MenuItem disabled={index === 0} onSelect={() => choose([id, ...ids.filter((each) => each !== id)])}>
                  {text("experiments.compare.rebase")}
                </MenuItem>
                <MenuItem
                  icon={<X />}
                  disabled={ids.length === 1}
                  onSelect={() => choose(ids.filter((each) => each !== id))}
                >
                  {text("experiments.compare.remove")}
                </MenuItem>
              </Menu>
            </li>
          ))}
          <li>
            <AddMenu datasetId={datasetId} ids={ids} onAdd={(id) => choose([...ids, id])} />
          </li>
        </ul>
        <Segmented
          label={text("experiments.view")}
          value={view}
          choices={views.map((value) => ({ value, label: text(`experiments.view.${value}`) }))}
          onChange={(next) => set({ view: next === "grid" ? null : next })}
        />
      </div>
      <div className={styles.line}>
        <div className={styles.filter}>
          <RunFilter ids={ids} comparison={comparison} />
        </div>
        <div className={styles.controls}>
          {view === "plots" && <MeasureSelect measures={measures} measure={measure} set={set} />}
          {(view === "grid" || view === "list") && (
            <RowControls experiments={experiments} comparison={comparison} measures={measures} measure={measure} />
          )}
          {view !== "plots" && experiments.length > 1 && measures.some(({ evaluation }) => evaluation !== null) && (
            <Select
              labelHidden
              label={text("experiments.threshold")}
              value={String(threshold)}
              choices={thresholds.map((value) => ({
                value,
                label:
                  value === "0" ? text("experiments.threshold.any") : text("experiments.threshold.over", { value }),
              }))}
              onChange={(next) => set({ threshold: next === "0" ? null : next })}
            />
          )}
        </div>
      </div>
    </div>
  );
}

type RowControlsProps = Omit<ComparedProps, "datasetId" | "measured">;

/** Which rows, in which order, and how much of them. */
function RowControls({ experiments, comparison, measures, measure }: RowControlsProps) {
  const { show, order, alone, reference, height, view, set } = comparison;
  return (
    <>
      <Select
        labelHidden
        label={text("experiments.show")}
        value={show}
        choices={outcomeFilters.map((value) => ({ value, label: text(`experiments.show.${value}`) }))}
        onChange={(next) => set({ show: next === "all" ? null : next })}
      />
      {experiments.length > 2 && view === "grid" && (
        <Select
          labelHidden
          label={text("experiments.alone")}
          value={alone ?? ""}
          choices={[
            { value: "", label: text("experiments.alone.any") },
            ...experiments.slice(1).map(({ id, listed }) => ({ value: id, label: listed.name })),
          ]}
          onChange={(next) => set({ alone: next })}
        />
      )}
      <Select
        labelHidden
        label={text("experiments.order")}
        value={order}
        choices={orders.map((value) => ({ value, label: text(`experiments.order.${value}`) }))}
        onChange={(next) => set({ order: next === "example" ? null : next })}
      />
      <MeasureSelect measures={measures} measure={measure} set={set} />
      {view === "grid" && (
        <>
          <Select
            labelHidden
            label={text("experiments.against")}
            value={reference}
            choices={references.map((value) => ({ value, label: text(`experiments.against.${value}`) }))}
            onChange={(next) => set({ against: next === "expected" ? null : next })}
          />
          <Segmented
            label={text("experiments.lines")}
            value={height}
            choices={heights.map((value) => ({ value, label: text(`experiments.lines.${value}`) }))}
            onChange={(next) => set({ lines: next === "6" ? null : next })}
          />
        </>
      )}
    </>
  );
}

type MeasureSelectProps = Pick<ComparedProps, "measures" | "measure"> & Pick<Comparison, "set">;

function MeasureSelect({ measures, measure, set }: MeasureSelectProps) {
  return (
    <Select
      labelHidden
      label={text("experiments.by")}
      value={measure.key}
      choices={measures.map((each) => ({
        value: each.key,
        label: text("experiments.by.name", { name: measureName(each) }),
      }))}
      onChange={(next) => set({ by: next })}
    />
  );
}

interface AddMenuProps {
  readonly datasetId: string;
  readonly ids: readonly string[];
  readonly onAdd: (id: string) => void;
}

function AddMenu({ datasetId, ids, onAdd }: AddMenuProps) {
  const { data } = useGraphql(comparableExperiments, { id: datasetId });
  const node = data?.node;
  const others = node != null && "experiments" in node ? nodesOf(node.experiments.edges) : [];
  const choices = others.filter(({ id }) => !ids.includes(id));
  return (
    <Menu
      align="start"
      trigger={<IconButton label={text("experiments.compare.add")} icon={<Plus />} disabled={choices.length === 0} />}
    >
      {choices.map(({ id, name, sequenceNumber }) => (
        <MenuItem key={id} onSelect={() => onAdd(id)}>
          {text("experiments.compare.choice", { name, number: String(sequenceNumber) })}
        </MenuItem>
      ))}
    </Menu>
  );
}
