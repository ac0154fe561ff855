// What is spent over time as charts show it: by kind of token, by model or by user, with what no group of these holds.
import { unsplitCost } from "../../domain/costs/cost-parts.ts";
import { tokenKindHue, tokenKindWord } from "../../domain/costs/token-kinds.ts";
import { projectOf } from "../../explorer/explorer.queries.ts";
import type { ChartData } from "../../kit/charts/series.ts";
import type { ResultOf } from "../../lib/graphql.ts";
import { text } from "../../texts/texts.ts";
import type { costSeries } from "./metrics.queries.ts";

export const costSplits = ["kind", "model", "user"] as const;
export type CostSplit = (typeof costSplits)[number];

interface GroupLook {
  readonly label: string;
  readonly color: string;
}

/** As many groups as a chart tells apart; of kinds all that are known. */
const MOST_GROUPS = 6;
const seriesHues = Array.from({ length: 8 }, (_, at) => `--series-${at + 1}`);

/** What is asked, and how the answer is read; the same each time, as charts need it. */
export const askedSplits = {
  kind: { asked: { by: "KIND", first: 20 }, read: costsOf("kind") },
  model: { asked: { by: "MODEL", first: MOST_GROUPS }, read: costsOf("model") },
  user: { asked: { by: "USER", first: MOST_GROUPS }, read: costsOf("user") },
} as const;

/** US dollars. */
function costsOf(split: CostSplit) {
  return (answer: ResultOf<typeof costSeries>, lengthMs: number): ChartData | undefined => {
    const found = projectOf(answer)?.costGroups;
    if (found === undefined) return undefined;
    const series = found.groups
      .filter(({ costs }) => costs.some((cost) => cost !== null))
      .map(({ value, costs }, at) => ({
        key: `= ${value}`,
        ...lookOf(split, value, at),
        values: costs.map((cost) => cost ?? 0),
      }));
    const rest = found.all.map((all, bin) =>
      unsplitCost(
        series.reduce((sum, { values }) => sum + (values[bin] ?? 0), 0),
        all,
      ),
    );
    if (rest.some((cost) => cost > 0)) {
      const label = text(split === "kind" ? "costs.unsplit" : "costs.others");
      series.push({ key: "rest", label, color: "--unset", values: rest });
    }
    return { begins: found.timestamps.map((each) => Date.parse(each)), lengthMs, series, divisible: true };
  };
}

function lookOf(split: CostSplit, value: string | null, at: number): GroupLook {
  if (split !== "kind") return { label: groupWord(split, value), color: seriesHues[at % seriesHues.length]! };
  const [side = "", ...words] = (value ?? "").split(" ");
  const kind = { tokenType: words.join(" "), isPrompt: side === "in" };
  return { label: tokenKindWord(kind), color: tokenKindHue(kind) };
}

export function groupWord(split: "model" | "user", value: string | null): string {
  return value || text(split === "model" ? "metrics.unnamed" : "costs.user.none");
}
