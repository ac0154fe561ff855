// The traces of a session in GraphQL, and the session of a trace.
import { pageConnection, readStart, requireBounded } from "../../../graphql/connection.ts";
import { requireProbability } from "../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { globalId } from "../../../kernel/ids.ts";
import { emptyPage } from "../../../kernel/list.ts";
import type { TraceReadsService } from "../traces/reads/trace-reads.service.ts";
import { TRACE } from "../traces/traces.schema.ts";
import { SESSION } from "./sessions.schema.ts";

const MICROSECONDS = 1000;
const START = "start";

/** The traces of a session, and what is asked of them together. */
export function addTracesOfSessions(types: GraphqlTypes, traceReads: TraceReadsService): void {
  types.builder.objectField(types.ref(TRACE), "projectSessionId", (t) =>
    t.id({
      nullable: true,
      resolve: ({ sessionId }) => (sessionId === null ? null : globalId(SESSION, sessionId)),
    }),
  );
  types.builder.objectFields(types.ref(SESSION), (t) => ({
    traces: t.field({
      type: types.connection(TRACE),
      description: "By start time.",
      args: types.boundedArguments(),
      resolve: async (session, given, call, info) => {
        const limit = requireBounded(given);
        const request = { start: readStart(START, given.after), limit };
        const page = await call.load(traceReads.listOfSessions, session.id, request);
        return pageConnection({ call, info }, page ?? emptyPage, START);
      },
    }),
    traceLatencyMsQuantile: t.float({
      nullable: true,
      args: { probability: t.arg.float({ required: true }) },
      resolve: async ({ id }, { probability }, call) => {
        const quantile = await call.load(traceReads.latencyQuantile, id, requireProbability(probability));
        return quantile === null ? null : quantile / MICROSECONDS;
      },
    }),
    userId: t.string({
      nullable: true,
      resolve: ({ id }, _given, call) => call.load(traceReads.findSessionUsers, id, null),
    }),
  }));
}
