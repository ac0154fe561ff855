// Trying chats in GraphQL.
import { argumentRefused } from "../../../graphql/connection.ts";
import { addSubscription, type GraphqlTypes } from "../../../graphql/types.ts";
import { generativeCredentialInput } from "../model-providers/credential-input.graphql.ts";
import { versionInput } from "../prompts/content/prompt-inputs.graphql.ts";
import { templateOptionsInput } from "../prompts/prompts.graphql.ts";
import { type ChatPayload, type ChatPayloadServices, chatPayloadType } from "./chat-events.graphql.ts";
import {
  connectionInput,
  credentialsOf,
  playgroundEvaluatorInput,
  requireVariables,
  variantOf,
} from "./chat-inputs.graphql.ts";
import type { ChatEvent } from "./chats.schema.ts";
import type { ChatsService } from "./chats.service.ts";

export function addPlaygroundTypes(
  types: GraphqlTypes,
  { chats, ...services }: ChatPayloadServices & { readonly chats: ChatsService },
): void {
  const Input = types.builder.inputType("ChatCompletionInput", {
    fields: (t) => ({
      promptVersion: t.field({ type: versionInput(types), required: true }),
      connectionConfig: t.field({ type: connectionInput(types) }),
      headers: t.field({ type: "JSON", description: "Added to the requests to the provider: texts by names." }),
      credentials: t.field({ type: [generativeCredentialInput(types)] }),
      template: t.field({
        type: templateOptionsInput(types),
        description: "Absent: the messages are sent as they are.",
      }),
      promptName: t.field({ type: "Identifier" }),
      repetitions: t.int({ required: true, description: "From 1 to 100." }),
      evaluators: t.field({
        type: [playgroundEvaluatorInput(types)],
        required: true,
        defaultValue: [],
        description: "Of runs over a dataset: must be empty here.",
      }),
      streamModelOutput: t.boolean({ required: true, defaultValue: true }),
    }),
  });
  addSubscription(types, "chatCompletion", (t) =>
    t.field({
      type: chatPayloadType(types, services),
      description:
        "Calls a model and answers what it writes, piece by piece. Only spans are stored, in the project `playground`.",
      may: "model_calls.run",
      adds: true,
      args: { input: t.arg({ type: Input, required: true }) },
      subscribe: async (_root, { input }, { context }) => {
        const { template, repetitions, evaluators, credentials, streamModelOutput } = input;
        if (evaluators.length > 0) throw argumentRefused("evaluators", "are run over datasets: must be empty here");
        const variant = {
          ...variantOf(input),
          template:
            template == null
              ? null
              : { format: template.format, variables: requireVariables("template.variables", template.variables) },
        };
        const request = {
          variants: [variant],
          repetitions,
          credentials: credentialsOf(credentials),
          streaming: streamModelOutput,
        };
        const signal = context.signal ?? new AbortController().signal;
        return payloadsOf(await chats.runChat(context, request, signal));
      },
      resolve: (payload) => payload,
    }),
  );
}

/** As programs know them: a failure of the provider is an error and then a result, a time-out of the playground an error alone. */
async function* payloadsOf(events: AsyncGenerator<ChatEvent, void, undefined>): AsyncGenerator<ChatPayload> {
  const timedOut = new Set<number>();
  for await (const event of events) {
    const place = { exampleId: null, repetition: event.repetition };
    switch (event.type) {
      case "text":
        if (event.text !== "") yield { type: "text", ...place, content: event.text };
        break;
      case "tool_call":
        yield { type: "tool_call", ...place, id: event.id, name: event.name, arguments: event.arguments };
        break;
      case "error":
        if (event.isPlaygroundTimeout) timedOut.add(event.repetition);
        yield { type: "error", ...place, message: event.message, spanKey: null, runId: null };
        break;
      case "result":
        if (!timedOut.has(event.repetition)) yield { type: "result", ...place, spanKey: event.spanKey, runId: null };
        break;
      case "retry":
        break;
    }
  }
}
