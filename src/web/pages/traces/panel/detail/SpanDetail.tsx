// The details of one span: its head, its facts, its cards. The payload is asked for when the span is chosen, together with that
// of the model call before it, so that repeated history can be folded without a jump.
import { useMemo } from "react";
import { type Previous, SpanContext } from "../../../../domain/trace/content/span-context.ts";
import { cardsOf } from "../../../../domain/trace/payload/cards.ts";
import { withoutRepeatedSystem } from "../../../../domain/trace/payload/conversation.ts";
import { factsOf } from "../../../../domain/trace/payload/facts.ts";
import { messagesOf } from "../../../../domain/trace/payload/messages.ts";
import type { Payload } from "../../../../domain/trace/payload/payload.ts";
import { previousCall } from "../../../../domain/trace/previous-call.ts";
import type { TraceSpan } from "../../../../domain/trace/trace-span.ts";
import type { TraceTree, TreeNode } from "../../../../domain/trace/tree.ts";
import { EmptyState, FailedState, Skeleton } from "../../../../kit/States.tsx";
import { text } from "../../../../texts/texts.ts";
import { useShownSpan } from "../use-shown-span.ts";
import type { TimeView } from "../use-time-window.ts";
import { CardOf } from "./CardOf.tsx";
import { DetailHead } from "./DetailHead.tsx";
import { Facts, type SpanSums } from "./Facts.tsx";
import styles from "./SpanDetail.module.css";

interface SpanDetailProps {
  readonly projectId: string;
  readonly node: TreeNode | null;
  readonly tree: TraceTree;
  readonly time: TimeView;
}

export function SpanDetail({ projectId, node, tree, time }: SpanDetailProps) {
  if (node === null) return <EmptyState title={text("span.none")} />;
  if (node.span === null) return <EmptyState title={text("span.missing")}>{text("span.missing.text")}</EmptyState>;
  return <ReceivedSpan key={node.key} projectId={projectId} span={node.span} node={node} tree={tree} time={time} />;
}

interface ReceivedSpanProps extends SpanDetailProps {
  readonly node: TreeNode;
  readonly span: TraceSpan;
}

function ReceivedSpan({ projectId, span, node, tree, time }: ReceivedSpanProps) {
  const before = useMemo(() => (span.kind === "LLM" ? previousCall(tree, node) : null), [span.kind, tree, node]);
  const own = useShownSpan(span.id, true);
  const other = useShownSpan(before?.id ?? "", before !== null);
  const waits = own.loading || (before !== null && other.loading);
  const previous = useMemo(
    (): Previous | null =>
      other.payload === null
        ? null
        : {
            input: withoutRepeatedSystem(messagesOf(other.payload, "input")),
            output: messagesOf(other.payload, "output"),
          },
    [other.payload],
  );
  // The server counts the documents of a span in this list.
  const list = span.kind === "RERANKER" ? "reranked" : "retrieved";
  const judged = useMemo(() => ({ projectId, list }) as const, [projectId, list]);
  return (
    <SpanContext value={{ spanId: span.id, previous, judged }}>
      <DetailHead span={span} time={time} />
      {own.failure !== null ? (
        <FailedState failure={own.failure} onRetry={own.retry} />
      ) : own.gone ? (
        <EmptyState title={text("span.gone")}>{text("span.gone.text")}</EmptyState>
      ) : waits || own.payload === null ? (
        <div className={styles.waiting}>
          <Skeleton lines={8} />
        </div>
      ) : (
        <Cards
          span={span}
          payload={own.payload}
          statusMessage={own.statusMessage}
          sums={own}
          traceStartUs={time.startUs}
        />
      )}
    </SpanContext>
  );
}

interface CardsProps {
  readonly span: TraceSpan;
  readonly payload: Payload;
  readonly statusMessage: string;
  readonly sums: SpanSums;
  readonly traceStartUs: number;
}

function Cards({ span, payload, statusMessage, sums, traceStartUs }: CardsProps) {
  const { kind, status, startUs } = span;
  const cards = useMemo(
    () => cardsOf({ kind, status, statusMessage }, payload),
    [kind, status, statusMessage, payload],
  );
  const facts = useMemo(() => factsOf(payload, startUs), [payload, startUs]);
  return (
    <>
      <Facts span={span} facts={facts} sums={sums} traceStartUs={traceStartUs} />
      {/* A region that scrolls must be reachable by keys. */}
      <div
        className={styles.cards}
        tabIndex={0}
        role="group"
        aria-label={text("span.detail", { name: span.shownName })}
      >
        {cards.map((card) => (
          <CardOf key={card.id} card={card} spanStartUs={startUs} />
        ))}
      </div>
    </>
  );
}
