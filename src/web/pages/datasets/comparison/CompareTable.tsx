// The grid of a comparison: a row for each example, a column for what is expected and for each experiment. In a narrow window the
// experiments are tabs.
import { type ReactNode, useMemo } from "react";
import { useNarrow } from "../../../kit/media.ts";
import { SeriesDot } from "../../../kit/SeriesDot.tsx";
import { type ComparedColumn, CompareGrid } from "../../../kit/table/CompareGrid.tsx";
import { text } from "../../../texts/texts.ts";
import styles from "./CompareTable.module.css";
import type { ComparedExperiment, ComparedRow } from "./compared.ts";
import { Delta } from "./Delta.tsx";
import { measureName, measureText } from "./measure-words.ts";
import { type Measure, measuredValue } from "./measures.ts";
import { OutputCell } from "./OutputCell.tsx";
import { readable } from "./readable.ts";
import type { Comparison } from "./use-comparison.ts";

export interface CompareTableProps {
  readonly experiments: readonly ComparedExperiment[];
  readonly comparison: Comparison;
  readonly measures: readonly Measure[];
  readonly list: {
    readonly rows: readonly ComparedRow[] | undefined;
    readonly loadMore: (() => void) | undefined;
    readonly loadingMore: boolean;
  };
  readonly onOpen: (row: ComparedRow) => void;
  readonly empty: ReactNode;
}

const keyOf = ({ id }: ComparedRow) => id;
/** Characters of a cell that shows some lines: more than fit into the widest. */
const CHARACTERS_A_LINE = 160;

export function CompareTable({ experiments, comparison, measures, list, onOpen, empty }: CompareTableProps) {
  const { height, reference, exampleId, alone, set } = comparison;
  const narrow = useNarrow();
  const lines = height === "all" ? null : Number(height);
  const most = lines === null ? Number.POSITIVE_INFINITY : lines * CHARACTERS_A_LINE;
  const first = useMemo(
    (): ComparedColumn<ComparedRow> => ({
      key: "example",
      head: <span className={styles.plain}>{text("experiments.example")}</span>,
      render: ({ input }) => <p className={styles.text}>{readable(input).slice(0, most)}</p>,
    }),
    [most],
  );
  const shown = experiments.find(({ id }) => id === alone) ?? experiments.at(-1)!;
  const columns = useMemo((): readonly ComparedColumn<ComparedRow>[] => {
    const ofExperiment = (experiment: ComparedExperiment): ComparedColumn<ComparedRow> => ({
      key: experiment.id,
      head: <ExperimentHead experiment={experiment} base={experiments[0]!} measures={measures} />,
      render: (row) => <OutputCell row={row} at={experiment.index} {...{ measures, reference, most }} />,
    });
    if (narrow) return [ofExperiment(shown)];
    const expected: ComparedColumn<ComparedRow> = {
      key: "expected",
      head: <span className={styles.plain}>{text("experiments.expected")}</span>,
      render: (row) => <p className={styles.text}>{readable(row.expected).slice(0, most)}</p>,
    };
    return [expected, ...experiments.map(ofExperiment)];
  }, [experiments, measures, reference, most, narrow, shown]);
  return (
    <>
      {narrow && (
        <div role="tablist" aria-label={text("experiments.title")} className={styles.tabs}>
          {experiments.map(({ id, index, listed }) => (
            <button
              key={id}
              type="button"
              role="tab"
              aria-selected={id === shown.id}
              className={styles.tab}
              onClick={() => set({ alone: id }, "replace")}
            >
              <SeriesDot index={index} />
              <bdi>{listed.name}</bdi>
            </button>
          ))}
        </div>
      )}
      <CompareGrid
        label={text("experiments.compare.title")}
        first={first}
        columns={columns}
        rows={list.rows}
        keyOf={keyOf}
        onOpen={onOpen}
        openKey={exampleId}
        lines={lines}
        onEnd={list.loadMore}
        loadingMore={list.loadingMore}
        empty={empty}
      />
    </>
  );
}

interface ExperimentHeadProps {
  readonly experiment: ComparedExperiment;
  readonly base: ComparedExperiment;
  readonly measures: readonly Measure[];
}

/** Its name, and its means. */
function ExperimentHead({ experiment: { index, listed, figures }, base, measures }: ExperimentHeadProps) {
  return (
    <div className={styles.head}>
      <div className={styles.name}>
        <SeriesDot index={index} />
        <bdi>{listed.name}</bdi>
      </div>
      <div className={styles.figures}>
        {measures
          .filter((measure) => measuredValue(measure, figures) !== null)
          .map((measure) => (
            <span key={measure.key}>
              <span className={styles.label}>{measureName(measure)}</span>{" "}
              {measureText(measure, measuredValue(measure, figures))}{" "}
              {index > 0 && <Delta measure={measure} base={base.figures} other={figures} />}
            </span>
          ))}
      </div>
    </div>
  );
}
