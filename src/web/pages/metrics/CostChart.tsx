// What the calls of a project cost over time, against a budget. The budget is a habit of the reader: the browser keeps it.
import { Target } from "lucide-react";
import { useMemo, useState } from "react";
import { projectOf } from "../../explorer/explorer.queries.ts";
import { Button } from "../../kit/Button.tsx";
import type { Pointer } from "../../kit/charts/pointer.ts";
import type { Span } from "../../kit/charts/series.ts";
import { TimeChart } from "../../kit/charts/TimeChart.tsx";
import { Segmented, TextField } from "../../kit/Field.tsx";
import { PlainForm } from "../../kit/form/PlainForm.tsx";
import { Popover } from "../../kit/Menu.tsx";
import { formatCost } from "../../lib/format.ts";
import { createPreference, type Preference, usePreference } from "../../lib/preferences.ts";
import { useGraphql } from "../../lib/queries.ts";
import { LiveRange } from "../../lib/time-range.ts";
import { useTimeZone } from "../../lib/time-zone.ts";
import { text } from "../../texts/texts.ts";
import { amountFrom, atThisPace, type Budget, budgetOfBin, periodAt } from "./budget.ts";
import styles from "./CostChart.module.css";
import { type CostSplit, costSplits } from "./cost-series.ts";
import { costSince } from "./metrics.queries.ts";
import type { AskedChart } from "./use-chart.ts";

interface CostChartProps {
  readonly projectId: string;
  readonly split: CostSplit;
  readonly onSplit: (split: CostSplit) => void;
  readonly asked: Omit<AskedChart, "place">;
  readonly pointer: Pointer;
  readonly onSpan: (span: Span) => void;
}

const splitChoices = costSplits.map((value) => ({ value, label: text(`costs.by.${value}`) }));

const budgets = new Map<string, Preference<Budget | null>>();

function budgetPreference(projectId: string): Preference<Budget | null> {
  const known = budgets.get(projectId) ?? createPreference<Budget | null>(`budget.${projectId}`, null);
  budgets.set(projectId, known);
  return known;
}

export function CostChart({ projectId, split, onSplit, asked, ...rest }: CostChartProps) {
  const zone = useTimeZone();
  const [kept, setBudget] = usePreference(budgetPreference(projectId));
  const budget = usable(kept);
  const { data } = asked;
  const shown = useMemo(() => {
    if (data === undefined || budget === null) return data;
    const value = budgetOfBin(budget, data.lengthMs, data.begins.at(-1) ?? Date.now(), zone);
    return { ...data, limit: { label: text("costs.budget.line", { cost: formatCost(value) }), value } };
  }, [data, budget, zone]);
  return (
    <TimeChart
      {...asked}
      {...rest}
      name="costs"
      title={text("costs.cost")}
      kind="bars"
      data={shown}
      format={formatCost}
      axisFormat={formatCost}
      controls={
        <>
          <Segmented label={text("costs.by")} value={split} choices={splitChoices} onChange={onSplit} />
          <BudgetButton budget={budget} onChange={setBudget} />
        </>
      }
    >
      {budget !== null && <Pace projectId={projectId} budget={budget} zone={zone} />}
    </TimeChart>
  );
}

/** A value that an older version stored, or that was edited by hand, may not be a valid budget. */
function usable(kept: Budget | null): Budget | null {
  return kept !== null && kept.amount > 0 && (kept.period === "day" || kept.period === "month") ? kept : null;
}

interface PaceProps {
  readonly projectId: string;
  readonly budget: Budget;
  readonly zone: string;
}

/** How the period of now goes. */
function Pace({ projectId, budget, zone }: PaceProps) {
  const nowMs = Date.now();
  const { beginMs, endMs } = periodAt(budget, nowMs, zone);
  const timeRange = useMemo(
    () => new LiveRange({ preset: null, from: new Date(beginMs).toISOString(), to: null }),
    [beginMs],
  );
  const { data, error } = useGraphql(costSince, { id: projectId, timeRange }, { keepPrevious: true, live: "slowly" });
  const project = projectOf(data);
  if (error) return <p className={styles.pace}>{error.message}</p>;
  if (project === undefined) return <p className={styles.pace}>{text("costs.budget.waiting")}</p>;
  const spent = project.costSummary.total.cost ?? 0;
  const expected = atThisPace(spent, { beginMs, endMs }, nowMs);
  const amounts = { spent: formatCost(spent), amount: formatCost(budget.amount), expected: formatCost(expected) };
  return (
    <p className={styles.pace} data-over={expected > budget.amount || undefined}>
      {text(`costs.budget.${budget.period}`, amounts)}{" "}
      <b>
        {spent > budget.amount
          ? text("costs.budget.spent", { over: formatCost(spent - budget.amount) })
          : text(expected > budget.amount ? "costs.budget.over" : "costs.budget.within", amounts)}
      </b>
    </p>
  );
}

interface BudgetButtonProps {
  readonly budget: Budget | null;
  readonly onChange: (budget: Budget | null) => void;
}

function BudgetButton({ budget, onChange }: BudgetButtonProps) {
  return (
    <Popover
      label={text("costs.budget")}
      align="start"
      trigger={
        <button type="button" className={styles.budget}>
          <Target />
          {budget === null
            ? text("costs.budget.set")
            : text(`costs.budget.per.${budget.period}`, { amount: formatCost(budget.amount) })}
        </button>
      }
    >
      {(close) => (
        <BudgetForm
          budget={budget}
          onChange={(next) => {
            onChange(next);
            close();
          }}
        />
      )}
    </Popover>
  );
}

function BudgetForm({ budget, onChange }: BudgetButtonProps) {
  const [typed, setTyped] = useState(budget === null ? "" : String(budget.amount));
  const [period, setPeriod] = useState<Budget["period"]>(budget?.period ?? "month");
  const [tried, setTried] = useState(false);
  const amount = amountFrom(typed);
  return (
    <PlainForm
      className={styles.form}
      onSubmit={() => {
        setTried(true);
        if (amount !== null) onChange({ amount, period });
      }}
    >
      <TextField
        label={text("costs.budget.amount")}
        value={typed}
        onChange={setTyped}
        inputMode="decimal"
        problem={tried && amount === null ? text("costs.budget.amount.wrong") : null}
        hint={text("costs.budget.kept")}
        autoFocus
      />
      <Segmented
        label={text("costs.budget.period")}
        value={period}
        choices={[
          { value: "month", label: text("costs.budget.a.month") },
          { value: "day", label: text("costs.budget.a.day") },
        ]}
        onChange={setPeriod}
      />
      <div className={styles.buttons}>
        {budget !== null && (
          <Button look="quiet" onClick={() => onChange(null)}>
            {text("costs.budget.remove")}
          </Button>
        )}
        <Button look="main" type="submit">
          {text("costs.budget.save")}
        </Button>
      </div>
    </PlainForm>
  );
}
