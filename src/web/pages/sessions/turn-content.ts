// What a turn shows, read from its root span and its key spans; and which turns are asked for together.
import { keySpanKinds } from "../../../modules/tracing/traces/key-spans.rules.ts";
import { kindOf } from "../../domain/trace/kind-of.ts";
import { readPayload } from "../../domain/trace/payload/payload.ts";
import { type SideText, sideTextOf } from "../../domain/trace/payload/side-text.ts";
import { type CountedSpan, stripOf } from "../../domain/trace/strip.ts";
import type { TurnAnswer } from "./sessions.queries.ts";
import type { Turn } from "./use-turns.ts";

/** Turns of one question: about what a screen shows. */
export const BATCH = 8;
/** Spans that a turn shows at most. */
const MOST_SPANS = 60;

export interface TurnContent {
  /** The root span of the turn; null for a trace whose parents form a circle. */
  readonly root: { readonly id: string; readonly name: string; readonly arrived: boolean } | null;
  readonly input: SideText | null;
  readonly output: SideText | null;
  /** Fallback when the root span has no text: first span with input, last span with output. */
  readonly firstInput: string | null;
  readonly lastOutput: string | null;
  /** What the turn failed with where it ended without an answer. */
  readonly failure: string | null;
  readonly spans: readonly CountedSpan[];
  /** Key spans that are not shown. */
  readonly moreSpans: number;
  readonly wrappers: number;
}

/** The variables of a question for some turns that follow each other. */
export interface TurnBatch {
  readonly asked: {
    readonly session: string;
    readonly first: number;
    readonly after: string | null;
    readonly spans: number;
  };
  /** Moves when one of the turns has grown. */
  readonly version: string;
}

/** The question that answers for the turn at a position, and for those around it. */
export function batchOf(sessionId: string, turns: readonly Turn[], position: number): TurnBatch {
  const first = Math.floor(position / BATCH) * BATCH;
  const batch = turns.slice(first, first + BATCH);
  const after = turns[first - 1]?.cursor ?? null;
  return {
    asked: { session: sessionId, first: batch.length, after, spans: MOST_SPANS },
    version: batch.map(({ numSpans, errorCount }) => `${numSpans} ${errorCount}`).join(),
  };
}

export function contentOf(answer: TurnAnswer, numSpans: number): TurnContent {
  const { keySpans, errorsByType } = answer;
  const root = answer.spans.edges[0]?.node ?? null;
  const payload = root?.payload ? readPayload({ ...root.payload, events: "[]" }) : null;
  const input = payload && sideTextOf(payload, "input");
  const output = payload && sideTextOf(payload, "output");
  const previews = (side: "input" | "output") =>
    keySpans.spans.flatMap((span) => (span[side]?.truncatedValue ? [span[side].truncatedValue] : []));
  const [onlyType, ...otherTypes] = errorsByType.flatMap(({ exceptionType }) => exceptionType ?? []);
  const error = (head: string | null) => head || (otherTypes.length === 0 ? (onlyType ?? null) : null);
  // Input and output of the root are shown above and below the strip; a root that is a key span is in the strip, too.
  const rootIsKey = root !== null && keySpanKinds.includes(kindOf(root.spanKind));
  const rootCounts =
    root === null || rootIsKey || root.statusCode === "ERROR" || keySpans.spans.some(({ id }) => id === root.id);
  const shown = keySpans.spans.filter(({ id }) => id !== root?.id || rootIsKey);
  const failedSpan = shown.find(({ statusCode }) => statusCode === "ERROR");
  return {
    root: root && { id: root.id, name: root.name, arrived: root.parentId === null },
    input,
    output,
    firstInput: saysAnything(input) ? null : (previews("input")[0] ?? null),
    lastOutput: saysAnything(output) ? null : (previews("output").at(-1) ?? null),
    failure:
      root?.statusCode === "ERROR" && !saysAnything(output)
        ? (error(root.errorHead) ?? error(failedSpan?.errorHead ?? null) ?? "")
        : null,
    spans: stripOf(
      shown.map(({ id, name, spanKind, statusCode, errorHead, latencyMs, modelName }) => ({
        id,
        name,
        kind: kindOf(spanKind),
        failed: statusCode === "ERROR",
        error: statusCode === "ERROR" ? error(errorHead) : null,
        latencyMs: latencyMs ?? 0,
        model: modelName,
      })),
    ),
    moreSpans: keySpans.count - keySpans.spans.length,
    wrappers: Math.max(0, numSpans - keySpans.count - (rootCounts ? 0 : 1)),
  };
}

export function saysAnything(side: SideText | null): boolean {
  if (side === null) return false;
  const isSomething = (text: string) => text.trim() !== "";
  return side.calls.length > 0 || side.parts.some((part) => !("excerpt" in part) || isSomething(part.excerpt.text));
}
