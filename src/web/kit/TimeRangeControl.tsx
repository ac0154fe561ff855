// The time range of a page: presets, or an own range with two fields. Its state is in the address (`useTimeRange`).
import { CalendarClock, Check } from "lucide-react";
import { useState } from "react";
import { formatTime } from "../lib/format.ts";
import { type Preset, presets, type TimeRange } from "../lib/time-range.ts";
import { useTimeZone } from "../lib/time-zone.ts";
import { text } from "../texts/texts.ts";
import { Button } from "./Button.tsx";
import { TextField } from "./Field.tsx";
import { useShortcut } from "./keys.ts";
import { Popover } from "./Menu.tsx";
import { useNarrow } from "./media.ts";
import { useNow } from "./Time.tsx";
import styles from "./TimeRangeControl.module.css";
import { fromZonedFields, zonedFields } from "./zoned-fields.ts";

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
  const [open, setOpen] = useState(false);
  const shown = useRangeText(range);
  const narrow = useNarrow();
  // What is seen must be part of what is heard.
  const short = narrow ? range.preset : null;
  const label = [...(short === null ? [] : [short]), text("kit.range.label"), shown].join(", ");
  useShortcut({ keys: "t", label: "keys.range", group: "keys.list", run: () => setOpen(true) });
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
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
          <OwnRange
            range={range}
            onChange={(next) => {
              onChange(next);
              close();
            }}
          />
        </>
      )}
    </Popover>
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

function OwnRange({ range, onChange }: TimeRangeControlProps) {
  const zone = useTimeZone();
  const [from, setFrom] = useState(range.preset === null ? zonedFields(range.from, zone) : "");
  const [to, setTo] = useState(range.preset === null && range.to !== null ? zonedFields(range.to, zone) : "");
  const begin = fromZonedFields(from, zone);
  const end = fromZonedFields(to, zone);
  const reversed = begin !== null && end !== null && begin >= end;
  return (
    <form
      className={styles.own}
      onSubmit={(event) => {
        event.preventDefault();
        if (begin !== null && !reversed) onChange({ preset: null, from: begin, to: end });
      }}
    >
      <TextField label={text("kit.range.from")} type="datetime-local" step={1} value={from} onChange={setFrom} />
      <TextField
        label={text("kit.range.to")}
        type="datetime-local"
        step={1}
        value={to}
        onChange={setTo}
        hint={text("kit.range.to.hint")}
        problem={reversed ? text("kit.range.reversed") : null}
      />
      <Button type="submit" disabled={begin === null || reversed}>
        {text("kit.range.apply")}
      </Button>
    </form>
  );
}
