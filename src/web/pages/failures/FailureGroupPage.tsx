// A failure group: when and where it happens, what explains it, three examples side by side, and the way to its traces.
import { CheckCheck, EyeOff, ListTree, RotateCcw } from "lucide-react";
import type { ReactNode } from "react";
import { useParams } from "wouter";
import { AddToDatasetButton } from "../../domain/datasets/AddToDatasetButton.tsx";
import { Explanation } from "../../domain/explanation/Explanation.tsx";
import { literalOf } from "../../domain/filter/chips.ts";
import { ProjectPage } from "../../explorer/ProjectPage.tsx";
import { Button, LinkButton } from "../../kit/Button.tsx";
import { Badge, EmptyState, FailedState, Skeleton } from "../../kit/States.tsx";
import { Time } from "../../kit/Time.tsx";
import { linkTo } from "../../lib/links.ts";
import { useGraphql } from "../../lib/queries.ts";
import { LiveRange } from "../../lib/time-range.ts";
import { useRights } from "../../lib/viewer.ts";
import { text as pageText, textsOf } from "../../texts/texts.ts";
import { Examples } from "./Examples.tsx";
import styles from "./FailureGroupPage.module.css";
import { badgeOf, titleOf } from "./failure-words.ts";
import { failureTexts } from "./failures.late-texts.ts";
import { failureGroup, type OpenGroup } from "./failures.queries.ts";
import { Trend } from "./Trend.tsx";
import { trendRange } from "./trend-bars.ts";
import { useGroupChanges } from "./use-group-changes.ts";

const text = textsOf(failureTexts);

/** Whenever it happened. */
const ALL = new LiveRange({ preset: "all" });

export default function FailureGroupPage() {
  const { projectId = "", groupId = "" } = useParams<{ projectId: string; groupId: string }>();
  const query = useGraphql(failureGroup, { id: groupId, trendRange }, { live: "slowly", keepPrevious: true });
  const group = query.data?.node.__typename === "FailureGroup" ? query.data.node : undefined;
  let content: ReactNode = <Skeleton lines={8} />;
  if (group !== undefined) content = <Group projectId={projectId} group={group} />;
  else if (query.error?.kind === "not_found" || query.data !== undefined)
    content = <EmptyState title={text("failures.gone.title")}>{text("failures.gone.text")}</EmptyState>;
  else if (query.error !== null) content = <FailedState failure={query.error} onRetry={() => void query.refetch()} />;
  return (
    <ProjectPage projectId={projectId} tab="failures">
      {content}
    </ProjectPage>
  );
}

interface GroupProps {
  readonly projectId: string;
  readonly group: OpenGroup;
}

function Group({ projectId, group }: GroupProps) {
  const examples = group.examples.edges.map(({ node }) => node);
  const condition = `error_group == ${literalOf(group.key)}`;
  return (
    <div className={styles.page}>
      <Head group={group} />
      <Trend points={group.trend} releases={group.versions} large />
      <div className={styles.columns}>
        <Part title={text("failures.why")} hint={text("failures.why.hint")}>
          <Explanation {...{ projectId, condition }} of="traces" timeRange={null} selectedTimeRange={null} />
        </Part>
        <div>
          <Part title={text("failures.versions")}>
            <ul className={styles.list}>
              {group.versions.map(({ version, environment, spanCount }) => (
                <li key={`${version} ${environment}`}>
                  {text("failures.version.value", {
                    version: version ?? text("failures.version.unknown"),
                    environment: environment ?? "–",
                    count: spanCount,
                  })}
                </li>
              ))}
            </ul>
          </Part>
          {group.frames.length > 0 && (
            <Part title={text("failures.frames")}>
              <ol className={styles.frames}>
                {group.frames.map((frame) => (
                  <li key={frame}>{frame}</li>
                ))}
              </ol>
            </Part>
          )}
        </div>
      </div>
      <Part title={text("failures.examples")} hint={text("failures.examples.hint")}>
        <Examples projectId={projectId} spans={examples} />
      </Part>
      <Part title={text("failures.traces")} hint={text("failures.traces.hint")}>
        <span className={styles.actions}>
          <LinkButton
            icon={<ListTree />}
            to={`${linkTo("traces", { projectId })}?${new URLSearchParams({ filter: condition, range: "all" })}`}
          >
            {text("failures.traces.open", { count: group.traceCount })}
          </LinkButton>
          <AddToDatasetButton
            kind="span"
            ids={examples.map(({ id }) => id)}
            matching={{ projectId, condition, timeRange: ALL, count: group.spanCount }}
          />
        </span>
      </Part>
    </div>
  );
}

function Head({ group }: { readonly group: OpenGroup }) {
  const badge = badgeOf(group) ?? { tone: "neutral", words: text("failures.badge.OPEN") };
  const { change } = useGroupChanges(() => undefined);
  const { mayWrite } = useRights();
  const isOpen = group.state === "OPEN" || group.state === "REOPENED";
  return (
    <header className={styles.head}>
      <div>
        <h2>
          {titleOf(group)} <Badge tone={badge.tone}>{badge.words}</Badge>
        </h2>
        {group.message !== "" && <p className={styles.message}>{group.message}</p>}
        <p className={styles.facts}>
          {text("failures.counts.value", { spans: group.spanCount, traces: group.traceCount, users: group.userCount })}{" "}
          · {text("failures.first")} <Time at={group.firstSeenAt} relative /> · {text("failures.last")}{" "}
          <Time at={group.lastSeenAt} relative />
        </p>
      </div>
      {mayWrite && (
        <span className={styles.actions}>
          {isOpen ? (
            <>
              <Button icon={<CheckCheck />} onClick={() => change([group], "RESOLVED")}>
                {pageText("failures.resolve")}
              </Button>
              <Button icon={<EyeOff />} onClick={() => change([group], "IGNORED")}>
                {pageText("failures.ignore")}
              </Button>
            </>
          ) : (
            <Button icon={<RotateCcw />} onClick={() => change([group], "OPEN")}>
              {text("failures.reopen")}
            </Button>
          )}
        </span>
      )}
    </header>
  );
}

interface PartProps {
  readonly title: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

function Part({ title, hint, children }: PartProps) {
  return (
    <section className={styles.part} aria-label={title}>
      <h3>{title}</h3>
      {hint !== undefined && <p className={styles.facts}>{hint}</p>}
      {children}
    </section>
  );
}
