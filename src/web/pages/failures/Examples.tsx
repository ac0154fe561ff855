// Examples of a failure side by side; what differs from the first is marked.
import { Link } from "wouter";
import { SELECTED_SPAN } from "../../domain/trace/selected.ts";
import { TextDiff } from "../../kit/diff/TextDiff.tsx";
import { Time } from "../../kit/Time.tsx";
import { formatDuration } from "../../lib/format.ts";
import { linkTo } from "../../lib/links.ts";
import { textsOf } from "../../texts/texts.ts";
import styles from "./FailureGroupPage.module.css";
import { failureTexts } from "./failures.late-texts.ts";
import type { OpenGroup } from "./failures.queries.ts";

const text = textsOf(failureTexts);
type Example = OpenGroup["examples"]["edges"][number]["node"];

interface ExamplesProps {
  readonly projectId: string;
  readonly spans: readonly Example[];
}

export function Examples({ projectId, spans }: ExamplesProps) {
  const [first] = spans;
  return (
    <div className={styles.examples}>
      {spans.map((span) => (
        <article key={span.id} className={styles.example}>
          <h4>
            <bdi>{span.name}</bdi>
          </h4>
          <p className={styles.facts}>
            <Time at={span.startTime} /> · {formatDuration(span.latencyMs)} ·{" "}
            <Link href={`${linkTo("trace", { projectId, traceId: span.trace.traceId })}?${SELECTED_SPAN}=${span.id}`}>
              {text("failures.example.open")}
            </Link>
          </p>
          <Value
            label={text("failures.example.message")}
            of={({ statusMessage }) => statusMessage}
            {...{ first, span }}
          />
          <Value label={text("failures.example.input")} of={({ inputSaid }) => inputSaid} {...{ first, span }} />
          <Value label={text("failures.example.output")} of={({ outputSaid }) => outputSaid} {...{ first, span }} />
        </article>
      ))}
    </div>
  );
}

interface ValueProps {
  readonly label: string;
  readonly of: (span: Example) => string | null;
  readonly first: Example | undefined;
  readonly span: Example;
}

function Value({ label, of, first, span }: ValueProps) {
  const value = of(span);
  if (value === null || value === "") return null;
  const before = first === undefined || first === span ? null : of(first);
  return (
    <div>
      <span className={styles.facts}>{label}</span>
      <p className={styles.value}>
        {before === null ? value : <TextDiff before={before} after={value} show="after" sparing />}
      </p>
    </div>
  );
}
