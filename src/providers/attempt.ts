// One request to a provider, from the call to the record of the attempt.
import type { Clock } from "../kernel/clock.ts";
import { isJsonObject } from "../kernel/json.ts";
import { raceWithAbort } from "./abort.ts";
import { AnswerInProgress } from "./answer-in-progress.ts";
import { authorisedHeaders } from "./authorisation.ts";
import type { CallLimits } from "./call-limits.ts";
import { amazonEvents, type EventStream, type ReceivedEvent, serverSentEvents } from "./event-streams.ts";
import {
  cancelled,
  incompleteAnswer,
  noCompletion,
  redactedFailure,
  statusFailure,
  streamError,
  thrownFailure,
} from "./failures.ts";
import type { IdentityTokens } from "./identity-tokens.ts";
import type { ModelCall } from "./model-call.ts";
import type { ModelAttempt, ModelEvent, ModelFailure, RecordedResponse } from "./model-event.ts";
import type { ProviderFetch, ProviderResponse } from "./provider-fetch.ts";
import { createRedactor, redactorOf, secretsOf } from "./redaction.ts";
import { findJson } from "./wire-messages.ts";
import { errorInAnswer } from "./wires/error-texts.ts";
import { wireRequest, wires } from "./wires/wires.ts";

export interface AttemptNeeds {
  readonly fetch: ProviderFetch;
  readonly tokens: IdentityTokens;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly limits: CallLimits;
}

type Piece = Extract<ModelEvent, { readonly type: "text" | "tool_call" }>;

/** Of the body of an error response, no more is read. */
const MOST_REFUSAL_BYTES = 256 * 1024;
/** How long to wait after the finish reason for token counts, and after the last event for the end of the response. */
const SECONDS_FOR_COUNTS = 5;
const SECONDS_FOR_END = 0.25;
const FIRST_BUFFER_BYTES = 4096;
const DONE = "[DONE]";

/** Yields pieces of the answer as they arrive, and returns the record. Failures of the provider or the network are part of the record. */
export async function* runAttempt(
  call: ModelCall,
  number: number,
  needs: AttemptNeeds,
): AsyncGenerator<Piece, ModelAttempt, undefined> {
  const { endpoint, streaming } = call;
  const { clock, signal, limits } = needs;
  const wire = wires[endpoint.wire];
  const request = wireRequest(call);
  const url = `${endpoint.baseUrl}${request.path}`;
  const body = JSON.stringify(request.body);
  const startUs = clock.now();
  let redactor = redactorOf(endpoint);
  let answer = new AnswerInProgress(redactor);
  let firstTokenUs: number | null = null;
  let response: ProviderResponse | null = null;
  let failure: ModelFailure | null = null;
  const received = new ReceivedBytes(endpoint.wire === "bedrock" && streaming);

  const taken = (): readonly Piece[] => {
    const pieces = answer.takePieces();
    if (pieces.length > 0) firstTokenUs ??= clock.now();
    return pieces;
  };
  const maximumIdleSeconds = () => {
    if (answer.isDone) return SECONDS_FOR_END;
    if (answer.isComplete) return SECONDS_FOR_COUNTS;
    return firstTokenUs === null ? limits.firstPieceSeconds : limits.idleSeconds;
  };

  try {
    const unsigned = { url, headers: request.headers, body };
    const { headers, secrets } = await raceWithAbort(authorisedHeaders(call, unsigned, needs.tokens, startUs), signal);
    if (secrets.length > 0) {
      redactor = createRedactor([...secretsOf(endpoint), ...secrets]);
      answer = new AnswerInProgress(redactor);
    }
    const { totalSeconds, maximumBytes } = limits;
    response = await needs.fetch({
      method: "POST",
      url,
      headers,
      body,
      label: endpoint.provider,
      maximumIdleSeconds,
      totalSeconds,
      maximumBytes,
      signal,
    });
    if (response.status < 200 || response.status > 299) {
      failure = statusFailure(endpoint.displayName, response, await errorBody(response, received), clock.now());
    } else {
      const stream = await eventStreamOf(call, response);
      const reader = wire.readStream(answer);
      for await (const bytes of response.body) {
        for (const event of received.add(bytes, stream)) readEvent(event, reader, answer, endpoint.displayName);
        for (const piece of taken()) yield piece;
        if (answer.error !== null) break;
      }
      if (answer.error === null) {
        for (const event of received.close(stream)) readEvent(event, reader, answer, endpoint.displayName);
      }
      if (received.events === 0) readWhole(received.text(), wire, answer);
    }
  } catch (error) {
    const thrown = signal.aborted ? cancelled() : failureOf(error, endpoint.displayName);
    // A connection that breaks after the finish reason does not invalidate the answer.
    const isLate = answer.isComplete && (thrown.kind === "connection" || thrown.kind === "timeout");
    if (!isLate) failure = thrown;
  }
  answer.close();
  for (const piece of taken()) yield piece;
  failure ??= failureIn(answer, response, endpoint.displayName);
  const redact = redactor.text;
  return {
    number,
    wire: endpoint.wire,
    startUs,
    endUs: Math.max(startUs, clock.now()),
    firstTokenUs,
    request: { method: "POST", url: redact(spanUrl(url)), path: request.spanPath, body: redact(body) },
    response: response === null ? null : recordedResponse(response, received, answer, redact),
    text: answer.text,
    toolCalls: answer.toolCalls,
    thoughts: answer.thoughts,
    responseJson: answer.whole === null ? null : redact(answer.whole),
    usage: answer.usage,
    finishReason: answer.finishReason,
    providerFinishReason: answer.providerFinishReason,
    responseId: answer.responseId,
    responseModel: answer.responseModel,
    failure: failure === null ? null : redactedFailure(failure, redact),
  };
}

