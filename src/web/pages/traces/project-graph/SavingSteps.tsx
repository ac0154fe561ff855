// The steps by which the traces would be shortened most if they took no time.
import { KindGlyph } from "../../../domain/trace/KindGlyph.tsx";
import { formatDuration, formatShare } from "../../../lib/format.ts";
import { textsOf } from "../../../texts/texts.ts";
import { kindOf } from "../graph/drawn-graph.ts";
import styles from "./ProjectGraphPage.module.css";
import { projectGraphTexts } from "./project-graph.late-texts.ts";
import type { TraceAnalysis } from "./project-graph.queries.ts";

const text = textsOf(projectGraphTexts);
const MOST_SHOWN = 10;

interface SavingStepsProps {
  readonly steps: TraceAnalysis["instantSteps"];
  /** Of all traces together. */
  readonly durationMs: number;
}

export function SavingSteps({ steps, durationMs }: SavingStepsProps) {
  const most = steps[0]?.savedMs ?? 0;
  return (
    <section aria-label={text("project-graph.saving")} className={styles.part}>
      <h2 className={styles.title}>{text("project-graph.saving")}</h2>
      <p className={styles.hint}>
        {text(steps.length === 0 ? "project-graph.saving.none" : "project-graph.saving.hint")}
      </p>
      <ol>
        {steps.slice(0, MOST_SHOWN).map(({ spanKind, name, traceCount, savedMs }) => (
          <li key={`${spanKind} ${name}`} className={styles.saving}>
            <span className={styles.bar} style={{ width: `${(savedMs / most) * 100}%` }} />
            <span className={styles.step}>
              <KindGlyph kind={kindOf(spanKind)} />
              <bdi className={styles.word}>{name}</bdi>
            </span>
            <span className={styles.saved}>
              {text("project-graph.saves", {
                time: formatDuration(savedMs),
                share: formatShare(durationMs === 0 ? 0 : savedMs / durationMs),
              })}
            </span>
            <small>{text("project-graph.saving.traces", { count: traceCount })}</small>
          </li>
        ))}
      </ol>
    </section>
  );
}
