// How a version fares beside another: the spans of a period that name them, figure by figure, and the way to exactly those spans.
import { useMemo } from "react";
import { Link } from "wouter";
import { Select } from "../../../kit/Field.tsx";
import { Section } from "../../../kit/Section.tsx";
import { Loaded } from "../../../kit/States.tsx";
import { TimeRangeControl } from "../../../kit/TimeRangeControl.tsx";
import { useAddress, useTimeRange } from "../../../lib/address.ts";
import { linkTo } from "../../../lib/links.ts";
import { useGraphql } from "../../../lib/queries.ts";
import { LiveRange, rangeParameters, type TimeRange } from "../../../lib/time-range.ts";
import { text } from "../../../texts/texts.ts";
import type { ListedVersion } from "../prompts.queries.ts";
import { figuresOf } from "./figures.ts";
import styles from "./UsageSection.module.css";
import { usageOf, type VersionUsage, versionUsage } from "./usage.queries.ts";

interface UsageSectionProps {
  readonly version: ListedVersion;
  /** The one that it is compared with, or the one before it; undefined for the first. */
  readonly before: ListedVersion | undefined;
}

export default function UsageSection({ version, before }: UsageSectionProps) {
  const [range, setRange] = useTimeRange();
  const timeRange = useMemo(() => new LiveRange(range), [range]);
  const now = useGraphql(versionUsage, { id: version.id, timeRange });
  const old = useGraphql(versionUsage, before === undefined ? null : { id: before.id, timeRange });
  return (
    <div className={styles.view}>
      <Section title={text("prompts.usage")} hint={text("prompts.usage.how")}>
        <div className={styles.choices}>
          <TimeRangeControl range={range} onChange={setRange} />
        </div>
        <Loaded query={now}>
          {(answer) =>
            before === undefined ? (
              <Compared version={version} now={usageOf(answer)} range={range} />
            ) : (
              <Loaded query={old}>
                {(other) => (
                  <Compared
                    version={version}
                    now={usageOf(answer)}
                    before={before}
                    old={usageOf(other)}
                    range={range}
                  />
                )}
              </Loaded>
            )
          }
        </Loaded>
      </Section>
    </div>
  );
}

interface ComparedProps {
  readonly version: ListedVersion;
  readonly now: VersionUsage | null;
  readonly before?: ListedVersion;
  readonly old?: VersionUsage | null;
  readonly range: TimeRange;
}

function Compared({ version, now, before, old, range }: ComparedProps) {
  const address = useAddress();
  const projects = projectsOf([now, old ?? null]);
  const [most] = projects;
  const number = version.sequenceNumber;
  if (most === undefined) {
    return (
      <p className={styles.note}>
        {before === undefined
          ? text("prompts.usage.none.alone", { number })
          : text("prompts.usage.none", { number, before: before.sequenceNumber })}
      </p>
    );
  }
  const chosen = projects.find(({ id }) => id === address.get("project")) ?? most;
  const inProject = (usage: VersionUsage | null | undefined) =>
    usage?.usage.find(({ project }) => project?.id === chosen.id);
  const columns = [
    ...(before === undefined ? [] : [{ version: before, usage: old, side: "before" } as const]),
    { version, usage: now, side: "now" } as const,
  ];
  return (
    <>
      {projects.length > 1 && (
        <div className={styles.choices}>
          <Select
            label={text("prompts.usage.project")}
            choices={projects.map(({ id, name }) => ({ value: id, label: name }))}
            value={chosen.id}
            onChange={(project) => address.set({ project })}
          />
        </div>
      )}
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{text("prompts.usage.figure")}</span>
              {projects.length === 1 && chosen.name}
            </th>
            {columns.map(({ version: { id, sequenceNumber }, usage }) => (
              <th key={id} scope="col">
                {inProject(usage) === undefined ? (
                  text("prompts.number", { number: sequenceNumber })
                ) : (
                  <Link
                    href={linkToSpans(chosen.id, usage?.spanCondition ?? "", range)}
                    className={styles.spans}
                    aria-label={text("prompts.usage.open", { number: sequenceNumber })}
                  >
                    {text("prompts.number", { number: sequenceNumber })}
                  </Link>
                )}
              </th>
            ))}
            {before !== undefined && <th scope="col">{text("prompts.usage.change")}</th>}
          </tr>
        </thead>
        <tbody>
          {figuresOf(inProject(old), inProject(now)).map((figure) => (
            <tr key={figure.key}>
              <th scope="row">{figure.label}</th>
              {columns.map(({ version: { id }, side }) => (
                <td key={id}>{figure[side]}</td>
              ))}
              {before !== undefined && (
                <td className={figure.better === null ? undefined : figure.better ? styles.better : styles.worse}>
                  {figure.change ?? ""}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

interface UsedProject {
  readonly id: string;
  readonly name: string;
}

/** Where either version was used, most first. */
function projectsOf(usages: readonly (VersionUsage | null)[]): UsedProject[] {
  const found = usages.flatMap((usage) => usage?.usage ?? []);
  const counts = new Map<string, { name: string; count: number }>();
  for (const { project, spanCount } of found) {
    if (project === null) continue;
    counts.set(project.id, { name: project.name, count: (counts.get(project.id)?.count ?? 0) + spanCount });
  }
  return [...counts].sort(([, one], [, other]) => other.count - one.count).map(([id, { name }]) => ({ id, name }));
}

/** The list of the very spans that were counted. */
function linkToSpans(projectId: string, filter: string, range: TimeRange): string {
  const parameters = Object.entries({ filter, ...rangeParameters(range) }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return `${linkTo("spans", { projectId })}?${new URLSearchParams(parameters)}`;
}
