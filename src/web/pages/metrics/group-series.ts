// Amounts by the values of an attribute, as charts show them.
import { projectOf } from "../../explorer/explorer.queries.ts";
import type { ChartData } from "../../kit/charts/series.ts";
import type { ResultOf } from "../../lib/graphql.ts";
import { text } from "../../texts/texts.ts";
import type { groupSeries } from "./metrics.queries.ts";

export type GroupMeasure = "TRACES" | "LATENCY" | "TOKENS" | "COST" | "SPANS";

/** As many as the hues of a chart tell apart. */
export const MOST_GROUPS = 6;

/** How answers are read; each the same function every time, as charts need it. Bars of nothing are noughts, lines have a gap. */
export const groupsOf = {
  TRACES: reader({}),
  LATENCY: reader({ durations: true }),
  TOKENS: reader({}),
  COST: reader({ divisible: true }),
  SPANS: reader({}),
} as const;

function reader(more: Pick<ChartData, "durations" | "divisible">) {
  return (answer: ResultOf<typeof groupSeries>, lengthMs: number): ChartData | undefined => {
    const found = projectOf(answer)?.attributeGroups;
    if (found === undefined) return undefined;
    const nothing = more.durations === true ? null : 0;
    const valuesOf = (amounts: readonly (number | null)[]) => amounts.map((amount) => amount ?? nothing);
    const series = found.groups.map(({ value, amounts }, at) => ({
      key: value === null ? "none" : `= ${value}`,
      label: value ?? text("metrics.group.none"),
      color: `--series-${at + 1}`,
      ...(more.durations === true && at % 2 === 1 ? { dash: [6, 3] } : {}),
      values: valuesOf(amounts),
    }));
    if (found.others !== null)
      series.push({ key: "others", label: text("costs.others"), color: "--unset", values: valuesOf(found.others) });
    return { begins: found.timestamps.map((each) => Date.parse(each)), lengthMs, series, ...more };
  };
}

/** How a title names an attribute: the last of its keys. */
export function attributeWord(attribute: string): string {
  const keys = [...attribute.matchAll(/\[\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*\]/g)];
  const [, single, double] = keys.at(-1) ?? [];
  return (single ?? double ?? attribute).replace(/\\(.)/g, "$1");
}
