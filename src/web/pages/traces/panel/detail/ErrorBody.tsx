// What failed: the message, then the stack trace.

import { LongText } from "../../../../domain/trace/content/LongText.tsx";
import type { SpanException } from "../../../../domain/trace/payload/events.ts";
import styles from "./bodies.module.css";
import { StackTrace } from "./StackTrace.tsx";

interface ErrorBodyProps {
  readonly message: string | null;
  readonly exceptions: readonly SpanException[];
}

export function ErrorBody({ message, exceptions }: ErrorBodyProps) {
  return (
    <div className={styles.padded}>
      {message !== null && <LongText excerpt={{ text: message, place: null, wholeBytes: null }} />}
      {exceptions.map(({ type, message: excerpt, stackTrace }, index) => (
        <div key={index} className={styles.stack}>
          {index > 0 && type !== null && <h5 className={styles.label}>{type}</h5>}
          {excerpt !== null && <LongText excerpt={excerpt} />}
          {stackTrace !== null && <StackTrace excerpt={stackTrace} />}
        </div>
      ))}
    </div>
  );
}
