// What an export of logs is once it is decoded: spans of coding agents, and messages of spans that come by themselves.
import type { IncomingSpan } from "../model/span.ts";
import type { SpansMessage } from "./ingest-messages.ts";

/** Where an event belongs whose program names no turn: to the last turn of the session that began before it. */
export interface TurnInTime {
  readonly sessionKey: string;
  readonly timeUs: number;
}

/** A message of a model call, for the span with these external ids. */
export interface LoggedMessage {
  readonly traceKey: string;
  readonly spanKey: string;
  /** Of what it says: the same sent twice is one message. */
  readonly digest: string;
  /** JSON of its name, its time in microseconds and its attributes. */
  readonly body: string;
}

export interface DecodedLogs {
  readonly spans: readonly IncomingSpan[];
  /** For each span the turn that is to be looked up, or null where its trace is known. */
  readonly wanted: readonly (TurnInTime | null)[];
  readonly messages: readonly LoggedMessage[];
  /** What was left out, and why, for people. */
  readonly rejections: { readonly count: number; readonly message: string };
}

/** The same on its way from one thread to another. */
export interface CrossingLogs extends Omit<DecodedLogs, "spans"> {
  readonly spans: SpansMessage;
}
