// The model proxy over REST, in the shapes of OpenAI's API.
import { randomBytes } from "node:crypto";
import { liveAnswer } from "../../../api/live-answer.ts";
import { type RouteModule, route } from "../../../api/route.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { Failure, messageOf } from "../../../kernel/failure.ts";
import { headerText } from "../../../kernel/header-text.ts";
import type { Logger } from "../../../kernel/logger.ts";
import { readTraceparent } from "../../../kernel/traceparent.ts";
import { MAX_KEY_BYTES } from "../../../model/span.ts";
import type { ModelFailure } from "../../../providers/model-event.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { RecordedEvent } from "../model-calls/model-calls.schema.ts";
import { chatCompletionBody, chatCompletionOfText, violationsText } from "./chat-completion-body.rules.ts";
import { ModelsAnswer, ModelsQuery } from "./chat-completions.schema.ts";
import {
  COMPLETION_HEARTBEAT,
  type CompletionChunks,
  completionChunks,
  errorEvent,
  STREAM_END,
  wholeCompletion,
} from "./completion-answer.rules.ts";
import {
  callWithoutEnd,
  type ProxyError,
  projectNameTooLong,
  proxiedFailure,
  proxyErrorOf,
  UNEXPECTED,
  violationDocument,
} from "./model-proxy.errors.ts";
import type { CallerTrace, ModelProxyService, ProxiedCall } from "./model-proxy.service.ts";
import type { ProxiedModelsService } from "./proxied-models.service.ts";

interface ModelProxyRoutesDependencies {
  readonly proxy: ModelProxyService;
  readonly models: ProxiedModelsService;
  readonly clock: Clock;
  readonly log: Logger;
}

const EVENTS = "text/event-stream";
const JSON_TYPE = "application/json";
const exampleModel = "ollama:llama3.2";
const exampleError = {
  error: { message: "Unknown model 'gpt-4o'.", type: "invalid_request_error", param: null, code: "model_not_found" },
};
const errorContents = { [JSON_TYPE]: { schema: { type: "object" }, example: exampleError } };

export function modelProxyRoutes(dependencies: ModelProxyRoutesDependencies): RouteModule {
  return { name: "model-proxy", routes: [completionRoute(dependencies), modelsRoute(dependencies)] };
}

function completionRoute({ proxy, clock, log }: ModelProxyRoutesDependencies) {
  const errorOf = (context: CallContext, error: unknown): ProxyError => {
    if (error instanceof CallFailed) return proxiedFailure(error.failure);
    const shown = error instanceof Failure ? proxyErrorOf(error) : null;
    if (shown !== null) return shown;
    log.error("a call through the model proxy broke off", { reason: messageOf(error), request_id: context.requestId });
    return UNEXPECTED;
  };
  return route({
    method: "POST",
    path: "/v1/chat/completions",
    operationId: "createChatCompletion",
    summary: "Call a model through this server",
    description: `OpenAI's chat completions for models of every provider, with the credentials of this server: clients of OpenAI's API take this
server's address, and an API key of it. Streams, functions as tools and JSON schemas work with every provider that knows them; members that are
not listed here are passed over. The header \`traceparent\` makes the call a span of that trace, and \`x-project-name\` names its project. Each call
is recorded as a span, priced, and bounded by budgets. Errors have the shape of OpenAI's; a key that the provider refuses is a 502.`,
    action: "model_calls.run",
    status: 200,
    storageLocked: true,
    confidential: true,
    body: chatCompletionBody,
    violationDocument: (violations) => violationDocument(violationsText(violations)),
    rawAnswer: JSON_TYPE,
    errors: {
      malformed: "This endpoint cannot do that, or the provider cannot be called.",
      invalid: "The body breaks its schema: the message names the places.",
      not_found: "There is no such model, provider or custom provider.",
      rate_limited: "A budget is used up, too many calls of the caller run at once, or the provider answers 429.",
      unavailable: "Too many calls run at once, or the provider is overloaded.",
    },
    example: { body: { model: exampleModel, messages: [{ role: "user", content: "Say hello to Ada." }] } },
    shown: {
      answer: {
        [JSON_TYPE]: {
          schema: { type: "object" },
          example: {
            id: "chatcmpl-0af7651916cd43dd8448eb21",
            object: "chat.completion",
            created: 1_780_000_000,
            model: exampleModel,
            choices: [{ index: 0, message: { role: "assistant", content: "Hello Ada!" }, finish_reason: "stop" }],
            usage: { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 },
          },
        },
        [EVENTS]: { schema: { type: "string" }, example: STREAM_END },
      },
      failures: { malformed: errorContents, invalid: errorContents, not_found: errorContents },
    },
    handler: async ({ context, body, request }) => {
      const abort = new AbortController();
      const cancel = () => abort.abort();
      context.signal?.addEventListener("abort", cancel, { once: true });
      try {
        const sent = chatCompletionOfText(await body.text());
        const events = await proxy.complete(context, { sent, ...callerOf(request.headers) }, abort.signal);
        const id = `chatcmpl-${randomBytes(12).toString("hex")}`;
        const head = { id, created: Math.floor(clock.now() / 1e6), model: sent.model };
        const isStream = sent.stream === true;
        const first = await (isStream ? nextShown(events) : lastOf(events));
        if (first.type === "failure") throw new CallFailed(first.failure);
        if (!isStream) return Response.json(wholeCompletion(head, (first as FinishEvent).attempt));
        const chunks = completionChunks(head, sent.stream_options?.include_usage === true);
        const parts = chunkTexts({ chunks, first, events, errorOf: (error) => errorOf(context, error) });
        // It is here already: with the beginning it is on its way a turn of the event loop earlier.
        const opening = await parts.next();
        const beginning = chunks.first + (opening.done === true ? "" : opening.value);
        const shown = { beginning, heartbeat: COMPLETION_HEARTBEAT, end: STREAM_END };
        return liveAnswer({
          ...shown,
          parts,
          headers: { "content-type": EVENTS },
          // Also where the client went away before the first part was read.
          cancel() {
            cancel();
            events.return().catch(() => {});
          },
        });
      } catch (error) {
        const { status, headers, error: shown } = errorOf(context, error);
        return Response.json({ error: shown }, { status, headers });
      }
    },
  });
}

