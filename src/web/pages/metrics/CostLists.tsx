// Who and what costs most in the range: models by cost and by tokens, users by cost. An unknown cost is a dash, not an amount.
import { useRef } from "react";
import { costText } from "../../domain/costs/cost-text.ts";
import { literalOf } from "../../domain/filter/chips.ts";
import { projectOf } from "../../explorer/explorer.queries.ts";
import type { Bins } from "../../explorer/use-bins.ts";
import { formatCompact } from "../../lib/format.ts";
import { useGraphql } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import { groupWord } from "./cost-series.ts";
import type { ListLink } from "./list-links.ts";
import { topCosts } from "./metrics.queries.ts";
import { type TopEntry, TopList } from "./TopList.tsx";
import styles from "./TopLists.module.css";
import { useSeen } from "./use-seen.ts";

interface CostListsProps {
  readonly projectId: string;
  readonly bins: Bins;
  readonly link: ListLink;
}

interface Group {
  readonly value: string | null;
  readonly cost: number | null;
  readonly unknownCount: number;
}

const MOST = 8;

export function CostLists({ projectId, bins: { timeRange, config }, link }: CostListsProps) {
  const place = useRef<HTMLDivElement>(null);
  const seen = useSeen(place);
  const query = useGraphql(topCosts, timeRange && { id: projectId, timeRange, bins: config }, {
    keepPrevious: true,
    enabled: seen,
    live: "slowly",
  });
  const found = projectOf(query.data);
  const state = { error: query.error, onRetry: () => void query.refetch() };
  const models = found?.models.groups;
  const modelLink = (sort: string) => (value: string) =>
    value === groupWord("model", null)
      ? undefined
      : link("spans", { filter: `llm.model_name == ${literalOf(value)}`, sort });
  return (
    <div ref={place} className={styles.lists}>
      <TopList
        {...state}
        title={text("costs.top.models")}
        entries={models?.slice(0, MOST).map((group) => entryOf("model", group))}
        empty={text("costs.top.none")}
        to={modelLink("-tokenCostTotal")}
      />
      <TopList
        {...state}
        title={text("costs.top.tokens")}
        entries={models
          ?.toSorted((one, other) => (other.tokens ?? 0) - (one.tokens ?? 0))
          .slice(0, MOST)
          .map(({ value, tokens }) => ({
            value: groupWord("model", value),
            count: tokens ?? 0,
            shown: formatCompact(tokens),
          }))}
        empty={text("costs.top.none")}
        to={modelLink("-tokenCountTotal")}
      />
      <TopList
        {...state}
        title={text("costs.top.users")}
        entries={found?.users.groups.map((group) => entryOf("user", group))}
        empty={text("costs.top.none")}
        to={(value) =>
          value === groupWord("user", null)
            ? undefined
            : link("traces", { filter: `user.id == ${literalOf(value)}`, sort: "-costTotal" })
        }
      />
    </div>
  );
}

function entryOf(split: "model" | "user", { value, cost, unknownCount }: Group): TopEntry {
  return {
    value: groupWord(split, value),
    count: cost ?? 0,
    shown: costText({ cost, unknown: unknownCount > 0 }),
  };
}
