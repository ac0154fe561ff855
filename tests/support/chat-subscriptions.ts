// Subscriptions of the playground in tests: sent as clients send them, read part by part.
import { send, type TestApi } from "./api.ts";
import { readParts } from "./multipart.ts";

export const PARTS_TYPE = "multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json";

export const CHAT_COMPLETION = `subscription Chat($input: ChatCompletionInput!) {
  chatCompletion(input: $input) {
    __typename datasetExampleId repetitionNumber
    ... on TextChunk { content }
    ... on ToolCallChunk { id function { name arguments } }
    ... on ChatCompletionSubscriptionResult {
      experimentRun { id }
      span {
        id spanId name spanKind statusCode statusMessage parentId attributes
        tokenCountPrompt tokenCountCompletion tokenCountTotal
        events { name } project { name }
      }
    }
    ... on ChatCompletionSubscriptionError { message span { id } }
    ... on EvaluationChunk { evaluatorName error }
    ... on ChatCompletionSubscriptionExperiment { experiment { id } }
  }
}`;

export interface ChatSpan {
  readonly id: string;
  readonly spanId: string;
  readonly name: string;
  readonly spanKind: string;
  readonly statusCode: string;
  readonly statusMessage: string;
  readonly parentId: string | null;
  readonly attributes: string;
  readonly tokenCountPrompt: number | null;
  readonly tokenCountCompletion: number | null;
  readonly tokenCountTotal: number | null;
  readonly events: readonly { readonly name: string }[];
  readonly project: { readonly name: string };
}

export interface ChatPayload {
  readonly __typename: string;
  readonly datasetExampleId: string | null;
  readonly repetitionNumber: number | null;
  readonly content?: string;
  readonly id?: string;
  readonly function?: { readonly name: string; readonly arguments: string };
  readonly span?: ChatSpan | null;
  readonly message?: string;
}

interface Part {
  readonly payload?: {
    readonly data: { readonly chatCompletion: ChatPayload } | null;
    readonly errors?: readonly { readonly message: string; readonly locations?: unknown; readonly path?: unknown }[];
  };
}

export function postSubscription(
  api: Pick<TestApi, "server">,
  variables: object,
  init: RequestInit = {},
): Promise<Response> {
  const json = { query: CHAT_COMPLETION, variables };
  return send(api.server, "POST /graphql", { headers: { accept: PARTS_TYPE }, json, ...init });
}

/** What a subscription answered: its events, or the errors in the place of them. */
export interface ReadChat {
  readonly parts: readonly Part[];
  readonly events: readonly ChatPayload[];
  readonly errors: readonly string[];
}

export async function readChat(response: Response): Promise<ReadChat> {
  const parts = (await Array.fromAsync(readParts(response))) as Part[];
  return {
    parts,
    events: parts.flatMap(({ payload }) => payload?.data?.chatCompletion ?? []),
    errors: parts.flatMap(({ payload }) => payload?.errors ?? []).map(({ message }) => message),
  };
}
