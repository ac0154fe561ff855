// The steps of graphs as rows: what the picture shows, to be read.
import { KindGlyph } from "../../../domain/trace/KindGlyph.tsx";
import { formatCost, formatCount, formatDuration } from "../../../lib/format.ts";
import type { DrawnGraph, DrawnNode } from "./drawn-graph.ts";
import { stepId } from "./drawn-graph.ts";
import styles from "./GraphTable.module.css";
import { graphText } from "./graph-text.ts";
import { followedBy } from "./graph-words.ts";

const MOST_ROWS = 1000;

interface GraphTableProps {
  readonly graphs: readonly DrawnGraph[];
  /** Ids of steps. */
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (graph: DrawnGraph, node: DrawnNode) => void;
}

export function GraphTable({ graphs, chosen, onChoose }: GraphTableProps) {
  const rows = graphs.flatMap((graph) => graph.nodes.map((node) => ({ graph, node })));
  return (
    // A region that scrolls must be reachable by keys.
    <section className={styles.scroll} aria-label={graphText("graph.shown.table")} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{graphText("graph.step")}</th>
            <th scope="col">{graphText("graph.agent")}</th>
            <th scope="col" className={styles.number}>
              {graphText("graph.count")}
            </th>
            <th scope="col" className={styles.number}>
              {graphText("graph.median")}
            </th>
            <th scope="col" className={styles.number}>
              {graphText("graph.errors")}
            </th>
            <th scope="col" className={styles.number}>
              {graphText("graph.cost")}
            </th>
            <th scope="col">{graphText("graph.followed")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map(({ graph, node }) => (
            <tr key={stepId(graph, node)} data-chosen={chosen.has(stepId(graph, node))}>
              <th scope="row">
                <button
                  type="button"
                  className={styles.step}
                  aria-pressed={chosen.has(stepId(graph, node))}
                  onClick={() => onChoose(graph, node)}
                >
                  <KindGlyph kind={node.kind} />
                  <bdi>{node.name}</bdi>
                </button>
              </th>
              <td>
                <bdi>{graph.name}</bdi>
              </td>
              <td className={styles.number}>{formatCount(node.spanCount)}</td>
              <td className={styles.number}>{formatDuration(node.latencyMsP50)}</td>
              <td className={styles.number}>{node.errorCount === 0 ? "" : formatCount(node.errorCount)}</td>
              <td className={styles.number}>{node.cost === 0 ? "" : formatCost(node.cost)}</td>
              <td>{followedBy(graph, node)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MOST_ROWS && (
        <p className={styles.more}>{graphText("graph.table.more", { count: MOST_ROWS, total: rows.length })}</p>
      )}
    </section>
  );
}
