// A step in words: what it took, and what follows it.
import { formatDuration } from "../../../lib/format.ts";
import { text } from "../../../texts/texts.ts";
import type { DrawnGraph, DrawnNode } from "./drawn-graph.ts";
import { graphText } from "./graph-text.ts";

/** Those that follow most often; the others are edges of the picture. */
const MOST_NAMED = 6;

export function figureWords({ spanCount, latencyMsP50 }: DrawnNode): string {
  const calls = graphText("graph.calls", { count: spanCount });
  if (latencyMsP50 === null) return calls;
  return `${calls} · ${text("trace.repeats.p50", { time: formatDuration(latencyMsP50) })}`;
}

export function followedBy({ nodes, edges }: DrawnGraph, { key }: DrawnNode): string {
  const names = new Map(nodes.map((node) => [node.key, node.name]));
  return edges
    .filter(({ from }) => from === key)
    .slice(0, MOST_NAMED)
    .map(({ to, times, isBack }) =>
      graphText(isBack ? "graph.back" : "graph.next", { name: names.get(to) ?? to, count: times }),
    )
    .join(", ");
}
