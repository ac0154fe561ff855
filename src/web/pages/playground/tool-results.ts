// Results of tools that the trace of a span has: they answer the calls of a model that is tried again.
import { askGraphql, nodesOf } from "../../lib/graphql.ts";
import { toolSpans } from "./playground.queries.ts";

/** By the names of the tools; the last result of each counts. None where the span is gone. */
export async function toolResults(spanId: string): Promise<Readonly<Record<string, string>>> {
  const { node } = await askGraphql(toolSpans, { id: spanId });
  if (node?.__typename !== "Span") return {};
  const spans = nodesOf(node.trace.spans.edges);
  return Object.fromEntries(spans.flatMap(({ name, output }) => (output === null ? [] : [[name, output.value]])));
}
