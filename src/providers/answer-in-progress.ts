// The answer of one attempt while it arrives. A wire adds pieces; events and the fields of the record are read from it, redacted.
import { randomBytes } from "node:crypto";
import type { CallThought } from "./model-call.ts";
import type { FinishReason, ModelEvent, ModelToolCall, TokenUsage } from "./model-event.ts";
import type { Redactor } from "./redaction.ts";

type Piece = Extract<ModelEvent, { readonly type: "text" | "tool_call" }>;

interface CallInProgress {
  readonly index: number;
  readonly id: string;
  name: string;
  arguments: string;
  readonly redactor: ReturnType<Redactor["stream"]>;
}

/** An error inside an answer, with the provider's message and code. */
interface ErrorInAnswer {
  readonly message: string;
  readonly code: string | null;
}

export class AnswerInProgress {
  text = "";
  usage: TokenUsage | null = null;
  finishReason: FinishReason | null = null;
  providerFinishReason: string | null = null;
  responseId: string | null = null;
  responseModel: string | null = null;
  /** The whole answer as JSON text, where the wire has one. */
  whole: string | null = null;
  error: ErrorInAnswer | null = null;
  /** A finish reason was received; token counts may follow. */
  isComplete = false;
  /** The last event was received. */
  isDone = false;
  /** Whether anything was received that belongs to an answer of a model. */
  isAnswer = false;
  /** An event was no JSON object. */
  isUnreadable = false;
  /** Key of the call that received the last piece. */
  lastCallKey = "0";
  /** It was received in one piece: its texts are emitted as one. */
  isWhole = false;
  /** Those that hold no secret: a redacted one would not match its signature. */
  readonly thoughts: CallThought[] = [];
  readonly #calls = new Map<string, CallInProgress>();
  readonly #redactor: Redactor;
  readonly #texts: ReturnType<Redactor["stream"]>;
  #pieces: Piece[] = [];

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
    this.#texts = redactor.stream();
  }

  addText(text: string): void {
    this.#emitText(this.#texts.push(text));
  }

  /** `key` identifies a call within the answer. The first piece names the function; a missing id is generated. */
  addToolCall(key: string, piece: { readonly id?: string; readonly name?: string; readonly arguments?: string }): void {
    this.lastCallKey = key;
    let call = this.#calls.get(key);
    if (call === undefined) {
      const id = piece.id || randomBytes(4).toString("hex");
      call = { index: this.#calls.size, id, name: "", arguments: "", redactor: this.#redactor.stream() };
      this.#calls.set(key, call);
    }
    const name = call.name === "" ? this.#redactor.text(piece.name ?? "") : "";
    call.name += name;
    this.#emitCall(call, name, call.redactor.push(piece.arguments ?? ""));
  }

  addThought(thought: CallThought): void {
    const text = thought.type === "thinking" ? thought.thinking : thought.data;
    if (this.#redactor.text(text) === text) this.thoughts.push(thought);
  }

  finish(reason: FinishReason, providerReason: string): void {
    this.finishReason = reason;
    this.providerFinishReason = providerReason;
  }

  fail(message: string, code: string | null): void {
    this.error ??= { message, code };
  }

  /** Emits what the redactors held back. */
  close(): void {
    this.#emitText(this.#texts.end());
    for (const call of this.#calls.values()) this.#emitCall(call, "", call.redactor.end());
  }

  /** The events since the last call. */
  takePieces(): readonly Piece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  get toolCalls(): ModelToolCall[] {
    return [...this.#calls.values()].map(({ id, name, arguments: text }) => ({ id, name, arguments: text }));
  }

  /** Whether the model's own text contained a secret, which may then be split over several events of the raw stream. */
  get repeatedSecret(): boolean {
    return this.#texts.found || [...this.#calls.values()].some(({ redactor }) => redactor.found);
  }

  #emitText(text: string): void {
    if (text === "") return;
    this.text += text;
    const last = this.isWhole ? this.#pieces.at(-1) : undefined;
    if (last?.type === "text") this.#pieces.splice(-1, 1, { type: "text", text: last.text + text });
    else this.#pieces.push({ type: "text", text });
  }

  #emitCall(call: CallInProgress, name: string, text: string): void {
    if (name === "" && text === "") return;
    call.arguments += text;
    const { index, id } = call;
    this.#pieces.push({ type: "tool_call", index, id, name, arguments: text });
  }
}
