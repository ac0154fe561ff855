// What something costs, wherever a page says it: exact to two figures, a dash where it is unknown, and what it is made of at a pointer
// or a click.
import { Popover } from "../../kit/Menu.tsx";
import { Skeleton } from "../../kit/States.tsx";
import { Tooltip } from "../../kit/Tooltip.tsx";
import { Late, late } from "../../lib/late.tsx";
import { text } from "../../texts/texts.ts";
import styles from "./Cost.module.css";
import { costText, type KnownCost } from "./cost-text.ts";

const { Part: CostSplit } = late(() => import("./CostSplit.tsx"));

interface CostCellProps {
  /** Of a trace, a session or a span. */
  readonly id: string;
  readonly cost: number | null;
  /** Tokens without a cost mean a call of unknown cost. */
  readonly tokens: number | null;
}

/** In a list: the split comes once the pointer rests on it. */
export function CostCell({ id, cost, tokens }: CostCellProps) {
  const words = costText({ cost, unknown: cost === null && (tokens ?? 0) > 0 });
  if (words === "") return null;
  return (
    <Tooltip
      side="left"
      text={
        <Late>
          <CostSplit id={id} />
        </Late>
      }
    >
      <span className={styles.cell}>{words}</span>
    </Tooltip>
  );
}

interface CostFigureProps extends KnownCost {
  readonly id: string;
}

/** In a head: a button that opens the split. */
export function CostFigure({ id, ...known }: CostFigureProps) {
  return (
    <Popover
      label={text("costs.split")}
      align="start"
      trigger={
        <button type="button" className={styles.figure}>
          {known.cost === null ? text("costs.unknown.head") : costText(known)}
        </button>
      }
    >
      <Late fallback={<Skeleton lines={3} label={text("costs.loading")} />}>
        <CostSplit id={id} linked />
      </Late>
    </Popover>
  );
}
