// What a turn of a session shows of its trace: the spans that matter. A field of our own.
import { requireBounded } from "../../../../graphql/connection.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { TRACE } from "../../traces/traces.schema.ts";
import { SPAN } from "../spans.schema.ts";
import type { KeySpans, SpanReadsService } from "./span-reads.service.ts";

export function addKeySpans({ builder, ref }: GraphqlTypes, spanReads: SpanReadsService): void {
  const TraceSteps = builder.objectRef<KeySpans>("TraceSteps").implement({
    fields: (t) => ({
      count: t.exposeInt("count", { description: "All of the trace, also those that are left out." }),
      spans: t.field({
        type: [ref(SPAN)],
        description: "By start. Where they are too many: those that failed, then the earliest.",
        resolve: ({ spans }) => [...spans],
      }),
    }),
  });
  builder.objectField(ref(TRACE), "keySteps", (t) =>
    t.field({
      type: TraceSteps,
      description:
        "Model calls, tools, retrievers, agents below others and the like, and every span that failed; wrappers are left out.",
      args: { first: t.arg.int({ required: true }) },
      resolve: async (trace, given, call) => {
        const found = await call.load(spanReads.listKeySpans, trace.id, requireBounded(given));
        return found ?? { count: 0, spans: [] };
      },
    }),
  );
}
