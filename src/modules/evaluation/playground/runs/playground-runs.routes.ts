// Trying chats over REST: the answer is a stream of server-sent events.
import { liveAnswer } from "../../../../api/live-answer.ts";
import { type RouteModule, route } from "../../../../api/route.ts";
import { messageOf } from "../../../../kernel/failure.ts";
import type { Logger } from "../../../../kernel/logger.ts";
import type { ChatsService } from "../chats.service.ts";
import { playgroundRunBody, runOfText } from "./playground-run-body.rules.ts";
import { HEARTBEAT, RUN_END, runBeginning, runEvent, runEvents } from "./run-events.rules.ts";
import type { RunRequestsService } from "./run-requests.service.ts";

const EVENTS = "text/event-stream";
const UNEXPECTED = { message: "an unexpected error occurred" };

interface PlaygroundRunsServices {
  readonly chats: ChatsService;
  readonly requests: RunRequestsService;
  readonly log: Logger;
}

const example = {
  variants: [
    {
      model_provider: "OLLAMA",
      model_name: "llama3.2",
      messages: [{ role: "user", content: "Say hello to {{name}}." }],
    },
  ],
  variables: { name: "Ada" },
};

export function playgroundRunRoutes({ chats, requests, log }: PlaygroundRunsServices): RouteModule {
  return {
    name: "playground",
    routes: [
      route({
        method: "POST",
        path: "/v1/playground/runs",
        operationId: "createPlaygroundRun",
        summary: "Try prompts with models",
        description: `Calls each variant as often as asked, three repetitions of a variant at a time, and answers what the models write
as server-sent events: \`run\` first, then \`text\`, \`tool_call\` and \`retry\` (which voids the pieces before it) as they come, one \`result\` for
each repetition, and \`done\`. What cannot be called at all is refused before; a budget that is used up, a variable without a value and a failure of
the provider are the \`error\` of a result. Closing the connection cancels the calls. Each call is a span of the project \`playground\`.`,
        action: "model_calls.run",
        status: 200,
        storageLocked: true,
        confidential: true,
        body: playgroundRunBody,
        rawAnswer: EVENTS,
        errors: {
          invalid: "A variant cannot be called: the message names what is missing or refused.",
          not_found: "There is no such prompt, tag, version or custom provider.",
        },
        example: { body: example },
        shown: {
          answer: {
            [EVENTS]: {
              schema: { type: "string" },
              example: [
                runEvent("run", { repetitions: 1, variants: [{ model_provider: "OLLAMA", model_name: "llama3.2" }] }),
                runEvent("text", { variant: 0, repetition: 1, text: "Hello Ada!" }),
                runEvent("result", {
                  variant: 0,
                  repetition: 1,
                  trace_id: "0af7651916cd43dd8448eb211c80319c",
                  span_id: "b7ad6b7169203331",
                  message: { role: "assistant", content: "Hello Ada!" },
                  finish_reason: "stop",
                  usage: { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 },
                  cost_usd: null,
                  latency_ms: 310.5,
                  time_to_first_token_ms: 120.2,
                  error: null,
                }),
                RUN_END,
              ].join(""),
            },
          },
        },
        handler: async ({ context, body }) => {
          const request = await requests.chatsOf(context, runOfText(await body.text()));
          const abort = new AbortController();
          const cancel = () => abort.abort();
          context.signal?.addEventListener("abort", cancel, { once: true });
          const events = await chats.runChat(context, request, abort.signal);
          async function* parts() {
            try {
              yield* runEvents(events);
            } catch (error) {
              log.error("a run of the playground broke off", {
                reason: messageOf(error),
                request_id: context.requestId,
              });
              yield runEvent("error", UNEXPECTED);
            } finally {
              context.signal?.removeEventListener("abort", cancel);
            }
          }
          return liveAnswer({
            beginning: runBeginning(request),
            parts: parts(),
            heartbeat: HEARTBEAT,
            end: RUN_END,
            cancel,
            headers: { "content-type": EVENTS },
          });
        },
      }),
    ],
  };
}
