// What a run over a dataset will take, before it is started.
import { formatCompact, formatCost, formatCount } from "../../lib/format.ts";
import { text } from "../../texts/texts.ts";
import styles from "./Dataset.module.css";
import { sumOf } from "./dataset-run.ts";
import type { Estimate } from "./use-dataset-runs.ts";

export function EstimateLine({ estimate: { estimates, isPending, problem } }: { readonly estimate: Estimate }) {
  if (problem !== null) {
    return (
      <p className={styles.problem} role="alert">
        {problem}
      </p>
    );
  }
  if (estimates === null) {
    return <p className={styles.estimate}>{isPending ? text("playground.estimate.pending") : ""}</p>;
  }
  const { calls, prompt_tokens, completion_tokens, cost, max_cost } = sumOf(estimates);
  const price =
    cost === null
      ? text("playground.estimate.unpriced")
      : max_cost === null || max_cost <= cost
        ? formatCost(cost)
        : text("playground.estimate.price", { cost: formatCost(cost), most: formatCost(max_cost) });
  const failing = estimates.find(({ failing_examples: count }) => count > 0);
  return (
    <>
      <p className={styles.estimate} aria-busy={isPending}>
        {text("playground.estimate", {
          calls: formatCount(calls),
          tokens: formatCompact(prompt_tokens + completion_tokens),
          price,
        })}
      </p>
      {failing !== undefined && (
        <p className={styles.problem} role="alert">
          {text("playground.estimate.failing", { problem: failing.problem ?? "" })}
        </p>
      )}
    </>
  );
}
