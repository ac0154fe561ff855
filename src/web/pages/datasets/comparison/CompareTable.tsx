// The grid of a comparison: a row for each example, a column for what is expected and for each experiment. In a narrow window the
// experiments are tabs.
import { type ReactNode, useMemo } from "react";
import { useNarrow } from "../../../kit/media.ts";
import { SeriesDot } from "../../../kit/SeriesDot.tsx";
import { type ComparedColumn, CompareGrid } from "../../../kit/table/CompareGrid.tsx";
import { text } from "../../../texts/texts.ts";
import styles from "./CompareTable.module.css";
import type { ComparedExperiment, ComparedRow } from "./compared.ts";
import type { ComparedRun } from "./comparison.queries.ts";
import { Delta } from "./Delta.tsx";
import { measureName, measureText } from "./measure-words.ts";
import { type Measure, measuredValue } from "./measures.ts";
import { OutputCell } from "./OutputCell.tsx";
import { expectedBeside, outputOf, readable } from "./readable.ts";
import { leadingRun } from "./repetitions.ts";
import type { Comparison } from "./use-comparison.ts";

export interface CompareTableProps {
  readonly experiments: readonly ComparedExperiment[];
  readonly comparison: Comparison;
  readonly measures: readonly Measure[];
  /** The one that rows are narrowed and sorted by. */
  readonly measure: Measure;
  readonly list: {
    readonly rows: readonly ComparedRow[] | undefined;
    readonly loadMore: (() => void) | undefined;
    readonly loadingMore: boolean;
  };
  readonly onOpen: (row: ComparedRow) => void;
  readonly empty: ReactNode;
}

const keyOf = ({ id }: ComparedRow) => id;
const intoView = (tab: HTMLElement | null) => tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
/** Measures in the head of a column: the view of the measures has them all. */
const MOST_MEASURES = 5;
/** Characters of a cell that shows some lines: more than fit into the widest. */
const CHARACTERS_A_LINE = 160;

export function CompareTable(props: CompareTableProps) {
  const { experiments, comparison, measures: known, measure, list, onOpen, empty } = props;
  const { height, reference, by, show, order, exampleId, alone, set } = comparison;
  // The one that rows are sorted by stands first: where there is little space it is what is seen.
  const measures = useMemo(
    () => [...known].sort((one, other) => Number(other.key === by) - Number(one.key === by)),
    [known, by],
  );
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
    const leading = (runs: readonly ComparedRun[]) => leadingRun(runs, { measure, show, order });
    const ofExperiment = (experiment: ComparedExperiment): ComparedColumn<ComparedRow> => ({
      key: experiment.id,
      head: (
        <ExperimentHead experiment={experiment} base={experiments[0]!} measures={measures.slice(0, MOST_MEASURES)} />
      ),
      render: (row) => <OutputCell row={row} at={experiment.index} {...{ measures, leading, reference, most }} />,
    });
    if (narrow) return [ofExperiment(shown)];
    const expected: ComparedColumn<ComparedRow> = {
      key: "expected",
      head: <span className={styles.plain}>{text("experiments.expected")}</span>,
      render: (row) => <Expected row={row} most={most} />,
    };
    return [expected, ...experiments.map(ofExperiment)];
  }, [experiments, measures, measure, show, order, reference, most, narrow, shown]);
  return (
    <>
      {narrow && (
        <div role="tablist" aria-label={text("experiments.title")} className={styles.tabs}>
          {experiments.map(({ id, index, listed }) => (
            <button
              key={id}
              ref={id === shown.id ? intoView : null}
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

/** Its name, and its means, a line each: those of all experiments stand beside each other. */
function ExperimentHead({ experiment: { index, listed, figures }, base, measures }: ExperimentHeadProps) {
  return (
    <div className={styles.head}>
      <div className={styles.name} title={listed.name}>
        <SeriesDot index={index} />
        <bdi>{listed.name}</bdi>
      </div>
      {measures.map((measure) => (
        <div key={measure.key} className={styles.figure}>
          <span className={styles.label} title={measureName(measure)}>
            {measureName(measure)}
          </span>{" "}
          <span>{measureText(measure, measuredValue(measure, figures))}</span>{" "}
          <span>{index > 0 && <Delta measure={measure} base={base.figures} other={figures} />}</span>
        </div>
      ))}
    </div>
  );
}

/** As the outputs say it, and the names of what else is expected. */
function Expected({ row, most }: { readonly row: ComparedRow; readonly most: number }) {
  const { shown, rest } = expectedBeside(
    row.expected,
    row.groups.map((group) => outputOf(group?.runs[0])),
  );
  return (
    <>
      <p className={styles.text}>{(shown ?? readable(row.expected)).slice(0, most)}</p>
      {rest !== null && (
        <p className={styles.rest}>{text("experiments.expected.rest", { names: Object.keys(rest).join(", ") })}</p>
      )}
    </>
  );
}
