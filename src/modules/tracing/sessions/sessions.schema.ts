// Sessions: the record that services hand around, the queries and bodies of the API, and what it answers.
import { type Static, Type } from "@sinclair/typebox";
import { globalId, type TypeWord } from "../../../kernel/ids.ts";
import { cursorParameter, limitParameter, pageOf } from "../../../kernel/paging.ts";
import { InstantText, Words } from "../../../kernel/schema.ts";
import { formatInstant } from "../../../kernel/time.ts";
import { TRACE, tokenCounts } from "../traces/traces.schema.ts";

/** Type word of the global ids of sessions. */
export const SESSION: TypeWord<SessionRecord> = "ProjectSession";

/** Instants are microseconds UTC. */
export interface SessionTrace {
  readonly id: number;
  readonly traceKey: string;
  readonly startUs: number;
  readonly endUs: number;
}

export interface Session {
  readonly id: number;
  readonly sessionKey: string;
  readonly projectId: number;
  readonly startUs: number;
  readonly endUs: number;
  /** Over all its traces. */
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** By start time; those in other projects, too. */
  readonly traces: readonly SessionTrace[];
}

/** A session with everything its row holds, without its traces. */
export interface SessionRecord extends Omit<Session, "traces"> {
  readonly traceCount: number;
  /** Traces with a failed span. */
  readonly errorTraceCount: number;
}

const order = Words(["asc", "desc"], { default: "asc" });
const filter = Type.Optional(Type.String({ description: "A condition on sessions." }));

export const ProjectSessionQuery = Type.Object({
  cursor: cursorParameter,
  limit: limitParameter({ default: 100 }),
  order,
  filter,
});

const projectParameter = Type.Optional(Type.String({ description: "Id or name of a project." }));

export const SessionQuery = Type.Object({
  project_identifier: projectParameter,
  sort: Words(["id", "start_time", "end_time"], { default: "id", description: "`id` is the order of arrival." }),
  order,
  limit: limitParameter({ default: 100, maximum: 1000 }),
  cursor: cursorParameter,
  filter,
});

export const OneSessionQuery = Type.Object({ project_identifier: projectParameter });

export const SessionsToDelete = Type.Object({ session_identifiers: Type.Array(Type.String()) });

const SessionTraceBody = Type.Object({
  id: Type.String(),
  trace_id: Type.String(),
  start_time: InstantText(),
  end_time: InstantText(),
});

const SessionBody = Type.Object(
  {
    id: Type.String(),
    session_id: Type.String(),
    project_id: Type.String(),
    start_time: InstantText(),
    end_time: InstantText(),
    traces: Type.Array(SessionTraceBody),
    token_count_prompt: Type.Integer(),
    token_count_completion: Type.Integer(),
    token_count_total: Type.Integer(),
  },
  { $id: "Session" },
);
type SessionBody = Static<typeof SessionBody>;
export const SessionAnswer = Type.Object({ data: SessionBody });
export const SessionPage = pageOf(SessionBody);

export function sessionBody(session: Session): SessionBody {
  return {
    id: globalId(SESSION, session.id),
    session_id: session.sessionKey,
    project_id: globalId("Project", session.projectId),
    start_time: formatInstant(session.startUs),
    end_time: formatInstant(session.endUs),
    traces: session.traces.map((trace) => ({
      id: globalId(TRACE, trace.id),
      trace_id: trace.traceKey,
      start_time: formatInstant(trace.startUs),
      end_time: formatInstant(trace.endUs),
    })),
    ...tokenCounts(session),
  };
}
