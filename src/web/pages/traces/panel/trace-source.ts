// The trace of one address, asked over GraphQL, with instants as microseconds.
import { parseInstant } from "../../../../kernel/time.ts";
import type { SpanKind, TraceSpan } from "../../../domain/trace/trace-span.ts";
import { askGraphql, type FragmentOf, type ResultOf, readFragment } from "../../../lib/graphql.ts";
import { spanFields, traceSpans, traceStructure } from "./trace.queries.ts";
import type { SpanPage, TraceSource } from "./trace-state.ts";

export function traceSource(projectId: string, traceId: string): TraceSource {
  return {
    async open(first, signal) {
      const { node } = await askGraphql(traceStructure, { project: projectId, trace: traceId, first }, signal);
      const found = node?.__typename === "Project" ? node.trace : null;
      if (node?.__typename !== "Project" || found === null) return null;
      const { numSpans, spans, ...rest } = found;
      return { trace: { ...rest, projectName: node.name, spanCount: numSpans }, page: pageOf(spans) };
    },
    async page(id, first, after, signal) {
      const { node } = await askGraphql(traceSpans, { trace: id, first, after }, signal);
      if (node?.__typename !== "Trace") return null;
      const { __typename: _trace, id: _id, numSpans, spans, ...figures } = node;
      return { figures: { ...figures, spanCount: numSpans }, page: pageOf(spans) };
    },
  };
}

interface Connection {
  readonly edges: readonly { readonly node: FragmentOf<typeof spanFields> }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

function pageOf({ edges, pageInfo }: Connection): SpanPage {
  return {
    spans: edges.map(({ node }) => rowOf(readFragment(spanFields, node))),
    next: pageInfo.hasNextPage ? pageInfo.endCursor : null,
  };
}

type Fields = ResultOf<typeof spanFields>;

function rowOf(fields: Fields): TraceSpan {
  const startUs = parseInstant(fields.startTime)?.microseconds ?? 0;
  return {
    id: fields.id,
    spanKey: fields.spanId,
    parentKey: fields.parentId,
    name: fields.name,
    shownName: fields.shownName,
    kind: fields.spanKind.toUpperCase() as SpanKind,
    status: fields.statusCode,
    error: fields.errorHead,
    startUs,
    endUs: startUs + Math.max(0, Math.round((fields.latencyMs ?? 0) * 1000)),
    model: fields.modelName,
    tokens: fields.tokenCountTotal === 0 ? null : fields.tokenCountTotal,
    cost: fields.costTotal,
    isCountedInChild: fields.isCountedInChild,
    hasContent: fields.hasContent,
  };
}
