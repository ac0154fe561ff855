// Refusals of the model proxy, and every failure in the shape in which OpenAI's clients read it.
import { type Failure, type FailureKind, fail } from "../../../kernel/failure.ts";
import type { ModelFailure } from "../../../providers/model-event.ts";
import { BUDGET_USED_UP } from "../spending/spending.schema.ts";

const FORMS =
  "Models are named <provider>:<name>, such as openai:gpt-4o-mini, or custom:<id of a custom provider>:<name>.";
const MODEL_NOT_FOUND = "model_not_found";

export const unknownModel = (text: string) => fail(MODEL_NOT_FOUND, "not_found", `Unknown model '${text}'. ${FORMS}`);

export const unknownModelProvider = (provider: string, text: string) =>
  fail(MODEL_NOT_FOUND, "not_found", `Unknown model provider '${provider}' in model '${text}'. ${FORMS}`);

/** Something in the body that no schema says; `place` such as `messages.0.role`. */
export const bodyRefused = (place: string, problem: string) =>
  fail("model_proxy.body", "invalid", `${place}: ${problem}`);

/** A member or a value of it that this endpoint does not have. */
export const notSupported = (message: string) => fail("model_proxy.not_supported", "malformed", message);

export const tooManyOfCaller = (most: number) =>
  fail(
    "model_proxy.too_many",
    "rate_limited",
    `${most} calls of this caller run at once already: try again in some seconds`,
    {
      retryAfterSeconds: 1,
    },
  );

export const endpointWithoutModels = (reason: string) =>
  fail("model_proxy.no_models", "unavailable", `The endpoint lists no models: ${reason}`);

export const projectNameTooLong = (most: number) =>
  fail("model_proxy.project_name", "malformed", `x-project-name: the name is longer than ${most} bytes`);

export const callWithoutEnd = () =>
  fail("model_proxy.no_end", "internal", "The events of a call ended without its last one");

/** As it is answered. */
export interface ProxyError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: null;
    readonly code: string | null;
  };
}

const statusOfOwn: Partial<Record<FailureKind, number>> = {
  invalid: 400,
  malformed: 400,
  not_found: 404,
  too_large: 413,
  rate_limited: 429,
  unavailable: 503,
};

/** Of a failure of this server; null for an unexpected one. */
export function proxyErrorOf(failure: Failure): ProxyError | null {
  const { code, kind, message, details } = failure;
  const status = code === "model_proxy.body" ? 422 : statusOfOwn[kind];
  if (status === undefined) return null;
  if (code === "custom_providers.not_found") return errorWith(404, "Custom provider not found.", null);
  const isShown = code === MODEL_NOT_FOUND || code.startsWith("spending.");
  const headers = {
    ...retryAfter(details.retryAfterSeconds ?? null),
    // A budget that is used up begins again hours or weeks later: clients would ask in vain.
    ...(code === BUDGET_USED_UP ? { "x-should-retry": "false" } : {}),
  };
  return { ...errorWith(status, message, isShown ? code : null), headers };
}

/** Of a provider that refuses or fails. Its 401 and 403 are about a key of the server, not about the caller, who would sign in again. */
export function proxiedFailure(failure: ModelFailure): ProxyError {
  const { kind, message, code, retryAfterSeconds } = failure;
  const shown = errorWith(statusOf(failure), message, code);
  const own = kind === "auth" ? { type: "provider_error", code: code ?? String(failure.status) } : {};
  return { ...shown, headers: retryAfter(retryAfterSeconds), error: { ...shown.error, ...own } };
}

export const UNEXPECTED = errorWith(500, "Internal server error.", null);

/** Of a body that its schema refuses. */
export function violationDocument(message: string): object {
  return { error: errorWith(422, message, null).error };
}

const KEPT_STATUSES = new Set([400, 404, 413, 422]);

function statusOf({ kind, status }: ModelFailure): number {
  switch (kind) {
    case "rate_limit":
      return 429;
    case "overloaded":
    case "cancelled":
      return 503;
    case "timeout":
      return 504;
    case "provider_error":
      return status !== null && KEPT_STATUSES.has(status) ? status : 502;
    default:
      return 502;
  }
}

function errorWith(status: number, message: string, code: string | null): ProxyError {
  const type = status < 500 ? "invalid_request_error" : "api_error";
  return { status, headers: {}, error: { message, type, param: null, code } };
}

function retryAfter(seconds: number | null): Readonly<Record<string, string>> {
  return seconds === null ? {} : { "retry-after": String(Math.ceil(seconds)) };
}
