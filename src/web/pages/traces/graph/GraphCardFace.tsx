// A step as a card, or as the head of the box that shows its own steps.
import { ChevronDown, ChevronRight, CircleAlert } from "lucide-react";
import { KindGlyph } from "../../../domain/trace/KindGlyph.tsx";
import { classes } from "../../../kit/classes.ts";
import { formatCost, formatCount } from "../../../lib/format.ts";
import { text } from "../../../texts/texts.ts";
import type { DrawnGraph, DrawnNode } from "./drawn-graph.ts";
import styles from "./GraphPicture.module.css";
import { type GraphCard, HEAD_HEIGHT } from "./graph-layout.ts";
import { graphText } from "./graph-text.ts";
import { figureWords, followedBy } from "./graph-words.ts";

interface GraphCardFaceProps {
  readonly card: GraphCard;
  /** The tab key leads to it. */
  readonly active: boolean;
  readonly chosen: boolean;
  /** `byKeys`: it may be out of sight. */
  readonly onFocus: (card: GraphCard, byKeys: boolean) => void;
  readonly onChoose: (graph: DrawnGraph, node: DrawnNode) => void;
  readonly onToggle: (id: string) => void;
}

export function GraphCardFace({ card, active, chosen, onFocus, onChoose, onToggle }: GraphCardFaceProps) {
  const { id, graph, node, isOpen } = card;
  const next = followedBy(graph, node);
  const tabIndex = active ? 0 : -1;
  return (
    <div
      className={classes(styles.card, isOpen === true && styles.head)}
      style={{ left: card.x, top: card.y, width: card.width, height: isOpen === true ? HEAD_HEIGHT : card.height }}
    >
      <button
        type="button"
        data-card={id}
        tabIndex={tabIndex}
        aria-pressed={chosen}
        title={node.name}
        className={styles.face}
        onFocus={({ currentTarget }) => onFocus(card, currentTarget.matches(":focus-visible"))}
        onClick={() => onChoose(graph, node)}
      >
        <span className={styles.name}>
          <KindGlyph kind={node.kind} />
          <bdi className={styles.word}>{node.name}</bdi>
        </span>
        <span className={styles.figures}>
          <span>{figureWords(node)}</span>
          {isOpen === true && node.cost > 0 && <span>{formatCost(node.cost)}</span>}
          {node.errorCount > 0 && (
            <span className={styles.failed}>
              <CircleAlert aria-hidden="true" />
              <span aria-hidden="true">{formatCount(node.errorCount)}</span>
              <span className="visually-hidden">{text("trace.errors", { count: node.errorCount })}</span>
            </span>
          )}
        </span>
        {next !== "" && <span className="visually-hidden">{graphText("graph.leads", { steps: next })}</span>}
      </button>
      {isOpen !== null && (
        <button
          type="button"
          tabIndex={tabIndex}
          aria-label={graphText(isOpen ? "graph.close" : "graph.open", { name: node.name })}
          aria-expanded={isOpen}
          className={styles.fold}
          onClick={() => onToggle(id)}
        >
          {isOpen ? <ChevronDown aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
        </button>
      )}
    </div>
  );
}
