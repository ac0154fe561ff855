// What the server does by itself and could not do: for administrators, and only while there is any.
import { Section } from "../../../kit/Section.tsx";
import { Time } from "../../../kit/Time.tsx";
import { useGraphql } from "../../../lib/queries.ts";
import { useRights } from "../../../lib/viewer.ts";
import { text } from "../../../texts/texts.ts";
import styles from "./Retention.module.css";
import { failedWork } from "./retention.queries.ts";

export function FailedWork() {
  const { isAdministrator } = useRights();
  const { data } = useGraphql(failedWork, {}, { enabled: isAdministrator });
  const failures = data?.jobFailures ?? [];
  if (failures.length === 0) return null;
  return (
    <Section title={text("retention.failures")} hint={text("retention.failures.hint")}>
      <ul className={styles.sweeps}>
        {failures.map(({ job, item, reason, attempts, lastFailedAt, retryAt }) => (
          <li key={`${job} ${item}`} className={styles.sweep}>
            <span className={styles.when}>
              <Time at={lastFailedAt} />
            </span>
            <span className={styles.failure}>
              <span>
                <code>{job}</code> {item}
              </span>
              <span className={styles.failed}>{reason}</span>
              <span className={styles.note}>
                {text("retention.failures.attempts", { count: attempts })} <Time at={retryAt} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
