// The spans of traces that are unfolded in the list, loaded on demand.
import { useQueries } from "@tanstack/react-query";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { attributeText } from "../../explorer/attribute-columns.tsx";
import { InputToOutput, Words } from "../../explorer/cells.tsx";
import type { ChildRow, Unfolding } from "../../kit/table/unfolding.ts";
import { useAddress } from "../../lib/address.ts";
import { type AnyDocument, askGraphql, nodesOf, readFragment, shownBy } from "../../lib/graphql.ts";
import { useLiveInterval } from "../../lib/live.ts";
import { text } from "../../texts/texts.ts";
import { type Measured, spanAttributes, spanColumns } from "./list-columns.tsx";
import styles from "./lists.module.css";
import { type SpanListRow, spanRow, spansBelow, type TraceRow } from "./lists.queries.ts";
import { SELECTED } from "./panel/panel-address.ts";
import { inTreeOrder } from "./tree-order.ts";

/** Spans below the root that a row shows; the rest is in the trace. */
const MOST_SPANS = 50;

type SpanBelow = SpanListRow & { readonly errorType: string | null };

interface Below {
  readonly span: SpanBelow;
  /** 1 directly below the root. */
  readonly depth: number;
}

interface UnfoldedOptions {
  readonly openTraceId: string | null;
  /** Those of the added columns. */
  readonly attributes: readonly string[];
  readonly onOpen: (at: { readonly traceId: string; readonly spanNodeId?: string }) => void;
}

type Row = Measured<TraceRow>;

export function useUnfoldedTraces({ openTraceId, attributes, onOpen }: UnfoldedOptions): Unfolding<Row> {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const answers = useSpansBelow(unfolded, attributes);
  const selected = useAddress().get(SELECTED);
  const onUnfold = useCallback(({ id }: Row, unfold: boolean) => {
    setUnfolded((before) => {
      const after = new Set(before);
      if (unfold) after.add(id);
      else after.delete(id);
      return after;
    });
  }, []);
  return useMemo(() => {
    const childOf = ({ traceId, slowestMs }: Row, { span, depth }: Below): ChildRow => ({
      key: span.id,
      depth,
      title: (column) => titleOf({ ...span, slowestMs }, column),
      cell: (column) => cellOf({ ...span, slowestMs }, column),
      failed: span.statusCode === "ERROR",
      open: traceId === openTraceId && span.id === selected,
      onOpen: () => onOpen({ traceId, spanNodeId: span.id }),
    });
    return {
      isFoldable: ({ numSpans }) => numSpans > 1,
      isUnfolded: ({ id }) => unfolded.has(id),
      onUnfold,
      childrenOf(row) {
        const { traceId, numSpans } = row;
        const answer = answers.get(row.id);
        if (answer?.below === undefined) {
          return [{ key: "state", depth: 1, title: answer?.problem ?? text("traces.spans.loading") }];
        }
        const shown = answer.below.map((below) => childOf(row, below));
        const more = numSpans - 1 - shown.length;
        if (more <= 0) return shown;
        const title = text("traces.spans.more", { count: more });
        return [...shown, { key: "more", depth: 1, title, onOpen: () => onOpen({ traceId }) }];
      },
    };
  }, [unfolded, onUnfold, answers, openTraceId, selected, onOpen]);
}

/** Where the rows have no column of names, the name stands before the preview. */
function titleOf(span: Measured<SpanBelow>, column: string): ReactNode {
  const name = cellOf(span, "name");
  if (column === "name") return name;
  return (
    <span className={styles.below}>
      {name}
      {cellOf(span, column)}
    </span>
  );
}

/** As the list of spans writes it. */
function cellOf(span: Measured<SpanBelow>, key: string): ReactNode {
  if (key === "said") {
    const failure = span.statusCode === "ERROR" ? span.errorType || span.errorHead || text("traces.failed") : null;
    return <InputToOutput failure={failure} input={span.inputSaid} output={span.outputSaid} />;
  }
  const column = spanColumns.find((each) => each.key === (key === "costTotal" ? "tokenCostTotal" : key));
  if (column !== undefined) return column.render(span);
  const attribute = attributeText(spanAttributes(span), key);
  return attribute === null ? undefined : <Words>{attribute}</Words>;
}

interface Answer {
  /** Undefined until it has come. */
  readonly below: readonly Below[] | undefined;
  readonly problem: string | undefined;
}

function useSpansBelow(traces: ReadonlySet<string>, attributes: readonly string[]): ReadonlyMap<string, Answer> {
  const refetchInterval = useLiveInterval("slowly");
  const ids = useMemo(() => [...traces], [traces]);
  const combine = useCallback(
    (found: readonly { readonly data: readonly Below[] | undefined; readonly error: Error | null }[]) =>
      new Map(found.map(({ data, error }, at) => [ids[at]!, { below: data, problem: error?.message }])),
    [ids],
  );
  return useQueries({
    queries: ids.map((trace) => ({
      queryKey: ["SpansBelow", trace, attributes],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => askSpansBelow(trace, attributes, signal),
      meta: { shows: shownBy(spansBelow as AnyDocument) },
      refetchInterval,
    })),
    combine,
  });
}

async function askSpansBelow(
  trace: string,
  attributes: readonly string[],
  signal: AbortSignal,
): Promise<readonly Below[]> {
  // Annotations are shown for traces only.
  const asked = { trace, attributes: [...attributes], first: MOST_SPANS, judged: [], anyJudged: false };
  const { node } = await askGraphql(spansBelow, asked, signal);
  const root = node?.__typename === "Trace" ? node.rootSpan : null;
  if (root === null) return [];
  const nodes = nodesOf(root.descendants.edges);
  const spans = readFragment(spanRow, nodes);
  const placed = spans.map((span, at) => {
    const { parentId, errorType } = nodes[at]!;
    return { span: { ...span, errorType }, key: span.spanId, parentKey: parentId };
  });
  return inTreeOrder(placed, root.spanId).map(({ span, depth }) => ({ span, depth }));
}
