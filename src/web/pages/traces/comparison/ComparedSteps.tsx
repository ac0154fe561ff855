// The steps of both traces in rows, of which only those that can be seen are drawn; beside them what differs in the chosen one.
import { useVirtualizer } from "@tanstack/react-virtual";
import { StepForward } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "../../../kit/Button.tsx";
import { Checkbox } from "../../../kit/Field.tsx";
import { useShortcut } from "../../../kit/keys.ts";
import { useNarrow } from "../../../kit/media.ts";
import { Sheet } from "../../../kit/Sheet.tsx";
import { useAddress } from "../../../lib/address.ts";
import { text as pageText, textsOf } from "../../../texts/texts.ts";
import { ComparedStepRow, rowId } from "./ComparedStepRow.tsx";
import styles from "./ComparedSteps.module.css";
import { comparedRows, depthOf, nextDifference } from "./compared-rows.ts";
import type { TraceComparison } from "./comparison.queries.ts";
import { StepDifference } from "./StepDifference.tsx";
import { comparisonTexts } from "./trace-comparison.late-texts.ts";

const text = textsOf(comparisonTexts);

const ROW_PX = 30;
const STEP = "step";
const EQUAL = "equal";

export function ComparedSteps({ comparison }: { readonly comparison: TraceComparison }) {
  const { steps } = comparison;
  const { get, set } = useAddress();
  const narrow = useNarrow();
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [sheet, setSheet] = useState(false);
  const showsEqual = get(EQUAL) === "all";
  const chosen = chosenStep(get(STEP), steps.length) ?? nextDifference(steps, -1) ?? 0;
  const rows = useMemo(
    () =>
      comparedRows(
        steps.map((step) => ({ edit: step.edit, depth: depthOf(step) })),
        opened,
        !showsEqual,
      ),
    [steps, opened, showsEqual],
  );
  const differing = useMemo(() => steps.filter(({ edit }) => edit !== "EQUAL").length, [steps]);
  const at = rows.findIndex((row) =>
    row.kind === "step" ? row.at === chosen : row.from <= chosen && chosen <= row.to,
  );
  const choose = (step: number) => set({ [STEP]: String(step) }, "replace");
  const walk = (way: 1 | -1) => {
    const next = rows[at + way];
    if (next !== undefined) choose(next.kind === "step" ? next.at : next.from);
  };
  const goToNext = () => {
    const next = nextDifference(steps, chosen);
    if (next !== null) choose(next);
  };
  const group = "traces.compare.title";
  useShortcut({ keys: "n", label: "traces.compare.next", group, run: goToNext });
  useShortcut({ keys: "j", label: "traces.compare.down", group, run: () => walk(1) });
  useShortcut({ keys: "k", label: "traces.compare.up", group, run: () => walk(-1) });
  const open = (from: number) => setOpened((before) => new Set([...before, from]));
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const { scrollToIndex } = virtual;
  useEffect(() => {
    if (at >= 0) scrollToIndex(at);
  }, [at, scrollToIndex]);
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at];
    if (event.key === "ArrowDown") walk(1);
    else if (event.key === "ArrowUp") walk(-1);
    else if (event.key === "Enter" && row?.kind === "equal") open(row.from);
    else if (event.key === "Enter") setSheet(true);
    else return;
    event.preventDefault();
  };
  const difference = <StepDifference comparison={comparison} step={steps[chosen]} />;
  return (
    <div className={styles.sides}>
      <div className={styles.list}>
        <div className={styles.bar}>
          <span role="status">{text("traces.compare.differences", { count: differing })}</span>
          <Checkbox
            label={text("traces.compare.equal.show")}
            checked={showsEqual}
            onChange={(shown) => set({ [EQUAL]: shown ? "all" : null }, "replace")}
          />
          <Button look="quiet" icon={<StepForward />} disabled={differing === 0} onClick={goToNext}>
            {pageText("traces.compare.next")}
          </Button>
        </div>
        <div
          ref={scroller}
          role="listbox"
          aria-label={text("traces.compare.steps")}
          tabIndex={0}
          aria-activedescendant={at < 0 ? undefined : rowId(at)}
          className={styles.scroller}
          onKeyDown={onKeyDown}
        >
          <div className={styles.rows} style={{ height: virtual.getTotalSize() }} role="presentation">
            {virtual.getVirtualItems().map(({ index, start }) => (
              <ComparedStepRow
                key={index}
                index={index}
                top={start}
                row={rows[index]!}
                steps={steps}
                selected={index === at}
                narrow={narrow}
                onChoose={(step) => {
                  choose(step);
                  setSheet(true);
                }}
                onOpen={open}
              />
            ))}
          </div>
        </div>
      </div>
      {narrow ? (
        <Sheet open={sheet} onClose={() => setSheet(false)} title={text("traces.compare.step")}>
          {difference}
        </Sheet>
      ) : (
        <section className={styles.detail} aria-label={text("traces.compare.step")}>
          {difference}
        </section>
      )}
    </div>
  );
}

function chosenStep(written: string | null, count: number): number | null {
  const step = written === null ? Number.NaN : Number(written);
  return Number.isInteger(step) && step >= 0 && step < count ? step : null;
}
