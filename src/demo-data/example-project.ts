// The example project: a week of a support agent, made up, for people who look around before they send traces of their own. It is
// sent like any other traces, as OTLP in JSON.
import { conversations, customers, type ExampleTurn, mails } from "./conversations.ts";
import { type Draw, drawFrom } from "./draw.ts";
import { EXAMPLE_PROJECT } from "./example-name.ts";
import { withKnownIds } from "./known-ids.ts";
import { type ExampleSpan, type ExampleValue, timelineOf } from "./timeline.ts";
import { filledIn, type Message, turnSpans } from "./turn-spans.ts";

const SESSIONS = 26;
const HOUR_MS = 3_600_000;
const WEEK_HOURS = 6.9 * 24;
/** Spans of one export. */
const EXPORT_SPANS = 120;

/** Bodies of export requests, oldest spans first; everything has ended before `nowMs`. The same time gives the same traces. */
export function exampleExports(nowMs: number, project = EXAMPLE_PROJECT): unknown[] {
  const draw = drawFrom(Math.floor(nowMs));
  const spans: ExampleSpan[] = [];
  for (let at = 0; at < SESSIONS; at++) {
    const hoursAgo = 0.15 + WEEK_HOURS * (1 - (at + 1) / SESSIONS) ** 1.6;
    const setting = { startMs: nowMs - hoursAgo * HOUR_MS, mayFail: (at * 7) % 5 < 2 };
    spans.push(...sessionSpans(conversations[at % conversations.length]!, setting, draw));
  }
  for (const nightsAgo of [5, 3, 1]) spans.push(...nightlySpans(nowMs - nightsAgo * 24 * HOUR_MS, draw));
  const ended = withKnownIds(spans.filter(({ endMs }) => endMs < nowMs));
  const exports: unknown[] = [];
  for (let from = 0; from < ended.length; from += EXPORT_SPANS)
    exports.push(exportOf(ended.slice(from, from + EXPORT_SPANS), project));
  return exports;
}

interface SessionSetting {
  readonly startMs: number;
  /** The first fragile tool of the session fails. */
  readonly mayFail: boolean;
}

function sessionSpans(turns: readonly ExampleTurn[], { startMs, mayFail }: SessionSetting, draw: Draw): ExampleSpan[] {
  const setting = {
    sessionId: `chat-${draw.hex(4)}`,
    user: draw.pick(customers),
    order: `A-${Math.floor(draw.between(10_000, 99_999))}`,
  };
  const spans: ExampleSpan[] = [];
  const before: Message[] = [];
  let nextMs = startMs;
  for (const turn of turns) {
    const fails = turn.tool?.fragile === true && mayFail;
    const made = turnSpans(turn, { ...setting, traceId: draw.hex(16), startMs: nextMs, before, fails }, draw);
    spans.push(...made.spans);
    // The turns after a failure do not build on it.
    if (fails) break;
    before.push(
      { role: "user", content: filledIn(turn.question, setting) },
      { role: "assistant", content: made.answer },
    );
    nextMs = Math.max(...made.spans.map(({ endMs }) => endMs)) + draw.between(20_000, 90_000);
  }
  return spans;
}

/** A run without a session: many short calls of a model below one span. */
function nightlySpans(startMs: number, draw: Draw): ExampleSpan[] {
  const line = timelineOf(draw.hex(16), startMs, draw, { "tag.tags": '["nightly"]' });
  line.span("triage_inbox", "CHAIN", () => {
    for (const { subject, label } of mails)
      line.leaf("classify_mail", "LLM", draw.between(280, 900), {
        "llm.model_name": "gpt-4o-mini",
        "llm.provider": "openai",
        "input.value": subject,
        "output.value": label,
        "llm.token_count.prompt": 212,
        "llm.token_count.completion": 4,
        "llm.token_count.total": 216,
      });
    return { "input.value": `${mails.length} unread mails`, "output.value": `${mails.length} mails sorted` };
  });
  return line.spans;
}

function exportOf(spans: readonly ExampleSpan[], project: string): unknown {
  return {
    resourceSpans: [
      {
        resource: {
          attributes: [attribute("openinference.project.name", project), attribute("service.name", "example")],
        },
        scopeSpans: [{ scope: { name: "example" }, spans: spans.map(otlpSpan) }],
      },
    ],
  };
}

function otlpSpan(span: ExampleSpan): unknown {
  const { failure } = span;
  const endNano = nano(span.endMs);
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentId === null ? {} : { parentSpanId: span.parentId }),
    name: span.name,
    startTimeUnixNano: nano(span.startMs),
    endTimeUnixNano: endNano,
    attributes: Object.entries(span.attributes).map(([key, value]) => attribute(key, value)),
    status: failure === null ? { code: 1 } : { code: 2, message: failure.message },
    events:
      failure === null
        ? []
        : [
            {
              name: "exception",
              timeUnixNano: endNano,
              attributes: [
                attribute("exception.type", failure.type),
                attribute("exception.message", failure.message),
                attribute("exception.stacktrace", failure.stack),
              ],
            },
          ],
  };
}

function nano(ms: number): string {
  return `${Math.floor(ms * 1000)}000`;
}

function attribute(key: string, value: ExampleValue): unknown {
  if (typeof value === "string") return { key, value: { stringValue: value } };
  if (typeof value === "boolean") return { key, value: { boolValue: value } };
  return { key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } };
}
