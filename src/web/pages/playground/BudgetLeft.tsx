// What calls of the user may still take: nothing is shown where no budget limits them.
import { useEffect } from "react";
import { formatCompact, formatCost } from "../../lib/format.ts";
import { useGraphql } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import styles from "./Dataset.module.css";
import { budgetLeft } from "./playground.queries.ts";

interface BudgetLeftProps {
  readonly isRunning: boolean;
  /** USD that a run over a dataset may take at most; null where that is not known. */
  readonly mostCost?: number | null;
}

export function BudgetLeft({ isRunning, mostCost = null }: BudgetLeftProps) {
  const { data, refetch } = useGraphql(budgetLeft, {}, { live: true });
  // What a run took is known when it has ended.
  useEffect(() => (isRunning ? () => void refetch() : undefined), [isRunning, refetch]);
  if (data === undefined) return null;
  const { cost, tokens } = data.budgetLeft;
  const isExceeded = cost !== null && mostCost !== null && mostCost > cost.left;
  return (
    <>
      {cost !== null && (
        <p className={isExceeded ? styles.problem : styles.estimate}>
          {text(`playground.budget.${cost.period}`, { amount: formatCost(cost.left) })}
          {isExceeded && ` ${text("playground.budget.exceeded")}`}
        </p>
      )}
      {tokens !== null && (
        <p className={styles.estimate}>
          {text(`playground.budget.${tokens.period}`, {
            amount: text("playground.budget.tokens", { count: formatCompact(tokens.left) }),
          })}
        </p>
      )}
    </>
  );
}
