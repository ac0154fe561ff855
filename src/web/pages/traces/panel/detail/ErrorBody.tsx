// What failed: the message, then the stack trace.

import { LongText } from "../../../../domain/trace/content/LongText.tsx";
import type { SpanException } from "../../../../domain/trace/payload/events.ts";
import styles from "./bodies.module.css";

interface ErrorBodyProps {
  readonly message: string | null;
  readonly exceptions: readonly SpanException[];
  readonly wrap: boolean;
}

export function ErrorBody({ message, exceptions, wrap }: ErrorBodyProps) {
  return (
    <div className={styles.padded}>
      {message !== null && <LongText excerpt={{ text: message, place: null, wholeBytes: null }} />}
      {exceptions.map(({ type, message: said, stackTrace }, index) => (
        <div key={index} className={styles.stack}>
          {index > 0 && type !== null && <h5 className={styles.label}>{type}</h5>}
          {said !== null && <LongText excerpt={said} />}
          {stackTrace !== null && (
            <div className={styles.code}>
              <LongText excerpt={stackTrace} mono wrap={wrap} />
            </div>
          )}
        </div>
      ))}
    </div>
  );
}
