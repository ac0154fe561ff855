// One example over the grid: what was asked, and beside each other what was expected and what each experiment made of it. A run is judged
// at its side and leads to its trace.
import { type ReactNode, useState } from "react";
import { type Json, stringifyJson } from "../../../../kernel/json.ts";
import {
  PanelButtons,
  type PanelNavigation,
  type PanelTexts,
  usePanelKeys,
} from "../../../explorer/panel-navigation.tsx";
import { Button } from "../../../kit/Button.tsx";
import { CopyButton } from "../../../kit/CopyButton.tsx";
import { JsonDiff } from "../../../kit/diff/JsonDiff.tsx";
import { TextDiff } from "../../../kit/diff/TextDiff.tsx";
import { Segmented } from "../../../kit/Field.tsx";
import { JsonView } from "../../../kit/JsonView.tsx";
import { SeriesDot } from "../../../kit/SeriesDot.tsx";
import { EmptyState } from "../../../kit/States.tsx";
import { formatDuration } from "../../../lib/format.ts";
import { text } from "../../../texts/texts.ts";
import styles from "./ComparedPanel.module.css";
import { type ComparedExperiment, type ComparedRow, figuresOf } from "./compared.ts";
import type { ComparedRun } from "./comparison.queries.ts";
import { Delta } from "./Delta.tsx";
import { exampleName } from "./example-name.ts";
import { measureName, measureText } from "./measure-words.ts";
import { type Measure, measuredValue } from "./measures.ts";
import { Repetitions } from "./OutputCell.tsx";
import { RunReview } from "./RunReview.tsx";
import { expectedBeside, outputOf, textBeside, textIn } from "./readable.ts";
import { figuresOfRun, leadingRun } from "./repetitions.ts";
import type { Comparison } from "./use-comparison.ts";

const words: PanelTexts = {
  group: "experiments.keys",
  previous: "experiments.example.previous",
  next: "experiments.example.next",
  close: "experiments.example.close",
};

export interface ComparedPanelProps {
  /** Undefined while it is none of the rows that are loaded. */
  readonly row: ComparedRow | undefined;
  readonly experiments: readonly ComparedExperiment[];
  readonly comparison: Comparison;
  readonly measures: readonly Measure[];
  /** The one that rows are narrowed and sorted by. */
  readonly measure: Measure;
  readonly navigation: PanelNavigation;
}

export default function ComparedPanel(props: ComparedPanelProps) {
  const { row, experiments, comparison, measures, measure, navigation } = props;
  const { reference, trace, set } = comparison;
  // A trace over it has the keys, also when its script came first.
  usePanelKeys(trace === null ? navigation : { ...navigation, onClose: null, onPrevious: null, onNext: null }, words);
  if (row === undefined) {
    return (
      <section className={styles.panel} aria-label={text("experiments.example")}>
        <EmptyState
          title={text("experiments.example.unshown")}
          action={<Button onClick={() => navigation.onClose?.()}>{text("experiments.example.close")}</Button>}
        >
          {text("experiments.example.unshown.text")}
        </EmptyState>
      </section>
    );
  }
  return (
    <section className={styles.panel} aria-label={text("experiments.example")}>
      <header className={styles.head}>
        <h2>
          <bdi>{row.externalId ?? exampleName(row.input)}</bdi>
        </h2>
        <Segmented
          label={text("experiments.against")}
          value={reference}
          choices={(["expected", "base", "none"] as const).map((value) => ({
            value,
            label: text(`experiments.marks.${value}`),
          }))}
          onChange={(next) => set({ against: next === "expected" ? null : next }, "replace")}
        />
        <PanelButtons navigation={navigation} words={words} />
      </header>
      <Sides key={row.id} {...{ row, experiments, comparison, measures, measure, navigation }} />
    </section>
  );
}

interface SidesProps extends Omit<ComparedPanelProps, "row"> {
  readonly row: ComparedRow;
}

