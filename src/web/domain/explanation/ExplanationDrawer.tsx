// What explains the selection of a list, from the right edge: a filter, a range that was chosen on the chart, or rows.
import { useMemo, useState } from "react";
import { Drawer } from "../../kit/Dialog.tsx";
import { Select } from "../../kit/Field.tsx";
import { boundsOf, neighbourOf, type TimeRange } from "../../lib/time-range.ts";
import { textsOf } from "../../texts/texts.ts";
import { type ExplainedSelection, Explanation } from "./Explanation.tsx";
import { explanationTexts } from "./explanation.late-texts.ts";

const text = textsOf(explanationTexts);
const comparisons = ["range", "before", "all"] as const;
type Comparison = (typeof comparisons)[number];

interface ExplanationDrawerProps extends Pick<ExplainedSelection, "projectId" | "of" | "condition"> {
  readonly range: TimeRange;
  readonly onCondition: (condition: string) => void;
  readonly onClose: () => void;
}

export default function ExplanationDrawer({ range, onCondition, onClose, ...selection }: ExplanationDrawerProps) {
  // A range alone has no rest in itself.
  const isRange = selection.condition === "";
  const choices = comparisons.filter((each) => {
    if (each === "range") return !isRange;
    return each !== "before" || neighbourOf(range, Date.now(), "before") !== null;
  });
  const [chosen, setChosen] = useState<Comparison>(isRange ? "all" : "range");
  // Once: with the time of each render, each answer would cause the next request.
  const ranges = useMemo(() => rangesOf(range, chosen), [range, chosen]);
  return (
    <Drawer open title={text("explanation.title")} onClose={onClose}>
      {choices.length > 1 && (
        <Select
          label={text("explanation.against")}
          value={chosen}
          choices={choices.map((value) => ({ value, label: text(`explanation.against.${value}`) }))}
          onChange={setChosen}
        />
      )}
      <Explanation {...selection} {...ranges} onCondition={onCondition} />
    </Drawer>
  );
}

function rangesOf(range: TimeRange, against: Comparison): Pick<ExplainedSelection, "timeRange" | "selectedTimeRange"> {
  const nowMs = Date.now();
  const { from, to } = boundsOf(range, nowMs);
  const selected = { start: from, end: to };
  if (against === "range") return { timeRange: selected, selectedTimeRange: null };
  if (against === "all") return { timeRange: null, selectedTimeRange: selected };
  const before = boundsOf(neighbourOf(range, nowMs, "before") ?? range, nowMs);
  return { timeRange: { start: before.from, end: to }, selectedTimeRange: selected };
}
