// What happened during a span, each with its time from the start of the span.

import type { SpanEvent } from "../../../../domain/trace/payload/events.ts";
import { JsonView } from "../../../../kit/JsonView.tsx";
import { formatDuration } from "../../../../lib/format.ts";
import { text } from "../../../../texts/texts.ts";
import styles from "./bodies.module.css";

export function Events({
  events,
  spanStartUs,
}: {
  readonly events: readonly SpanEvent[];
  readonly spanStartUs: number;
}) {
  return (
    <ol className={styles.list}>
      {events.map(({ name, timeUs, attributes, exception }, index) => (
        <li key={index} className={styles.item}>
          <div className={styles.documentHead}>
            <b className={exception === null ? undefined : styles.bad}>{name}</b>
            {timeUs !== null && (
              <small>{text("span.events.at", { time: formatDuration((timeUs - spanStartUs) / 1000) })}</small>
            )}
          </div>
          {attributes !== undefined &&
            typeof attributes === "object" &&
            attributes !== null &&
            Object.keys(attributes).length > 0 && (
              <div className={styles.code}>
                <JsonView value={attributes} open={1} />
              </div>
            )}
        </li>
      ))}
    </ol>
  );
}