function Sides({ row, experiments, comparison, measures, measure, navigation }: SidesProps) {
  const { reference, runId, show, order, set } = comparison;
  const [repetitions, setRepetitions] = useState<Readonly<Record<string, number>>>({});
  const judged = row.groups.flatMap((group) => group?.runs ?? []).find(({ id }) => id === runId);
  /** The one that is named to be judged is also the one that is shown. */
  const runOf = (index: number): ComparedRun | undefined => {
    const runs = row.groups[index]?.runs ?? [];
    const chosen = repetitions[experiments[index]!.id];
    return (
      (chosen === undefined ? runs.find(({ id }) => id === runId) : undefined) ??
      runs[Math.min(chosen ?? leadingRun(runs, { measure, show, order }), runs.length - 1)]
    );
  };
  const before = (index: number) =>
    reference === "expected" ? row.expected : reference === "base" && index > 0 ? outputOf(runOf(0)) : undefined;
  return (
    <div className={styles.sides}>
      {/* A region that scrolls must be reachable by keys. */}
      <section className={styles.read} aria-label={text("experiments.example.content")} tabIndex={0}>
        <Part name={text("experiments.input")} value={row.input} />
        <div className={styles.outputs}>
          <div className={styles.side}>
            <Part
              name={text("experiments.expected")}
              value={row.expected}
              beside={experiments.map(({ index }) => outputOf(runOf(index)))}
            />
          </div>
          {experiments.map(({ id, index, listed }) => {
            const runs = row.groups[index]?.runs ?? [];
            const run = runOf(index);
            return (
              <article key={id} className={styles.side} aria-label={listed.name}>
                <header className={styles.name}>
                  <SeriesDot index={index} />
                  <h3>
                    <bdi>{listed.name}</bdi>
                  </h3>
                  {runs.length > 1 && run !== undefined && (
                    <Repetitions
                      count={runs.length}
                      at={runs.indexOf(run)}
                      onChange={(at) => {
                        setRepetitions({ ...repetitions, [id]: at });
                        if (judged !== undefined && runs.includes(judged)) set({ run: runs[at]!.id }, "replace");
                      }}
                    />
                  )}
                </header>
                <SideFigures row={row} index={index} run={run} measures={measures} />
                {run === undefined ? (
                  <p className={styles.quiet}>{text("experiments.run.none")}</p>
                ) : (
                  <>
                    <RunActions run={run} judged={run.id === runId} set={set} />
                    <Output run={run} before={before(index)} />
                  </>
                )}
              </article>
            );
          })}
        </div>
      </section>
      {judged !== undefined && (
        <RunReview
          key={judged.id}
          run={judged}
          onClose={() => set({ run: null }, "replace")}
          onNext={navigation.onNext}
        />
      )}
    </div>
  );
}

interface SideFiguresProps extends Pick<SidesProps, "row" | "measures"> {
  readonly index: number;
  /** The repetition that is read. */
  readonly run: ComparedRun | undefined;
}

/** Of the repetition that is read; beside it the mean where there are several. */
function SideFigures({ row, index, run, measures }: SideFiguresProps) {
  const group = row.groups[index];
  const [base, means] = [figuresOf(row.groups[0]), figuresOf(group)];
  const several = run !== undefined && (group?.runs.length ?? 0) > 1;
  const own = several ? figuresOfRun(run) : means;
  return (
    <dl className={styles.figures}>
      {measures.map((measure) => (
        <div key={measure.key}>
          <dt title={measureName(measure)}>{measureName(measure)}</dt>
          <dd>{measureText(measure, measuredValue(measure, own))}</dd>
          <dd>{index > 0 && <Delta measure={measure} base={base} other={own} />}</dd>
          {several && measure.evaluation !== null && (
            <dd className={styles.quiet}>
              {text("experiments.mean", { value: measureText(measure, measuredValue(measure, means)) })}
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

interface RunActionsProps {
  readonly run: ComparedRun;
  readonly judged: boolean;
  readonly set: Comparison["set"];
}

function RunActions({ run: { id, trace, latencyMs }, judged, set }: RunActionsProps) {
  return (
    <div className={styles.actions}>
      <Button pressed={judged} onClick={() => set({ run: judged ? null : id }, "replace")}>
        {text("experiments.judge")}
      </Button>
      {trace !== null && (
        <Button onClick={() => set({ trace: trace.traceId, project: trace.project.id })}>
          {text("experiments.trace")}
        </Button>
      )}
      <span className={styles.quiet}>{formatDuration(latencyMs)}</span>
    </div>
  );
}

/** A text with its words marked, JSON with a table of the keys that differ, or the error of the run. */
function Output({ run, before }: { readonly run: ComparedRun; readonly before: Json | undefined }) {
  const output = outputOf(run) ?? null;
  if (run.error !== null) return <p className={styles.error}>{run.error}</p>;
  const [was, is] = [textBeside(before, output), textIn(output)];
  if (is !== null) {
    return (
      <p className={styles.text}>{was === null ? is : <TextDiff before={was} after={is} show="both" sparing />}</p>
    );
  }
  return (
    <>
      <JsonView value={output} />
      {before !== undefined && (
        <div className={styles.changes}>
          <JsonDiff
            before={before}
            after={output}
            names={{
              key: text("experiments.diff.key"),
              before: text("experiments.diff.before"),
              after: text("experiments.diff.after"),
            }}
            same={text("experiments.diff.same")}
          />
        </div>
      )}
    </>
  );
}

interface PartProps {
  readonly name: string;
  readonly value: Json;
  /** What it is read beside: it says the same part of itself as they do. */
  readonly beside?: readonly (Json | undefined)[];
}

function Part({ name, value, beside = [] }: PartProps): ReactNode {
  const { shown: written, rest } = expectedBeside(value, beside);
  return (
    <section className={styles.part} aria-label={name}>
      <header className={styles.name}>
        <h3>{name}</h3>
        <CopyButton
          label={text("experiments.copy", { part: name })}
          value={() => textIn(value) ?? stringifyJson(value)}
        />
      </header>
      {written === null ? <JsonView value={value} /> : <p className={styles.text}>{written}</p>}
      {rest !== null && (
        <div className={styles.changes}>
          <JsonView value={rest} />
        </div>
      )}
    </section>
  );
}
