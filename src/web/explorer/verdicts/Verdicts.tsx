// Annotations of the rows of a list: figures above it, facets beside it, names in its menu of columns. Loaded late, and asked for
// when the rows are there.
import { Plus } from "lucide-react";
import { useAddedColumns } from "../../kit/table/columns.ts";
import { formatCompact, formatShare } from "../../lib/format.ts";
import { text } from "../../texts/texts.ts";
import { type FacetGroup, FacetGroups } from "../FacetSidebar.tsx";
import { type Stat, StatItems } from "../StatsBar.tsx";
import { type ListedVerdict, type Listing, useVerdicts } from "./use-verdicts.ts";
import styles from "./Verdicts.module.css";
import { shownName, verdictColumn } from "./verdict-columns.tsx";
import { bandOf, labelFacet, presenceFacet, scoreFacet, type VerdictList } from "./verdict-facets.ts";
import type { VerdictFigures } from "./verdicts.queries.ts";

interface VerdictsProps {
  readonly list: VerdictList;
  readonly listing: Listing;
  /** The rows are there. */
  readonly isListed: boolean;
  /** How many rows there are; undefined while they are counted. */
  readonly total: number | undefined;
  /** More rows may come of a search. */
  readonly atLeast: boolean;
  readonly condition: string;
  readonly onCondition: (condition: string) => void;
  readonly as: "figures" | "facets" | "columns";
}

/** Names above the list: there is space for few. */
const MOST_FIGURES = 3;

export default function Verdicts({ as, ...props }: VerdictsProps) {
  const listed = useVerdicts(props.list, props.listing, props.isListed);
  if (listed === undefined || listed.length === 0) return null;
  if (as === "figures") return <StatItems stats={listed.slice(0, MOST_FIGURES).map(figureOf)} />;
  if (as === "columns") return <AddColumns table={props.list} verdicts={listed} />;
  return (
    <FacetGroups
      groups={listed.flatMap((one) => groupsOf(one, props))}
      condition={props.condition}
      onCondition={props.onCondition}
      problem={null}
      note={null}
      counting={false}
    />
  );
}

function meanOf({ meanScore }: VerdictFigures): string | null {
  return meanScore === null ? null : formatScore(meanScore);
}

/** As many digits as tell scores apart. */
function formatScore(score: number): string {
  return Math.abs(score) >= 1000 ? formatCompact(score) : String(Number(score.toPrecision(3)));
}

/** Characters of a label above the list. */
const MOST_LABEL = 24;

function beginningOf(label: string): string {
  const characters = [...label];
  return characters.length <= MOST_LABEL
    ? label
    : `${characters
        .slice(0, MOST_LABEL - 1)
        .join("")
        .trimEnd()}…`;
}

/** The most frequent label with its share, the mean score; all labels as a hint. */
function figureOf(one: ListedVerdict): Stat {
  const [first] = one.labels;
  const shares = one.labels.map(({ label, fraction }) => `${label} ${formatShare(fraction)}`);
  const mean = meanOf(one);
  const hint = [...shares, ...(mean === null ? [] : [text("explorer.verdicts.mean", { mean })])].join("\n");
  const label = first && `${beginningOf(first.label)} ${formatShare(first.fraction)}`;
  return {
    label: shownName(one.of, one.name),
    value: [label, mean].filter(Boolean).join(" · ") || text("explorer.verdicts.words"),
    hint,
  };
}

function groupsOf(one: ListedVerdict, { total, atLeast }: Omit<VerdictsProps, "as">): readonly FacetGroup[] {
  const { name, count, of } = one;
  const shown = shownName(of, name);
  const mean = meanOf(one);
  const none = total === undefined ? 0 : Math.max(0, total - count);
  const presence = [
    { value: "some", label: text("explorer.verdicts.some"), count },
    { value: "none", label: text("explorer.verdicts.none"), count: none },
    { value: "disputed", label: text("explorer.verdicts.disputed"), count: one.disputedCount },
  ];
  return [
    {
      key: `${of} labels ${name}`,
      title: shown,
      figure: mean === null ? undefined : text("explorer.verdicts.figure", { mean }),
      values: one.labels.map(({ label, count: rows }) => ({ value: label, label, count: rows })),
      always: true,
      facet: labelFacet(of, name),
      atLeast,
    },
    {
      key: `${of} scores ${name}`,
      values: one.scores.map((band) => ({ value: bandOf(band), label: bandLabel(band), count: band.count })),
      facet: scoreFacet(of, name),
      atLeast,
    },
    {
      key: `${of} presence ${name}`,
      values: presence.filter((each) => each.count > 0),
      facet: presenceFacet(of, name),
      atLeast,
    },
  ];
}

function bandLabel({ min, max }: VerdictFigures["scores"][number]): string {
  if (min === null) return `< ${max}`;
  return max === null ? `≥ ${min}` : `${min} – ${max}`;
}

function AddColumns({ table, verdicts }: { readonly table: VerdictList; readonly verdicts: readonly ListedVerdict[] }) {
  const [added, add] = useAddedColumns(table);
  const others = verdicts
    .map(({ of, name }) => ({ key: verdictColumn(of, name), shown: shownName(of, name) }))
    .filter(({ key }) => !added.includes(key));
  if (others.length === 0) return null;
  return (
    <section className={styles.columns} aria-label={text("explorer.verdicts.columns")}>
      <h3>{text("explorer.verdicts.columns")}</h3>
      <ul>
        {others.map(({ key, shown }) => (
          <li key={key}>
            <button type="button" title={shown} onClick={() => add(key)}>
              <Plus aria-hidden />
              <span>{shown}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
