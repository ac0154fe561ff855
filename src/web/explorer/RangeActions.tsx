// The actions of a page that shows a range of time: the range, asking again, and live.
import { RefreshCw } from "lucide-react";
import { IconButton } from "../kit/Button.tsx";
import { TimeRangeControl } from "../kit/TimeRangeControl.tsx";
import type { TimeRange } from "../lib/time-range.ts";
import { LiveButton } from "../shell/LiveButton.tsx";
import { text } from "../texts/texts.ts";

interface RangeActionsProps {
  readonly range: TimeRange;
  readonly onRange: (range: TimeRange) => void;
  readonly onRefresh: () => void;
}

export function RangeActions({ range, onRange, onRefresh }: RangeActionsProps) {
  return (
    <>
      <TimeRangeControl range={range} onChange={onRange} />
      <IconButton label={text("explorer.refresh")} icon={<RefreshCw />} onClick={onRefresh} />
      <LiveButton />
    </>
  );
}