/** The provider has refused the call, or failed. */
class CallFailed extends Error {
  constructor(readonly failure: ModelFailure) {
    super(failure.message);
  }
}

type FinishEvent = Extract<RecordedEvent, { readonly type: "finish" }>;
type ShownEvent = Exclude<RecordedEvent, { readonly type: "retry" }>;

/** Of a call that is tried again nothing was shown yet. */
async function nextShown(events: AsyncGenerator<RecordedEvent, void, undefined>): Promise<ShownEvent> {
  for (;;) {
    const { value, done } = await events.next();
    if (done === true) throw callWithoutEnd();
    if (value.type === "retry") continue;
    // Behind its last event a call counts as running until it is left.
    if (value.type === "finish" || value.type === "failure") await events.return();
    return value;
  }
}

async function lastOf(events: AsyncGenerator<RecordedEvent, void, undefined>) {
  for (;;) {
    const event = await nextShown(events);
    if (event.type === "failure" || event.type === "finish") return event;
  }
}

interface Chunked {
  readonly chunks: CompletionChunks;
  readonly first: ShownEvent;
  /** What follows it. */
  readonly events: AsyncGenerator<RecordedEvent, void, undefined>;
  readonly errorOf: (error: unknown) => ProxyError;
}

async function* chunkTexts({ chunks, first, events, errorOf }: Chunked): AsyncGenerator<string, void, undefined> {
  try {
    for (let event = first; ; event = await nextShown(events)) {
      if (event.type === "failure") throw new CallFailed(event.failure);
      if (event.type === "finish") {
        yield chunks.last(event.attempt);
        return;
      }
      const piece = chunks.piece(event);
      if (piece !== "") yield piece;
    }
  } catch (error) {
    yield errorEvent(errorOf(error));
  } finally {
    await events.return();
  }
}

/** What headers tell of the caller. Throws kind `malformed` for a project name that is too long. */
function callerOf(headers: Headers): Pick<ProxiedCall, "trace" | "projectName"> {
  const parent = readTraceparent(headers.get("traceparent"));
  const projectName = headerText(headers.get("x-project-name"))?.trim() || null;
  if (projectName !== null && Buffer.byteLength(projectName) > MAX_KEY_BYTES) throw projectNameTooLong(MAX_KEY_BYTES);
  const trace: CallerTrace | null =
    parent === null ? null : { traceKey: parent.traceId, spanKey: parent.spanId, isRecorded: parent.isSampled };
  return { trace, projectName };
}

function modelsRoute({ models }: ModelProxyRoutesDependencies) {
  return route({
    method: "GET",
    path: "/v1/models",
    operationId: "listProxiedModels",
    summary: "List models that can be called through this server",
    description: `Known names of the built-in providers that have credentials, and of custom providers, without a request to any of them. Every other
name of a model can be called, too. With \`provider\`, the endpoint of this one is asked for its models.`,
    action: "model_providers.list_models",
    status: 200,
    query: ModelsQuery,
    response: ModelsAnswer,
    errors: {
      invalid: "The provider cannot be called: the message names what is missing.",
      not_found: "There is no such provider.",
      rate_limited: "Endpoints were asked too often.",
      unavailable: "The endpoint lists no models.",
    },
    example: {
      response: { object: "list", data: [{ id: exampleModel, object: "model", created: 0, owned_by: "ollama" }] },
    },
    handler: async ({ context, query: { provider } }) => ({
      object: "list" as const,
      data: await (provider === undefined ? models.listKnown(context) : models.listOfEndpoint(context, provider)),
    }),
  });
}
