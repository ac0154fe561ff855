// Events of coding agents become the spans of a trace a turn. Ids are made of what the events say, so that the same events sent again
// are the same spans.
import { createHash } from "node:crypto";
import type { TurnInTime } from "../../ingest/incoming-logs.ts";
import { fail } from "../../kernel/failure.ts";
import { stringifyJson } from "../../kernel/json.ts";
import type { IncomingSpan } from "../../model/span.ts";
import { normaliseSpan, type SpanSurroundings } from "../decode/normalise.ts";
import type { DecodedAttributes, DecodedSpan } from "../decoded/decoded.ts";
import { plainAttributes } from "../decoded/events.ts";
import { scalarText } from "../genai/values.ts";
import type { Agent, AgentReader, AgentStep } from "./agents/agent.ts";
import type { AgentEvent } from "./agents/agent-event.ts";
import { claudeCode } from "./agents/claude-code.ts";
import { codex } from "./agents/codex.ts";
import { geminiCli } from "./agents/gemini-cli.ts";
import type { LogRecord, ScopeLogs } from "./log-record.ts";

const agents: readonly Agent[] = [claudeCode, codex, geminiCli];

const TRACE_HEX = 32;
const SPAN_HEX = 16;
const ERROR = 2;

interface TurnSpan {
  readonly span: IncomingSpan;
  /** Null where the trace is known; else the trace is that of what came before the first turn. */
  readonly wanted: TurnInTime | null;
}

/** The id of the span that a turn is, in its trace. */
export function turnKeyOf(traceKey: string): string {
  return hash(SPAN_HEX, "turn", traceKey);
}

interface NamedEvent {
  readonly agent: Agent;
  readonly event: AgentEvent;
}

/** The event of a coding agent in a record, or null. Programs name it in the record, in an attribute or in the body, and some leave the
 *  prefix out beside a scope of their own. */
export function agentEventIn(record: LogRecord, scope: Pick<ScopeLogs, "name">): NamedEvent | null {
  const named = record.attributes.get("event.name");
  const names = [record.eventName, named, record.body].filter((name) => typeof name === "string");
  for (const agent of agents) {
    const full = names.find((name) => name.startsWith(agent.prefix));
    const short = typeof named === "string" && scope.name.includes(agent.prefix.slice(0, -1)) ? named : undefined;
    const name = full?.slice(agent.prefix.length) ?? short;
    if (name === undefined) continue;
    return { agent, event: { name, timeUs: timeOf(record), attributes: record.attributes } };
  }
  return null;
}

function timeOf({ timeUs, observedUs, attributes }: LogRecord): number {
  if (timeUs > 0) return timeUs;
  const given = Date.parse(scalarText(attributes.get("event.timestamp")) ?? "");
  return Number.isNaN(given) ? observedUs : given * 1000;
}

/** Makes the spans of one export. */
export function createAgentTurns() {
  const readers = new Map<string, AgentReader>();
  /** Turns of programs that do not name them, by session. */
  const begun = new Map<string, { readonly timeUs: number; readonly traceKey: string }[]>();

  function readerOf(agent: Agent, session: string): AgentReader {
    const key = `${agent.prefix}${session}`;
    let reader = readers.get(key);
    if (reader === undefined) {
      reader = agent.createReader();
      readers.set(key, reader);
    }
    return reader;
  }

  /** The trace, and what is to be looked up to know it. */
  function placeOf(agent: Agent, event: AgentEvent, session: string, step: AgentStep) {
    const named = agent.turnAttribute === null ? undefined : scalarText(event.attributes.get(agent.turnAttribute));
    if (named !== undefined && named !== "") {
      return { traceKey: hash(TRACE_HEX, agent.prefix, session, "turn", named), wanted: null };
    }
    const turns = begun.get(session) ?? [];
    if (step.kind === "AGENT") {
      const traceKey = hash(TRACE_HEX, agent.prefix, session, "turn at", String(event.timeUs));
      turns.push({ timeUs: event.timeUs, traceKey });
      begun.set(session, turns);
      return { traceKey, wanted: null };
    }
    const before = turns.findLast(({ timeUs }) => timeUs <= event.timeUs);
    if (before !== undefined) return { traceKey: before.traceKey, wanted: null };
    const traceKey = hash(TRACE_HEX, agent.prefix, session, "before the first turn");
    return { traceKey, wanted: { sessionKey: session, timeUs: event.timeUs } };
  }

  return {
    /** The span that an event becomes; null where it adds nothing to its turn. Fails (kind invalid) with the reason for an event without
     *  a session, and as `normaliseSpan` does. */
    read({ agent, event }: NamedEvent, surroundings: SpanSurroundings): TurnSpan | null {
      const session = scalarText(event.attributes.get(agent.sessionAttribute))?.trim() ?? "";
      if (session === "")
        throw fail("otlp.log_no_session", "invalid", `An event of a coding agent has no ${agent.sessionAttribute}`);
      const step = readerOf(agent, session)(event);
      if (step === null) return null;
      const { traceKey, wanted } = placeOf(agent, event, session, step);
      const turnKey = turnKeyOf(traceKey);
      const isTurn = step.kind === "AGENT";
      const decoded = spanOf(event, step, {
        traceId: traceKey,
        spanId: isTurn ? turnKey : stepKeyOf(agent, event),
        parentSpanId: isTurn ? "" : turnKey,
      });
      addAbsent(decoded.attributes, "session.id", session);
      addAbsent(decoded.attributes, "user.id", scalarText(event.attributes.get(agent.userAttribute)) ?? null);
      return { span: normaliseSpan(decoded, surroundings), wanted };
    },
  };
}

function spanOf(
  event: AgentEvent,
  { kind, name, startUs, endUs, error, added }: AgentStep,
  ids: Pick<DecodedSpan, "traceId" | "spanId" | "parentSpanId">,
): DecodedSpan {
  const attributes: DecodedAttributes = new Map(event.attributes);
  // One name would be two places in the tree; what it says is in its value.
  for (const side of ["input", "output"]) if (added.has(`${side}.value`)) attributes.delete(side);
  addAbsent(attributes, "openinference.span.kind", kind);
  for (const [key, value] of added) addAbsent(attributes, key, value);
  return {
    ...ids,
    name,
    startUs: Math.max(0, startUs),
    endUs,
    statusCode: error === null ? 0 : ERROR,
    statusMessage: error ?? "",
    attributes,
    planned: null,
    traceState: "",
    kind: 0,
    events: [],
    links: [],
    droppedAttributes: 0,
    droppedEvents: 0,
    droppedLinks: 0,
    flags: 0,
  };
}

function addAbsent(
  attributes: DecodedAttributes,
  key: string,
  value: DecodedAttributes extends Map<string, infer Value> ? Value : never,
) {
  if ((attributes.get(key) ?? null) === null) attributes.set(key, value);
}

/** By everything that the event says: the same event is the same span, whichever export it comes in. */
function stepKeyOf(agent: Agent, { name, timeUs, attributes }: AgentEvent): string {
  const given = plainAttributes(new Map([...attributes].sort(([left], [right]) => (left < right ? -1 : 1))));
  return hash(SPAN_HEX, agent.prefix, name, String(timeUs), stringifyJson(given));
}

function hash(digits: number, ...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, digits);
}
