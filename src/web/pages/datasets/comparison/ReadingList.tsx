// One experiment of a comparison, read by itself: what was asked, what was expected, what came out, at what price.
import { useMemo } from "react";
import { SeriesDot } from "../../../kit/SeriesDot.tsx";
import { type Column, DataTable } from "../../../kit/table/DataTable.tsx";
import { text } from "../../../texts/texts.ts";
import type { CompareTableProps } from "./CompareTable.tsx";
import { type ComparedExperiment, type ComparedRow, figuresOf } from "./compared.ts";
import type { ComparedRun } from "./comparison.queries.ts";
import { measureName, measureText } from "./measure-words.ts";
import { type Measure, measuredValue } from "./measures.ts";
import styles from "./ReadingList.module.css";
import { outputOf, readable } from "./readable.ts";
import { figuresOfRun, leadingRun } from "./repetitions.ts";

/** Characters of a cell: more than fit into the widest. */
const CELL_CHARACTERS = 300;
const keyOf = ({ id }: ComparedRow) => id;

export function ReadingList(props: CompareTableProps) {
  const { experiments, comparison, measures, measure, list, onOpen, empty } = props;
  const { alone, exampleId, show, order, set } = comparison;
  const shown = experiments.find(({ id }) => id === alone) ?? experiments[0]!;
  const columns = useMemo(
    () => columnsOf(shown, measures, (runs) => leadingRun(runs, { measure, show, order })),
    [shown, measures, measure, show, order],
  );
  return (
    <>
      <div className={styles.bar} role="group" aria-label={text("experiments.list.of")}>
        {experiments.map(({ id, index, listed }) => (
          <button
            key={id}
            type="button"
            aria-pressed={id === shown.id}
            className={styles.choice}
            onClick={() => set({ alone: id }, "replace")}
          >
            <SeriesDot index={index} />
            <bdi>{listed.name}</bdi>
          </button>
        ))}
      </div>
      <DataTable
        name="comparison"
        label={text("experiments.list.of")}
        columns={columns}
        rows={list.rows}
        keyOf={keyOf}
        onOpen={onOpen}
        openKey={exampleId}
        onEnd={list.loadMore}
        loadingMore={list.loadingMore}
        toneOf={({ groups }) => (groups[shown.index]?.runs.some(({ error }) => error !== null) ? "error" : undefined)}
        empty={empty}
      />
    </>
  );
}

function columnsOf(
  { index }: ComparedExperiment,
  measures: readonly Measure[],
  leading: (runs: readonly ComparedRun[]) => number,
): readonly Column<ComparedRow>[] {
  const runsOf = ({ groups }: ComparedRow) => groups[index]?.runs ?? [];
  const runOf = (row: ComparedRow) => runsOf(row)[leading(runsOf(row))];
  /** Of several repetitions those of the one that is read. */
  const shownFigures = (row: ComparedRow) => {
    const run = runOf(row);
    return run === undefined || runsOf(row).length === 1 ? figuresOf(row.groups[index]) : figuresOfRun(run);
  };
  return [
    {
      key: "example",
      title: text("experiments.example"),
      width: 240,
      grow: 1,
      pinned: true,
      render: ({ input }) => readable(input).slice(0, CELL_CHARACTERS),
    },
    {
      key: "expected",
      title: text("experiments.expected"),
      width: 240,
      grow: 1,
      render: ({ expected }) => readable(expected).slice(0, CELL_CHARACTERS),
    },
    {
      key: "output",
      title: text("experiments.output"),
      width: 280,
      grow: 2,
      render: (row) => {
        const [run, count] = [runOf(row), runsOf(row).length];
        const shown = (run?.error ?? readable(outputOf(run))).slice(0, CELL_CHARACTERS);
        if (run === undefined || count === 1) return shown;
        return `${text("experiments.repetition", { at: runsOf(row).indexOf(run) + 1, count })} ${shown}`;
      },
    },
    ...measures.map(
      (measure): Column<ComparedRow> => ({
        key: measure.key,
        title: measureName(measure),
        width: 90,
        align: "end",
        render: (row) => measureText(measure, measuredValue(measure, shownFigures(row))),
      }),
    ),
  ];
}
