// What a selection has in common: a bar for the share here and in the rest, how much more frequent it is, and the way to a filter. Then what
// does not distinguish the selection, and what is too rare to tell.
import { Minus, Plus } from "lucide-react";
import { IconButton } from "../../kit/Button.tsx";
import { FailedState, Notice, Skeleton } from "../../kit/States.tsx";
import { formatCost, formatCount, formatDuration, formatShare } from "../../lib/format.ts";
import { useGraphql } from "../../lib/queries.ts";
import { textsOf } from "../../texts/texts.ts";
import styles from "./Explanation.module.css";
import { explanationTexts } from "./explanation.late-texts.ts";
import { type ExplainedValue, explanationOf, type FoundExplanation } from "./explanation.queries.ts";

const text = textsOf(explanationTexts);

interface GivenRange {
  readonly start: string | null;
  readonly end: string | null;
}

export interface ExplainedSelection {
  readonly projectId: string;
  readonly of: "traces" | "spans";
  /** Of everything that is compared; null: of the whole project. */
  readonly timeRange: GivenRange | null;
  readonly condition: string;
  /** The selection starts in it, too. */
  readonly selectedTimeRange: GivenRange | null;
}

interface ExplanationProps extends ExplainedSelection {
  /** A condition that was chosen; absent where nothing is filtered. */
  readonly onCondition?: (condition: string) => void;
}

export function Explanation({ projectId, of, timeRange, condition, selectedTimeRange, onCondition }: ExplanationProps) {
  const query = useGraphql(explanationOf, {
    ...{ id: projectId, timeRange, condition, selectedTimeRange },
    of: of === "traces" ? "TRACES" : "SPANS",
  });
  const found = query.data?.node.__typename === "Project" ? query.data.node.explanation : undefined;
  if (found !== undefined) return <Found of={of} found={found} onCondition={onCondition} />;
  if (query.error !== null) return <FailedState failure={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton lines={6} />;
}

interface FoundProps {
  readonly of: "traces" | "spans";
  readonly found: FoundExplanation;
  readonly onCondition: ((condition: string) => void) | undefined;
}

function Found({ of, found, onCondition }: FoundProps) {
  const significant = found.values.filter(({ isSignificant }) => isSignificant);
  return (
    <div className={styles.explanation}>
      <p>
        <b>{text(`explanation.selected.${of}`, { count: found.selectedCount })}</b>{" "}
        <span className={styles.others}>{text("explanation.others", { count: found.restCount })}</span>
      </p>
      {!found.isComplete && <Notice>{text("explanation.newest")}</Notice>}
      {significant.length === 0 ? (
        <p className={styles.others}>{text(found.isTooFew ? "explanation.few" : "explanation.none")}</p>
      ) : (
        <ol className={styles.values} aria-label={text("explanation.values")}>
          {significant.map((each) => (
            <li key={each.only}>
              <Value value={each} found={found} onCondition={onCondition} />
            </li>
          ))}
        </ol>
      )}
      {!found.isTooFew && (
        <>
          <Names label={text("explanation.same")} names={found.notDistinguishing} />
          <Names label={text("explanation.rare")} names={found.tooRare} />
          <Names label={text("explanation.incomplete")} names={found.incomplete} />
          <p className={styles.others}>{text("explanation.looked", { count: found.valueCount })}</p>
        </>
      )}
    </div>
  );
}

interface ValueProps {
  readonly value: ExplainedValue;
  readonly found: FoundExplanation;
  readonly onCondition: ((condition: string) => void) | undefined;
}

function Value({ value, found, onCondition }: ValueProps) {
  const shown = shownValue(value);
  const here = value.selectedCount / found.selectedCount;
  const rest = value.restCount / found.restCount;
  const lift = value.lift.toLocaleString("en-US", { maximumSignificantDigits: 2 });
  return (
    <div className={styles.value}>
      <span className={styles.name}>{nameOf(value.name)}</span>
      <bdi className={styles.shown}>{shown}</bdi>
      <span className={styles.lift} title={text("explanation.lift.label", { lift })}>
        {text("explanation.lift", { lift })}
      </span>
      {onCondition !== undefined && (
        <span className={styles.choices}>
          <IconButton
            small
            label={text("explanation.only", { value: shown })}
            icon={<Plus />}
            onClick={() => onCondition(value.only)}
          />
          <IconButton
            small
            label={text("explanation.without", { value: shown })}
            icon={<Minus />}
            onClick={() => onCondition(value.without)}
          />
        </span>
      )}
      <span className={styles.bars}>
        <Bar share={here} words={text("explanation.here", { share: formatShare(here) })} isHere />
        <Bar share={rest} words={text("explanation.rest", { share: formatShare(rest) })} />
      </span>
      <span className={styles.count}>{text("explanation.count", { count: formatCount(value.selectedCount) })}</span>
    </div>
  );
}

interface BarProps {
  readonly share: number;
  readonly words: string;
  readonly isHere?: boolean;
}

function Bar({ share, words, isHere = false }: BarProps) {
  return (
    <span className={styles.bar} data-here={isHere || undefined}>
      <span className={styles.track} aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </span>
      {words}
    </span>
  );
}

function Names({ label, names }: { readonly label: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p className={styles.names}>
      <span className={styles.others}>{label}</span> {names.map(nameOf).join(", ")}
    </p>
  );
}

/** Names of the language that have a word of their own. */
function nameOf(name: string): string {
  const key = `explanation.name.${name}`;
  return key in explanationTexts ? text(`explanation.name.${name as "model"}`) : name;
}

/** Of numbers by their unit. */
const formats: Readonly<Record<string, (value: number) => string>> = {
  latency_ms: formatDuration,
  total_cost: formatCost,
};

function shownValue({ name, value, minimum, maximum }: ExplainedValue): string {
  if (minimum === null) return value;
  const format = formats[name] ?? ((number: number) => number.toLocaleString("en-US", { maximumSignificantDigits: 6 }));
  const min = format(minimum);
  return maximum === null
    ? text("explanation.from", { min })
    : text("explanation.between", { min, max: format(maximum) });
}