/** The body as received so far. */
class ReceivedBytes {
  events = 0;
  /** In one buffer: a stream has hundreds of small pieces, and each would hold memory of its own until the end. */
  #bytes = new Uint8Array(FIRST_BUFFER_BYTES);
  #length = 0;
  readonly #lines: string[] | null;

  /** A binary stream is recorded as one line of JSON an event. */
  constructor(isBinary: boolean) {
    this.#lines = isBinary ? [] : null;
  }

  add(bytes: Uint8Array, stream: EventStream | null): readonly ReceivedEvent[] {
    this.#append(bytes);
    return stream === null ? [] : this.#counted(stream.push(bytes));
  }

  close(stream: EventStream | null): readonly ReceivedEvent[] {
    return stream === null ? [] : this.#counted(stream.end());
  }

  text(): string {
    if (this.#lines !== null && this.events > 0) return this.#lines.map((line) => `${line}\n`).join("");
    return new TextDecoder().decode(this.#bytes.subarray(0, this.#length));
  }

  #append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = length;
  }

  #counted(events: readonly ReceivedEvent[]): readonly ReceivedEvent[] {
    this.events += events.length;
    this.#lines?.push(...events.map(({ name, data }) => `{${JSON.stringify(name)}:${data}}`));
    return events;
  }
}

/** Decided by the content type; if that says nothing useful, by whether a stream was requested. */
async function eventStreamOf({ streaming }: ModelCall, { headers }: ProviderResponse): Promise<EventStream | null> {
  const contentType = headers.get("content-type") ?? "";
  if (contentType.includes("application/vnd.amazon.eventstream")) return amazonEvents();
  if (contentType.includes("json")) return null;
  return streaming || contentType.includes("text/event-stream") ? serverSentEvents() : null;
}

async function errorBody(response: ProviderResponse, received: ReceivedBytes): Promise<string> {
  let bytes = 0;
  for await (const piece of response.body) {
    received.add(piece, null);
    bytes += piece.length;
    if (bytes >= MOST_REFUSAL_BYTES) break;
  }
  return received.text();
}

function readEvent(
  { name, data, isException }: ReceivedEvent,
  reader: ReturnType<(typeof wires)["anthropic"]["readStream"]>,
  answer: AnswerInProgress,
  provider: string,
): void {
  if (answer.error !== null) return;
  if (data.trim() === DONE) {
    answer.isComplete = true;
    answer.isDone = true;
    return;
  }
  const value = findJson(data);
  if (isException) {
    const { message } = errorInAnswer(value);
    answer.fail(message, name);
  } else if (!isJsonObject(value)) {
    answer.isUnreadable = true;
    answer.fail(`${provider} sent an event that is not a JSON object`, null);
  } else reader.event(name, value);
}

function readWhole(text: string, wire: (typeof wires)["anthropic"], answer: AnswerInProgress): void {
  const value = findJson(text);
  if (!isJsonObject(value)) return;
  answer.isWhole = true;
  wire.readWhole(value, answer);
  if (answer.isAnswer) answer.whole = text;
  else if (value.error !== undefined && value.error !== null) {
    const { message, code } = errorInAnswer(value);
    answer.fail(message, code);
  }
}

/** Why a response that was read to its end is not a complete answer; null if it is one. */
function failureIn(answer: AnswerInProgress, response: ProviderResponse | null, provider: string): ModelFailure | null {
  if (answer.error !== null) {
    const { message, code } = answer.error;
    return answer.isUnreadable ? noCompletion(message) : streamError(message, code, provider);
  }
  if (answer.isAnswer) return answer.isComplete ? null : incompleteAnswer(provider);
  const contentType = response?.headers.get("content-type") ?? "no content type";
  return noCompletion(`${provider} sent no completion (${contentType})`);
}

function failureOf(error: unknown, provider: string): ModelFailure {
  const failure = thrownFailure(error);
  if (failure !== null) return failure;
  const { name } = error instanceof Error ? error : { name: "" };
  if (name === "Failure") return noCompletion(`${provider} sent a stream that cannot be read`);
  throw error;
}

function recordedResponse(
  { status, headers }: ProviderResponse,
  received: ReceivedBytes,
  answer: AnswerInProgress,
  redact: (text: string) => string,
): RecordedResponse {
  // A secret that is split over events cannot be found in the raw stream.
  const isScattered = answer.repeatedSecret && received.events > 0;
  const body = isScattered ? "[REDACTED: the answer repeats a secret of the call]" : redact(received.text());
  return { status, contentType: headers.get("content-type") ?? null, body };
}

function spanUrl(url: string): string {
  if (!URL.canParse(url)) return url.split(/[?#]/)[0]!;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
