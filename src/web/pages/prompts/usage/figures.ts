// Two versions of a prompt figure by figure, and whether the newer one is better.
import { formatCount, formatDuration, formatMean, formatShare } from "../../../lib/format.ts";
import { text } from "../../../texts/texts.ts";
import type { ProjectUsage } from "./usage.queries.ts";

export interface Figure {
  readonly key: string;
  readonly label: string;
  readonly before: string;
  readonly now: string;
  /** Relative, as `+12 %`; null where one of them is unknown or there is no difference to show. */
  readonly change: string | null;
  /** Null where neither direction is good. */
  readonly better: boolean | null;
}

type Usage = ProjectUsage | undefined;

interface Measure {
  readonly key: string;
  readonly label: string;
  readonly of: (usage: ProjectUsage) => number | null;
  readonly format: (value: number) => string;
  /** The better direction; unknown for scores. */
  readonly good: "less" | null;
}

const measures: readonly Measure[] = [
  { key: "spans", label: text("prompts.usage.spans"), of: (usage) => usage.spanCount, format: formatCount, good: null },
  {
    key: "errors",
    label: text("prompts.usage.errors"),
    of: ({ errorCount, spanCount }) => errorCount / spanCount,
    format: formatShare,
    good: "less",
  },
  {
    key: "p50",
    label: text("prompts.usage.p50"),
    of: (usage) => usage.latencyMsP50,
    format: formatDuration,
    good: "less",
  },
  {
    key: "p95",
    label: text("prompts.usage.p95"),
    of: (usage) => usage.latencyMsP95,
    format: formatDuration,
    good: "less",
  },
  {
    key: "prompt",
    label: text("prompts.usage.prompt"),
    of: ({ tokenCountPrompt, spanCount }) => tokenCountPrompt / spanCount,
    format: (value) => formatCount(Math.round(value)),
    good: "less",
  },
  {
    key: "completion",
    label: text("prompts.usage.completion"),
    of: ({ tokenCountCompletion, spanCount }) => tokenCountCompletion / spanCount,
    format: (value) => formatCount(Math.round(value)),
    good: "less",
  },
];

/** Figures of the versions, then the scores that either of them has. */
export function figuresOf(before: Usage, now: Usage): readonly Figure[] {
  const names = [...new Set([before, now].flatMap((usage) => usage?.scores.map(({ name }) => name) ?? []))].sort();
  const scores = names.map(
    (name): Measure => ({
      key: `score ${name}`,
      label: text("prompts.usage.score", { name }),
      of: (usage) => usage.scores.find((score) => score.name === name)?.mean ?? null,
      format: formatMean,
      good: null,
    }),
  );
  return [...measures, ...scores].map((measure) => figureOf(measure, before, now));
}

function figureOf({ key, label, of, format, good }: Measure, before: Usage, now: Usage): Figure {
  const [old, current] = [before, now].map((usage) => (usage === undefined ? null : of(usage)));
  const shown = (value: number | null | undefined) => (value == null ? "–" : format(value));
  const figure = { key, label, before: shown(old), now: shown(current) };
  if (old == null || current == null || key === "spans" || figure.before === figure.now || old === 0) {
    return { ...figure, change: null, better: null };
  }
  const percent = Math.round((100 * (current - old)) / Math.abs(old));
  return {
    ...figure,
    change: `${percent > 0 ? "+" : percent < 0 ? "−" : ""}${Math.abs(percent)} %`,
    better: good === null || percent === 0 ? null : current < old,
  };
}
