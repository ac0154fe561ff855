// The traces of a list by the sequence of their steps, in GraphQL.
import type { PatternStep } from "../../../../analysis/patterns/folded-steps.ts";
import { rangeOf } from "../../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import type { SpanKind } from "../../../../model/span.ts";
import { PROJECT } from "../../projects/projects.schema.ts";
import { requireValues } from "../../spans/facets/facets.graphql.ts";
import { spanKindType } from "../../traces/span-kind.graphql.ts";
import { millisecondsOf, usdOf } from "../trace-analysis.schema.ts";
import type { TracePattern, TracePatterns } from "./trace-patterns.schema.ts";
import type { TracePatternsService } from "./trace-patterns.service.ts";

const PATTERNS = 20;

export function addTracePatterns(types: GraphqlTypes, service: TracePatternsService): void {
  const { builder, ref, TimeRange } = types;
  const milliseconds = (us: number | null) => (us === null ? null : millisecondsOf(us));
  const Step = builder.objectRef<PatternStep>("TracePatternStep").implement({
    fields: (t) => ({
      spanKind: t.field({ type: spanKindType(types), resolve: ({ kind }) => kind as SpanKind }),
      name: t.exposeString("name"),
      depth: t.exposeInt("depth", { description: "0 of a root." }),
      times: t.exposeInt("times", { description: "How often it is repeated in one of the traces." }),
    }),
  });
  const Pattern = builder.objectRef<TracePattern>("TracePattern").implement({
    fields: (t) => ({
      patternId: t.exposeString("id", { description: "The same for the same steps, in every project." }),
      traceCount: t.exposeInt("traces"),
      errorCount: t.exposeInt("failed", { description: "Traces in which a span failed." }),
      latencyMsP50: t.float({ nullable: true, resolve: ({ p50Us }) => milliseconds(p50Us) }),
      latencyMsP99: t.float({ nullable: true, resolve: ({ p99Us }) => milliseconds(p99Us) }),
      cost: t.float({ description: "In USD, of what is known.", resolve: ({ cost }) => usdOf(cost) }),
      lastTraceId: t.exposeString("lastKey"),
      lastGoodTraceId: t.exposeString("lastGoodKey", {
        nullable: true,
        description: "The last one without a failure.",
      }),
      steps: t.field({
        type: [Step],
        description: "Parents before children, without repetitions.",
        resolve: ({ steps }) => [...steps],
      }),
    }),
  });
  const Patterns = builder.objectRef<TracePatterns>("TracePatterns").implement({
    fields: (t) => ({
      traceCount: t.exposeInt("traces", { description: "Traces that were looked at: the newest." }),
      isComplete: t.exposeBoolean("isComplete", { description: "Those are all that match." }),
      patterns: t.field({
        type: [Pattern],
        args: { first: t.arg.int({ required: true, defaultValue: PATTERNS }) },
        description: "Those with most traces first.",
        resolve: ({ patterns }, { first }) => patterns.slice(0, requireValues(first)),
      }),
    }),
  });
  builder.objectField(ref(PROJECT), "tracePatterns", (t) =>
    t.field({
      type: Patterns,
      description: "Traces by the sequence of their steps (kind and name), repetitions folded.",
      args: { timeRange: t.arg({ type: TimeRange }), filterCondition: t.arg.string() },
      resolve: ({ id }, { timeRange, filterCondition }, call) =>
        call.readOnce(service.listPatterns, {
          projectId: id,
          range: rangeOf(timeRange),
          condition: filterCondition ?? "",
        }),
    }),
  );
}
