// A month from which days are chosen: one day, or with a second choice all days between both. Arrow keys walk the days.
import { ChevronLeft, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { text } from "../texts/texts.ts";
import { IconButton } from "./Button.tsx";
import { dayByKey, plusMonths, weeksOf } from "./calendar-days.ts";
import styles from "./RangeCalendar.module.css";

interface RangeCalendarProps {
  /** The first and the last day, such as `2026-11-24`; null where the range has no such end. */
  readonly first: string | null;
  readonly last: string | null;
  readonly today: string;
  readonly onDays: (first: string, last: string) => void;
}

const inWords = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options }).format(Date.parse(`${day}T00:00:00Z`));
const monthText = (day: string) => inWords(day, { month: "long", year: "numeric" });
const dayText = (day: string) => inWords(day, { weekday: "long", day: "numeric", month: "long", year: "numeric" });

export function RangeCalendar({ first, last, today, onDays }: RangeCalendarProps) {
  const title = useId();
  const [walked, setWalked] = useState(first ?? today);
  /** The first of two choices. */
  const [begun, setBegun] = useState<string | null>(null);
  const grid = useRef<HTMLTableElement>(null);
  const byKey = useRef(false);
  useEffect(() => {
    if (!byKey.current) return;
    byKey.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${walked}"]`)?.focus();
  }, [walked]);
  const choose = (day: string) => {
    setWalked(day);
    if (begun === null) onDays(day, day);
    else onDays(day < begun ? day : begun, day < begun ? begun : day);
    setBegun(begun === null ? day : null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = dayByKey(walked, event.key);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    byKey.current = true;
    setWalked(next);
  };
  const weeks = weeksOf(walked);
  const isChosen = (day: string) => first !== null && day >= first && (last === null || day <= last);
  return (
    <div className={styles.calendar}>
      <div className={styles.head}>
        <IconButton
          small
          label={text("kit.calendar.before")}
          icon={<ChevronLeft />}
          onClick={() => setWalked(plusMonths(walked, -1))}
        />
        <span id={title} className={styles.month} aria-live="polite">
          {monthText(walked)}
        </span>
        <IconButton
          small
          label={text("kit.calendar.behind")}
          icon={<ChevronRight />}
          onClick={() => setWalked(plusMonths(walked, 1))}
        />
      </div>
      <table ref={grid} className={styles.days} aria-labelledby={title} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeks[0]!.map((day) => (
              <th key={day} scope="col" abbr={inWords(day, { weekday: "long" })}>
                {inWords(day, { weekday: "short" }).slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>
                  <button
                    type="button"
                    className={styles.day}
                    data-day={day}
                    data-other={day.slice(0, 7) !== walked.slice(0, 7) || undefined}
                    aria-label={dayText(day)}
                    aria-pressed={isChosen(day)}
                    aria-current={day === today ? "date" : undefined}
                    tabIndex={day === walked ? 0 : -1}
                    onClick={() => choose(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
