// Failures as errors of GraphQL: the plain message with a code; unexpected failures without details.
import { GraphQLError, type GraphQLFormattedError } from "graphql";
import { Failure, type FailureKind, messageOf } from "../../kernel/failure.ts";

const codeOfKind: Readonly<Record<FailureKind, string>> = {
  invalid: "BAD_REQUEST",
  malformed: "BAD_REQUEST",
  too_large: "BAD_REQUEST",
  unsupported: "BAD_REQUEST",
  unauthenticated: "UNAUTHORIZED",
  forbidden: "UNAUTHORIZED",
  not_found: "NOT_FOUND",
  conflict: "CONFLICT",
  locked: "INSUFFICIENT_STORAGE",
  // Our own: the same question may be answered later, or when it asks for less.
  rate_limited: "UNAVAILABLE",
  unavailable: "UNAVAILABLE",
  timed_out: "UNAVAILABLE",
  internal: "INTERNAL",
};

/** Texts that programs know from GraphQL where REST has another for the same refusal. */
const texts: Readonly<Record<string, string>> = {
  "auth.admin_only": "Only admin can perform this action",
  "auth.viewer_write": "Viewers cannot perform this action",
  "auth.switched_off": "Authentication must be enabled to manage API keys",
  "api_keys.system_not_found": "API key not found",
};

/** The default project cannot be deleted: a bad request, not a lack of rights. */
const codes: Readonly<Record<string, string>> = { "projects.default_protected": "BAD_REQUEST" };

/** How the library shows a number that is stored as its text. In a text of the sender its quotes would be escaped. */
const RAW_NUMBER = /\{ rawJSON: "([^"]*)" \}/g;
/** The library shows what it refuses; keys and passwords are not shown. */
const CONFIDENTIAL = /got invalid value .*? at "([^"]*(?:credentials|secrets|password|AuthenticationMethod)[^"]*)"/gis;
const MASKED = "an unexpected error occurred";

interface FaultHandling {
  /** Called for every unexpected failure. */
  readonly onFault: (cause: unknown) => void;
  readonly maskFaults: boolean;
}

/** The error as it is answered. */
export function answeredError(error: GraphQLError, { onFault, maskFaults }: FaultHandling): GraphQLFormattedError {
  const cause = causeOf(error);
  const { locations, path } = error.toJSON();
  const at = { ...(locations === undefined ? {} : { locations }), ...(path === undefined ? {} : { path }) };
  const answer = (message: string, code: string, more: Readonly<Record<string, unknown>> = {}) => ({
    message,
    ...at,
    extensions: { code, ...more },
  });
  if (cause instanceof Failure && cause.kind !== "internal") {
    // What may be answered later, or when it asks for less, says which of them and how.
    const more = cause.kind === "unavailable" ? { reason: cause.code, ...cause.details.hint } : {};
    return answer(texts[cause.code] ?? cause.message, codes[cause.code] ?? codeOfKind[cause.kind], more);
  }
  // Raised by GraphQL itself: the document or its variables are wrong.
  if (cause === null) {
    const message = error.message.replaceAll(CONFIDENTIAL, 'got an invalid value at "$1"');
    return answer(message.replaceAll(RAW_NUMBER, "$1"), "BAD_REQUEST");
  }
  onFault(cause);
  return answer(maskFaults ? MASKED : messageOf(cause), codeOfKind.internal);
}

/** What was thrown at the bottom; null when GraphQL itself refuses. */
export function causeOf(error: GraphQLError): unknown {
  let cause: unknown = error;
  while (cause instanceof GraphQLError && cause.originalError !== undefined && cause.originalError !== null) {
    cause = cause.originalError;
  }
  return cause instanceof GraphQLError ? null : cause;
}
