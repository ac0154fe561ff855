// The time range of a page: presets, or an own range with two fields. Its state is in the address (`useTimeRange`).
import { CalendarClock, Check, ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { formatTime } from "../lib/format.ts";
import { Late, late } from "../lib/late.tsx";
import { neighbourOf, type Preset, presets, type TimeRange } from "../lib/time-range.ts";
import { useTimeZone } from "../lib/time-zone.ts";
import { text } from "../texts/texts.ts";
import { Button, IconButton } from "./Button.tsx";
import { calendarPeriods, calendarRange } from "./calendar-range.ts";
import { classes } from "./classes.ts";
import { useShortcut } from "./keys.ts";
import { Popover } from "./Menu.tsx";
import { useNarrow } from "./media.ts";
import { useNow } from "./Time.tsx";
import styles from "./TimeRangeControl.module.css";

const { Part: OwnRange } = late(() => import("./OwnRange.tsx"));

interface TimeRangeControlProps {
  readonly range: TimeRange;
  readonly onChange: (range: TimeRange) => void;
}

const labels = {
  "15m": "kit.range.15m",
  "1h": "kit.range.1h",
  "12h": "kit.range.12h",
  "1d": "kit.range.1d",
  "7d": "kit.range.7d",
  "30d": "kit.range.30d",
  all: "kit.range.all",
} as const satisfies Record<Preset, string>;

export function TimeRangeControl({ range, onChange }: TimeRangeControlProps) {
  const opened = useState(false);
  const shown = useRangeText(range);
  const narrow = useNarrow();
  // What is seen must be part of what is heard.
  const short = narrow ? range.preset : null;
  const label = [...(short === null ? [] : [short]), text("kit.range.label"), shown].join(", ");
  useShortcut({ keys: "t", label: "keys.range", group: "keys.list", run: () => opened[1](true) });
  return (
    <RangeSteps range={range} onChange={onChange}>
      <Popover
        state={opened}
        label={text("kit.range.label")}
        trigger={
          <Button icon={<CalendarClock />} aria-label={label}>
            {narrow ? (short ?? undefined) : shown}
          </Button>
        }
      >
        {(close) => (
          <>
            <ul className={styles.presets}>
              {presets.map((preset) => (
                <li key={preset}>
                  <button
                    type="button"
                    className={styles.preset}
                    aria-pressed={range.preset === preset}
                    onClick={() => {
                      onChange({ preset });
                      close();
                    }}
                  >
                    <Check />
                    {text(labels[preset])}
                  </button>
                </li>
              ))}
            </ul>
            <CalendarRanges
              range={range}
              onChange={(next) => {
                onChange(next);
                close();
              }}
            />
            <Late fallback={<div className={styles.waiting} />}>
              <OwnRange
                range={range}
                onChange={(next) => {
                  onChange(next);
                  close();
                }}
              />
            </Late>
          </>
        )}
      </Popover>
    </RangeSteps>
  );
}

/** To the periods before and behind, which are as long; a phone has no space for them. */
function RangeSteps({ range, onChange, children }: TimeRangeControlProps & { readonly children: ReactNode }) {
  const narrow = useNarrow();
  const nowMs = useNow();
  if (narrow) return children;
  const step = (direction: "before" | "behind", label: string, icon: ReactNode) => {
    const there = neighbourOf(range, nowMs, direction);
    const go = () => {
      const next = neighbourOf(range, Date.now(), direction);
      if (next !== null) onChange(next);
    };
    return <IconButton label={label} icon={icon} disabled={there === null} onClick={go} />;
  };
  return (
    <div className={styles.steps}>
      {step("before", text("kit.range.before"), <ChevronLeft />)}
      {children}
      {step("behind", text("kit.range.behind"), <ChevronRight />)}
    </div>
  );
}

/** The range in words. */
export function useRangeText(range: TimeRange): string {
  const zone = useTimeZone();
  const nowMs = useNow();
  if (range.preset !== null) return text(labels[range.preset]);
  const from = formatTime(range.from, zone, nowMs);
  return range.to === null
    ? text("kit.range.since", { from })
    : text("kit.range.between", { from, to: formatTime(range.to, zone, nowMs) });
}

/** Days and months of the calendar. */
function CalendarRanges({ range, onChange }: TimeRangeControlProps) {
  const zone = useTimeZone();
  const nowMs = useNow();
  return (
    <ul className={classes(styles.presets, styles.calendar)}>
      {calendarPeriods.map((period) => {
        const there = calendarRange(period, nowMs, zone);
        const chosen =
          range.preset === null && there.preset === null && range.from === there.from && range.to === there.to;
        return (
          <li key={period}>
            <button
              type="button"
              className={styles.preset}
              aria-pressed={chosen}
              onClick={() => onChange(calendarRange(period, Date.now(), zone))}
            >
              <Check />
              {text(`kit.range.${period}`)}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
