// From the body of an export of logs to what the service keeps of it: spans of coding agents, messages of spans, and what is neither.

import type { DecodedLogs, LoggedMessage, TurnInTime } from "../../ingest/incoming-logs.ts";
import { Failure, fail, messageOf } from "../../kernel/failure.ts";
import type { IncomingSpan } from "../../model/span.ts";
import { inflate } from "../decode/compression.ts";
import { type DecodeRequest, overrideOf, rejectionsOf } from "../decode/export.ts";
import type { SpanSurroundings } from "../decode/normalise.ts";
import { sharedExtra } from "../decoded/extra.ts";
import { decodeLogRecords } from "./decode-log-records.ts";
import type { LogRecord, ResourceLogs, ScopeLogs } from "./log-record.ts";
import { messageIn } from "./logged-messages.ts";
import { agentEventIn, createAgentTurns } from "./turns.ts";

const GEMINI_CLI = "gemini-cli";

/** Fails as `inflate` and `decodeLogRecords` do, and with `otlp.project_name_too_long` (invalid). */
export function decodeLogs(request: DecodeRequest): DecodedLogs {
  const override = overrideOf(request);
  const body = inflate(request.body, request.encoding, request.limitBytes);
  const { resources, unreadable } = decodeLogRecords(body, request.format);
  const reasons = new Map<string, number>();
  const reject = (reason: string) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  unreadable.forEach(reject);
  const gathered = createGathering();
  for (const resource of resources) {
    const projectName = override ?? resource.projectName ?? request.defaultProject;
    for (const scope of resource.scopes) {
      const surroundings: SpanSurroundings = { projectName, sharedExtra: sharedExtra(resource, scope) };
      for (const record of scope.records) {
        try {
          gathered.add(record, { resource, scope, surroundings });
        } catch (error) {
          reject(error instanceof Failure ? error.message : `Internal fault: ${messageOf(error)}`);
        }
      }
    }
  }
  return { ...gathered.all, rejections: rejectionsOf(reasons) };
}

interface Around {
  readonly resource: ResourceLogs;
  readonly scope: ScopeLogs;
  readonly surroundings: SpanSurroundings;
}

function createGathering() {
  const spans: IncomingSpan[] = [];
  const wanted: (TurnInTime | null)[] = [];
  const messages: LoggedMessage[] = [];
  const turns = createAgentTurns();
  return {
    all: { spans, wanted, messages },
    /** Fails (kind invalid) with the reason for a record that is dropped. */
    add(record: LogRecord, { resource, scope, surroundings }: Around): void {
      const named = agentEventIn(record, scope);
      if (named !== null) {
        const turn = turns.read(named, surroundings);
        if (turn === null) return;
        spans.push(turn.span);
        wanted.push(turn.wanted);
        return;
      }
      // The Gemini CLI tells each answer a second time, in the words of the conventions.
      if (resource.attributes.get("service.name") === GEMINI_CLI) return;
      const message = messageIn(record);
      if (message === null) {
        throw fail("otlp.log_unknown", "invalid", "A log record is neither a message of a span nor of a coding agent");
      }
      messages.push(message);
    },
  };
}
