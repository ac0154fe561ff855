// What makes up a cost: a bar of its parts, each kind of token with its count and amount, and where the amounts are from. Its script
// is loaded on demand.
import { Link } from "wouter";
import { Skeleton } from "../../kit/States.tsx";
import { formatCost, formatCount } from "../../lib/format.ts";
import { linkTo } from "../../lib/links.ts";
import { useGraphql } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import styles from "./CostSplit.module.css";
import { costParts, sumOfEntries, unsplitCost } from "./cost-parts.ts";
import { type CostSplitNode, costSplit } from "./costs.queries.ts";

interface CostSplitProps {
  /** Of a trace, a session or a span. */
  readonly id: string;
  /** It can be clicked: what has no price leads to where prices are. */
  readonly linked?: boolean;
}

export default function CostSplit({ id, linked = false }: CostSplitProps) {
  const { data, error } = useGraphql(costSplit, { id });
  const node = data?.node;
  if (error && node === undefined) return <p className={styles.note}>{error.message}</p>;
  if (node === undefined) return <Skeleton lines={3} label={text("costs.loading")} />;
  if (!isPriced(node)) return <p className={styles.note}>{text("costs.none")}</p>;
  const { total } = (node.__typename === "Span" ? node.own : node.total) ?? { total: { tokens: null, cost: null } };
  const parts = costParts(node.entries, total.cost);
  const unsplit = unsplitCost(sumOfEntries(node.entries), total.cost);
  return (
    <div className={styles.split}>
      {total.cost !== null && (
        <div className={styles.bar} aria-hidden="true">
          {parts.map(({ key, hue, share }) => (
            <span key={key} style={{ flexGrow: share, background: `var(${hue})` }} />
          ))}
          {unsplit > 0 && <span className={styles.unsplit} style={{ flexGrow: unsplit / total.cost }} />}
        </div>
      )}
      <table className={styles.parts}>
        <thead className="visually-hidden">
          <tr>
            <th>{text("costs.kind")}</th>
            <th>{text("costs.tokens")}</th>
            <th>{text("costs.cost")}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ key, word, hue, tokens, cost }) => (
            <tr key={key}>
              <th>
                <i style={{ background: `var(${hue})` }} />
                {word}
              </th>
              <td>{formatCount(tokens)}</td>
              <td>{formatCost(cost)}</td>
            </tr>
          ))}
          {unsplit > 0 && (
            <tr>
              <th>
                <i className={styles.unsplit} />
                {text("costs.unsplit")}
              </th>
              <td />
              <td>{formatCost(unsplit)}</td>
            </tr>
          )}
          <tr className={styles.total}>
            <th>{text("costs.total")}</th>
            <td>{formatCount(total.tokens)}</td>
            <td>{total.cost === null ? text("costs.unknown") : formatCost(total.cost)}</td>
          </tr>
        </tbody>
      </table>
      {notesOf(node).map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
      {linked && hasUnknown(node) && (
        <p className={styles.note}>
          <Link href={linkTo("models")}>{text("costs.price.set")}</Link>
        </p>
      )}
    </div>
  );
}

function isPriced(node: { readonly __typename: string } | null): node is CostSplitNode {
  return node !== null && ["Span", "Trace", "ProjectSession"].includes(node.__typename);
}

function hasUnknown(node: CostSplitNode): boolean {
  return node.__typename === "Span" ? node.costSource === "UNKNOWN" : node.costOrigins.unknown > 0;
}

/** Where amounts are from, as far as they are not from a price. */
function notesOf(node: CostSplitNode): readonly string[] {
  if (node.__typename === "Span") {
    if (node.costSource === "GIVEN") return [text("costs.note.given")];
    const notes = node.costSource === "UNKNOWN" ? [text("costs.note.unknown")] : [];
    if (node.givenCost !== null) notes.push(text("costs.note.reported", { cost: formatCost(node.givenCost) }));
    return notes;
  }
  const { given, unknown } = node.costOrigins;
  return [
    ...(given > 0 ? [text("costs.note.given.count", { count: given })] : []),
    ...(unknown > 0 ? [text("costs.note.unknown.count", { count: unknown })] : []),
  ];
}
