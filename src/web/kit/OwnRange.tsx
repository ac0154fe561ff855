// A range of one's own: days from a calendar, or two fields for its begin and its end. Loaded on demand.
import { useState } from "react";
import type { TimeRange } from "../lib/time-range.ts";
import { useTimeZone } from "../lib/time-zone.ts";
import { text } from "../texts/texts.ts";
import { Button } from "./Button.tsx";
import { plusDays } from "./calendar-days.ts";
import { TextField } from "./Field.tsx";
import { RangeCalendar } from "./RangeCalendar.tsx";
import styles from "./TimeRangeControl.module.css";
import { fromZonedFields, zonedFields, zoneName } from "./zoned-fields.ts";

interface OwnRangeProps {
  readonly range: TimeRange;
  readonly onChange: (range: TimeRange) => void;
}

/** The last day that a range holds something of; its end is excluded. */
function lastDay(to: string): string | null {
  if (to === "") return null;
  const day = to.slice(0, 10);
  return /T00:00(:00)?$/.test(to) ? plusDays(day, -1) : day;
}

export default function OwnRange({ range, onChange }: OwnRangeProps) {
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
      <RangeCalendar
        first={from.slice(0, 10) || null}
        last={lastDay(to)}
        today={zonedFields(new Date().toISOString(), zone).slice(0, 10)}
        onDays={(first, last) => {
          setFrom(`${first}T00:00:00`);
          setTo(`${plusDays(last, 1)}T00:00:00`);
        }}
      />
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
      <p className={styles.zone}>{text("kit.range.zone", { zone: zoneName(zone) })}</p>
      <Button type="submit" disabled={begin === null || reversed}>
        {text("kit.range.apply")}
      </Button>
    </form>
  );
}
