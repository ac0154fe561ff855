// One experiment of a comparison, read by itself: what was asked, what was expected, what came out, at what price.
import { useMemo } from "react";
import { SeriesDot } from "../../../kit/SeriesDot.tsx";
import { type Column, DataTable } from "../../../kit/table/DataTable.tsx";
import { text } from "../../../texts/texts.ts";
import type { CompareTableProps } from "./CompareTable.tsx";
import { type ComparedExperiment, type ComparedRow, figuresOf } from "./compared.ts";
import { measureName, measureText } from "./measure-words.ts";
import { type Measure, measuredValue } from "./measures.ts";
import styles from "./ReadingList.module.css";
import { outputOf, readable } from "./readable.ts";

/** Characters of a cell: more than fit into the widest. */
const CELL_CHARACTERS = 300;
const keyOf = ({ id }: ComparedRow) => id;

export function ReadingList({ experiments, comparison, measures, list, onOpen, empty }: CompareTableProps) {
  const { alone, exampleId, set } = comparison;
  const shown = experiments.find(({ id }) => id === alone) ?? experiments[0]!;
  const columns = useMemo(() => columnsOf(shown, measures), [shown, measures]);
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

function columnsOf({ index }: ComparedExperiment, measures: readonly Measure[]): readonly Column<ComparedRow>[] {
  const runOf = ({ groups }: ComparedRow) => groups[index]?.runs[0];
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
      render: (row) => (runOf(row)?.error ?? readable(outputOf(runOf(row)))).slice(0, CELL_CHARACTERS),
    },
    ...measures.map(
      (measure): Column<ComparedRow> => ({
        key: measure.key,
        title: measureName(measure),
        width: 90,
        align: "end",
        render: ({ groups }) => measureText(measure, measuredValue(measure, figuresOf(groups[index]))),
      }),
    ),
  ];
}
