// One step of both traces: the first on the left, the second on the right, between them what it is in the second; or, on a phone, one
// column with the mark before it.
import { CircleAlert } from "lucide-react";
import { KindGlyph } from "../../../domain/trace/KindGlyph.tsx";
import type { SpanKind } from "../../../domain/trace/trace-span.ts";
import { classes } from "../../../kit/classes.ts";
import { formatCost, formatCount, formatDuration } from "../../../lib/format.ts";
import { text as pageText, textsOf } from "../../../texts/texts.ts";
import styles from "./ComparedStepRow.module.css";
import { type ComparedRow, depthOf } from "./compared-rows.ts";
import type { StepPair } from "./comparison.queries.ts";
import { comparisonTexts } from "./trace-comparison.late-texts.ts";

const text = textsOf(comparisonTexts);

/** For `aria-activedescendant`. */
export const rowId = (index: number) => `compared-${index}`;

const marks: Readonly<Record<StepPair["edit"], string>> = {
  EQUAL: "=",
  CHANGED: "≠",
  RENAMED: "≠",
  MOVED: "↕",
  REMOVED: "−",
  INSERTED: "+",
};
/** Levels that are indented; deeper ones would leave no space for the name. */
const MOST_INDENTED = 10;
/** Below it a difference of time is that of the clock. */
const FEWEST_MS = 1;

interface ComparedStepRowProps {
  readonly index: number;
  readonly top: number;
  readonly row: ComparedRow;
  readonly steps: readonly StepPair[];
  readonly selected: boolean;
  readonly narrow: boolean;
  readonly onChoose: (step: number) => void;
  readonly onOpen: (from: number) => void;
}

export function ComparedStepRow({ index, top, row, steps, selected, narrow, onChoose, onOpen }: ComparedStepRowProps) {
  const isFold = row.kind === "equal";
  const step = isFold ? null : steps[row.at]!;
  return (
    <div
      id={rowId(index)}
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      className={classes(styles.row, narrow && styles.narrow, selected && styles.selected, isFold && styles.fold)}
      data-edit={step?.edit}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => (isFold ? onOpen(row.from) : onChoose(row.at))}
    >
      {step === null ? (
        isFold && <span>{text("traces.compare.equal", { count: row.to - row.from + 1 })}</span>
      ) : narrow ? (
        <>
          <Mark step={step} />
          <Side step={step} span={step.second ?? step.first} />
          <Differences step={step} few />
        </>
      ) : (
        <>
          <Side step={step} span={step.first} />
          <Mark step={step} />
          <Side step={step} span={step.second} />
          <Differences step={step} />
        </>
      )}
    </div>
  );
}

function Mark({ step: { edit } }: { readonly step: StepPair }) {
  const name = text(`traces.compare.edit.${edit}`);
  return (
    <span role="img" aria-label={name} title={name} className={styles.mark}>
      {marks[edit]}
    </span>
  );
}

interface SideProps {
  readonly step: StepPair;
  readonly span: StepPair["first"];
}

function Side({ step, span }: SideProps) {
  if (span === null) return <span className={styles.absent} />;
  return (
    <span className={styles.side} style={{ "--depth": Math.min(depthOf(step), MOST_INDENTED) }}>
      <KindGlyph kind={span.spanKind.toUpperCase() as SpanKind} filled />
      <bdi className={classes(styles.name, span.failed && styles.failed)} title={span.name}>
        {span.name}
      </bdi>
      {span.failed && <CircleAlert aria-label={pageText("trace.status.error")} className={styles.error} />}
      {span.modelName !== null && <small>{span.modelName}</small>}
      <small className={styles.time}>{formatDuration(span.latencyMs)}</small>
    </span>
  );
}

function Differences({ step, few = false }: { readonly step: StepPair; readonly few?: boolean }) {
  const { changes, latencyDifferenceMs: time, tokenDifference: tokens, costDifference: cost } = step;
  return (
    <span className={styles.differences}>
      {!few && (
        <small className={styles.parts}>{changes.map((part) => text(`traces.compare.part.${part}`)).join(", ")}</small>
      )}
      <small>{time === null || Math.abs(time) < FEWEST_MS ? "" : signed(time, formatDuration)}</small>
      {!few && <small>{tokens === null || tokens === 0 ? "" : signed(tokens, formatCount)}</small>}
      {!few && <small>{cost === null || cost === 0 ? "" : signed(cost, formatCost)}</small>}
    </span>
  );
}

function signed(value: number, format: (value: number) => string): string {
  return `${value < 0 ? "−" : "+"}${format(Math.abs(value))}`;
}
