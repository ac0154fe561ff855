// A retention policy as it stands in the fields of its dialog.
import { text } from "../../../texts/texts.ts";
import type { ListedPolicy } from "./retention.queries.ts";

export const schedules = { hourly: "0 * * * *", daily: "0 3 * * *", weekly: "0 0 * * 0" } as const;
type Frequency = keyof typeof schedules | "other";

export interface PolicyValues {
  readonly name: string;
  readonly days: string;
  readonly count: string;
  readonly megabytes: string;
  readonly keepsAnnotated: boolean;
  readonly keepsDatasetSources: boolean;
  readonly when: Frequency;
  /** Used where `when` is `other`. */
  readonly schedule: string;
  /** Global ids. */
  readonly projects: readonly string[];
}

const MEGABYTE = 1_000_000;

export function halvesOf({ rule }: Pick<ListedPolicy, "rule">) {
  return {
    days: "maxDays" in rule ? rule.maxDays : 0,
    count: "maxCount" in rule ? rule.maxCount : 0,
  };
}

export function frequencyOf(schedule: string): Frequency {
  const known = Object.entries(schedules).find(([, each]) => each === schedule);
  return known === undefined ? "other" : (known[0] as Frequency);
}

export function valuesOf(policy: ListedPolicy | null): PolicyValues {
  const { days, count } = policy === null ? { days: 0, count: 0 } : halvesOf(policy);
  const { cronExpression: schedule = schedules.daily, maxBytes } = policy ?? {};
  const shown = (value: number | null | undefined) => (value ? String(value) : "");
  return {
    name: policy?.name ?? "",
    days: policy === null ? "30" : shown(days),
    count: shown(count),
    megabytes: shown((maxBytes ?? 0) / MEGABYTE),
    keepsAnnotated: policy?.keepsAnnotated ?? true,
    keepsDatasetSources: policy?.keepsDatasetSources ?? true,
    when: frequencyOf(schedule),
    schedule,
    projects: policy?.projects.edges.map(({ node }) => node.id) ?? [],
  };
}

/** Null for a text that is no number of this kind; empty is 0. */
function numberOf(typed: string, isWhole: boolean): number | null {
  const plain = typed.trim();
  if (plain === "") return 0;
  return (isWhole ? /^\d{1,10}$/ : /^\d{1,10}(?:\.\d{1,9})?$/).test(plain) ? Number(plain) : null;
}

export function problemsOf(values: PolicyValues) {
  const days = numberOf(values.days, false);
  const count = numberOf(values.count, true);
  const megabytes = numberOf(values.megabytes, false);
  return {
    name: values.name.trim() === "" && text("retention.name.missing"),
    days: days === null && text("retention.number"),
    count: count === null && text("retention.number.whole"),
    megabytes: megabytes === null && text("retention.number"),
    schedule: values.when === "other" && values.schedule.trim() === "" && text("retention.schedule.missing"),
  };
}

/** What is sent of the rule, for a policy and for its preview; null while a field is wrong. */
export function ruleOf(values: PolicyValues) {
  const maxDays = numberOf(values.days, false);
  const maxCount = numberOf(values.count, true);
  const megabytes = numberOf(values.megabytes, false);
  if (maxDays === null || maxCount === null || megabytes === null) return null;
  const { keepsAnnotated, keepsDatasetSources } = values;
  const rule =
    maxCount === 0
      ? { maxDays: { maxDays } }
      : maxDays === 0
        ? { maxCount: { maxCount } }
        : { maxDaysOrCount: { maxDays, maxCount } };
  return { rule, maxBytes: Math.round(megabytes * MEGABYTE), keepsAnnotated, keepsDatasetSources };
}

export function scheduleOf({ when, schedule }: PolicyValues): string {
  return when === "other" ? schedule : schedules[when];
}
