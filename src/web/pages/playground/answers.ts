// Answers of models while they come: what each event of a run changes.

export interface AnswerCall {
  /** What tells the pieces of several calls apart. */
  readonly index: number;
  readonly id: string;
  readonly name: string;
  /** JSON text, maybe not whole yet. */
  readonly arguments: string;
}

/** What a model thought, as the provider wants it back: a part of its message. */
interface AnswerThought {
  readonly type: "thinking" | "redacted_thinking";
  readonly [member: string]: string;
}

/** The end of a repetition. */
export interface AnswerResult {
  /** A text, or parts: also those that no event had. */
  readonly message: { readonly content: string | readonly ({ readonly type: string } | AnswerThought)[] } | null;
  readonly trace_id: string | null;
  readonly span_id: string | null;
  readonly finish_reason: string | null;
  readonly usage: { readonly prompt_tokens: number | null; readonly completion_tokens: number | null } | null;
  readonly cost_usd: number | null;
  readonly latency_ms: number | null;
  readonly time_to_first_token_ms: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface Answer {
  readonly text: string;
  readonly calls: readonly AnswerCall[];
  /** Why it began again; null if it did not. */
  readonly retry: string | null;
  /** Null while it comes, and of one that was stopped. */
  readonly result: AnswerResult | null;
}

export const noAnswer: Answer = { text: "", calls: [], retry: null, result: null };

/** The events of one repetition. */
export type AnswerEvent =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "tool_call";
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly arguments: string;
    }
  | { readonly type: "retry"; readonly reason: string }
  | ({ readonly type: "result" } & AnswerResult);

export function thoughtsOf({ result }: Answer): readonly AnswerThought[] {
  const content = result?.message?.content ?? "";
  return typeof content === "string" ? [] : content.filter(isThought);
}

function isThought(part: { readonly type: string }): part is AnswerThought {
  return part.type === "thinking" || part.type === "redacted_thinking";
}

export function withEvent(answer: Answer, event: AnswerEvent): Answer {
  switch (event.type) {
    case "text":
      return { ...answer, text: answer.text + event.text };
    case "tool_call":
      return { ...answer, calls: withPiece(answer.calls, event) };
    case "retry":
      // The pieces before it are void.
      return { ...noAnswer, retry: event.reason };
    case "result": {
      const { type: _type, ...result } = event;
      return { ...answer, result };
    }
  }
}

function withPiece(
  calls: readonly AnswerCall[],
  { index, id, name, arguments: piece }: Extract<AnswerEvent, { readonly type: "tool_call" }>,
): readonly AnswerCall[] {
  const before = calls.find((call) => call.index === index);
  if (before === undefined) return [...calls, { index, id, name, arguments: piece }];
  const joined = { index, id: before.id || id, name: before.name || name, arguments: before.arguments + piece };
  return calls.map((call) => (call === before ? joined : call));
}
