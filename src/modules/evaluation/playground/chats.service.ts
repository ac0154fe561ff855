// Tries chats: variants side by side, each several times.
import { newTraceKey } from "../../../ingest/server-span.ts";
import { Failure } from "../../../kernel/failure.ts";
import { merged } from "../../../kernel/merged.ts";
import { parameterFamily } from "../../../model/prompt.ts";
import { playgroundLimits } from "../../../providers/call-limits.ts";
import type { CallParameters, ModelCall } from "../../../providers/model-call.ts";
import { requireModelCall } from "../../../providers/model-call-checks.ts";
import { noRetries, playgroundRetries } from "../../../providers/retries.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { ProjectsService } from "../../tracing/projects/projects.service.ts";
import type { RecordedCalls } from "../model-calls/model-calls.schema.ts";
import type { ModelEndpointsService, ResolvedEndpoint } from "../model-providers/model-endpoints.service.ts";
import { type Spender, spenderOf } from "../spending/spending.schema.ts";
import { numberOutOfRange, variantRefused } from "./chats.errors.ts";
import {
  type ChatError,
  type ChatEvent,
  type ChatRequest,
  type ChatVariant,
  PLAYGROUND_PROJECT,
} from "./chats.schema.ts";
import { filledMessages } from "./filled-messages.rules.ts";
import { MAX_REPETITIONS, MAX_VARIANTS } from "./run-bounds.rules.ts";

interface ChatsDependencies {
  readonly calls: Pick<RecordedCalls, "run">;
  readonly endpoints: ModelEndpointsService;
  readonly projects: Pick<ProjectsService, "ensureProject">;
}

export interface ChatsService {
  /** Resolves once everything is checked, before anything is called: throws kind `invalid`, and `not_found` for a custom provider. A
   *  template that cannot be filled, a budget that is used up and failures of providers are events. `signal` and leaving the loop cancel
   *  what runs; it is recorded all the same. */
  runChat(
    context: CallContext,
    request: ChatRequest,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<ChatEvent, void, undefined>>;
}

/** Of one variant. */
const MOST_AT_ONCE = 3;
const DEFAULT_MAX_TOKENS = 2000;
const TIMED_OUT = "Playground task timed out";

interface PreparedVariant extends ResolvedEndpoint {
  /** A call, or why the template cannot be filled. */
  readonly call: ModelCall | Failure;
  readonly metadata: ChatVariant["metadata"];
}

interface Payer {
  readonly spender: Spender;
  readonly projectId: number;
}

export function createChatsService({ calls, endpoints, projects }: ChatsDependencies): ChatsService {
  async function prepared(
    context: CallContext,
    { provider, customProviderId, model, connection, headers, ...variant }: ChatVariant,
    { credentials, streaming }: ChatRequest,
  ): Promise<PreparedVariant> {
    const target = { provider, customProviderId, model, connection, headers, credentials };
    const resolved = await endpoints.resolveEndpoint(context, target);
    const { tools, responseFormat, messages, metadata } = variant;
    const parameters = variant.parameters ?? defaultParameters(parameterFamily(resolved.endpoint.provider));
    const unfilled = { endpoint: resolved.endpoint, model, messages, tools, responseFormat, parameters, streaming };
    const filled = filledOrRefused(variant);
    const call = filled instanceof Failure ? filled : { ...unfilled, messages: filled };
    requireModelCall(call instanceof Failure ? unfilled : call);
    return { ...resolved, call, metadata };
  }

  /** The events of one repetition. */
  async function* repetitionOf(
    { call, endpoint, isCustom, metadata }: PreparedVariant,
    place: { readonly variant: number; readonly repetition: number },
    { spender, projectId }: Payer,
    signal: AbortSignal,
  ): AsyncGenerator<ChatEvent, void, undefined> {
    const error = (given: Partial<ChatError> & Pick<ChatError, "code" | "message">): ChatEvent => ({
      type: "error",
      ...place,
      isPlaygroundTimeout: false,
      hasResult: false,
      ...given,
    });
    if (call instanceof Failure) {
      yield error({ code: "template", message: call.message });
      return;
    }
    const traceKey = newTraceKey();
    const limits = playgroundLimits(endpoint, isCustom);
    const events = calls.run({
      call,
      retries: isCustom ? noRetries : playgroundRetries,
      limits,
      heedsRateLimits: false,
      spender,
      purpose: "playground",
      projectId,
      place: { projectName: PLAYGROUND_PROJECT.name, traceKey, parentSpanKey: null },
      metadata: { ...metadata, repetition: place.repetition },
      signal,
    });
    try {
      for await (const event of events) {
        if (event.type !== "finish" && event.type !== "failure") {
          yield { ...event, ...place };
          continue;
        }
        const { attempt, spanKey, spent, problem } = event;
        if (event.type === "failure") {
          const { kind, message } = event.failure;
          // Built-in clients of OpenAI have a shorter limit between pieces, which is theirs.
          const isOwnLimit = limits.idleSeconds >= limits.firstPieceSeconds || attempt?.firstTokenUs == null;
          const isPlaygroundTimeout = kind === "timeout" && isOwnLimit;
          const text = isPlaygroundTimeout ? TIMED_OUT : message;
          yield error({ code: kind, message: text, isPlaygroundTimeout, hasResult: true });
        } else if (problem !== null) {
          const text = `The answer could not be recorded: ${problem}`;
          yield error({ code: "not_recorded", message: text, hasResult: true });
        }
        yield { type: "result", ...place, traceKey, spanKey, attempt, spent };
      }
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.kind === "internal") throw thrown;
      yield error({ code: thrown.code, message: thrown.message });
    }
  }

  return {
    async runChat(context, request, signal) {
      const { variants, repetitions } = request;
      requireRange("repetitions", repetitions, MAX_REPETITIONS);
      requireRange("the number of variants", variants.length, MAX_VARIANTS);
      const all = await Promise.all(
        variants.map((variant, position) =>
          prepared(context, variant, request).catch((error: unknown) => {
            throw error instanceof Failure && variants.length > 1 ? variantRefused(position, error) : error;
          }),
        ),
      );
      const { id: projectId } = await projects.ensureProject(context, PLAYGROUND_PROJECT);
      const payer = { spender: spenderOf(context.principal), projectId };
      const eventsOf = (each: PreparedVariant, variant: number) => () =>
        merged(
          Array.from(
            { length: repetitions },
            (_, before) => () => repetitionOf(each, { variant, repetition: before + 1 }, payer, signal),
          ),
          MOST_AT_ONCE,
        );
      return merged(all.map(eventsOf), MAX_VARIANTS);
    },
  };
}

function defaultParameters(family: ReturnType<typeof parameterFamily>): CallParameters {
  switch (family) {
    case "anthropic":
      // The one parameter that Anthropic demands.
      return { type: family, anthropic: { max_tokens: DEFAULT_MAX_TOKENS } };
    case "google":
      return { type: family, google: {} };
    case "aws":
      return { type: family, aws: {} };
    case "openai":
      return { type: family, openai: {} };
  }
}

function filledOrRefused(variant: Pick<ChatVariant, "messages" | "template">) {
  try {
    return filledMessages(variant);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function requireRange(what: string, number: number, most: number): void {
  if (!Number.isInteger(number) || number < 1 || number > most) throw numberOutOfRange(what, most);
}
