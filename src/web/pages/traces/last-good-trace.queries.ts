// The trace that a failed one is best compared with.
import { askGraphql, graphql } from "../../lib/graphql.ts";

const lastGoodTrace = graphql(`
  query LastGoodTrace($id: ID!) {
    node(id: $id) {
      __typename
      ... on Trace { id lastGoodTrace { hasSamePattern trace { id traceId } } }
    }
  }
`);

/** Its global id; null where none is like it. */
export async function goodTraceOf(traceId: string): Promise<string | null> {
  const { node } = await askGraphql(lastGoodTrace, { id: traceId });
  return node?.__typename === "Trace" ? (node.lastGoodTrace?.trace.id ?? null) : null;
}
