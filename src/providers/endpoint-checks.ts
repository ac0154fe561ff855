// Lists the models of an endpoint and tests its credentials, for custom providers.
import { isJsonObject, type Json } from "../kernel/json.ts";
import { parameterFamily } from "../model/prompt.ts";
import { raceWithAbort } from "./abort.ts";
import { type AttemptNeeds, runAttempt } from "./attempt.ts";
import { authorisedHeaders } from "./authorisation.ts";
import type { CallLimits } from "./call-limits.ts";
import { cancelled, noCompletion, redactedFailure, statusFailure, thrownFailure } from "./failures.ts";
import type { CallParameters, ModelCall, ModelEndpoint } from "./model-call.ts";
import type { ModelFailure } from "./model-event.ts";
import { readResponseText } from "./provider-fetch.ts";
import { createRedactor, secretsOf } from "./redaction.ts";
import { findJson } from "./wire-messages.ts";
import { memberList, memberText } from "./wires/members.ts";
import { wires } from "./wires/wires.ts";

const SECONDS = 10;
/** Gateways list hundreds of models with their descriptions. */
const LIMITS: CallLimits = {
  firstPieceSeconds: SECONDS,
  idleSeconds: SECONDS,
  totalSeconds: SECONDS,
  maximumBytes: 8 * 1024 * 1024,
};
const UNKNOWN_MODEL = "test-credential-check";

type CheckNeeds = Pick<AttemptNeeds, "fetch" | "tokens" | "clock" | "signal">;

interface ModelList {
  readonly path: string;
  modelsIn(body: Json): string[];
}

const namedById = (body: Json) => memberList(body, "data").map((model) => memberText(model, "id"));

/** Bedrock has no list at this address. */
const lists: Readonly<Record<ModelEndpoint["wire"], ModelList | null>> = {
  openai_chat: { path: "/models", modelsIn: namedById },
  openai_responses: { path: "/models", modelsIn: namedById },
  anthropic: { path: "/v1/models?limit=1000", modelsIn: namedById },
  google: {
    path: "/v1beta/models?pageSize=1000",
    modelsIn: (body) => memberList(body, "models").map((model) => memberText(model, "name").replace(/^models\//, "")),
  },
  bedrock: null,
};

interface ListedModels {
  /** In the order of the provider; empty on failure, and for Bedrock. */
  readonly models: readonly string[];
  readonly failure: ModelFailure | null;
}

/** The models that the endpoint lists, within 10 seconds. */
export async function listEndpointModels(endpoint: ModelEndpoint, needs: CheckNeeds): Promise<ListedModels> {
  const list = lists[endpoint.wire];
  if (list === null) return { models: [], failure: null };
  const { clock, signal } = needs;
  const url = `${endpoint.baseUrl}${list.path}`;
  let secrets = secretsOf(endpoint);
  const failed = (failure: ModelFailure): ListedModels => {
    return { models: [], failure: redactedFailure(failure, createRedactor(secrets).text) };
  };
  try {
    const unsigned = { url, headers: wires[endpoint.wire].request(unknownModelCall(endpoint)).headers, body: "" };
    const authorised = await raceWithAbort(
      authorisedHeaders({ endpoint }, unsigned, needs.tokens, clock.now()),
      signal,
    );
    secrets = [...secrets, ...authorised.secrets];
    const response = await needs.fetch({
      method: "GET",
      url,
      headers: authorised.headers,
      body: null,
      label: endpoint.provider,
      maximumIdleSeconds: () => SECONDS,
      totalSeconds: SECONDS,
      maximumBytes: LIMITS.maximumBytes,
      signal,
    });
    const text = await readResponseText(response);
    if (response.status !== 200) return failed(statusFailure(endpoint.displayName, response, text, clock.now()));
    const body = findJson(text);
    if (!isJsonObject(body)) return failed(noCompletion(`${endpoint.displayName} sent no list of models`));
    return { models: [...new Set(list.modelsIn(body))].filter((name) => name !== ""), failure: null };
  } catch (error) {
    const failure = signal.aborted ? cancelled() : thrownFailure(error);
    if (failure === null) throw error;
    return failed(failure);
  }
}

/** Null if the endpoint accepts the credentials. OpenAI and Google are asked for their models; Anthropic and Bedrock for an answer of a
 *  model that does not exist, which they report only to valid credentials. */
export async function checkEndpoint(endpoint: ModelEndpoint, needs: CheckNeeds): Promise<ModelFailure | null> {
  if (endpoint.wire !== "anthropic" && endpoint.wire !== "bedrock") {
    return (await listEndpointModels(endpoint, needs)).failure;
  }
  const attempt = runAttempt(unknownModelCall(endpoint), 1, { ...needs, limits: LIMITS });
  let step = await attempt.next();
  while (step.done !== true) step = await attempt.next();
  const { failure } = step.value;
  const isUnknown = failure?.status === 404 || (endpoint.wire === "bedrock" && failure?.code === "ValidationException");
  return isUnknown ? null : failure;
}

function unknownModelCall(endpoint: ModelEndpoint): ModelCall {
  const family = parameterFamily(endpoint.provider);
  const limits = family === "google" ? { max_output_tokens: 10 } : { max_tokens: 10 };
  return {
    endpoint,
    model: UNKNOWN_MODEL,
    messages: [{ role: "user", content: "Hello" }],
    tools: null,
    responseFormat: null,
    parameters: { type: family, [family]: limits } as CallParameters,
    streaming: false,
  };
}
