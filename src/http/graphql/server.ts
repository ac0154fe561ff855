// One GraphQL operation from its text to its answer. The guards before it are those of every route; what a field may not do
// for this caller is decided in schema.ts. Loaded by the first request (routes.ts).
import {
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from "graphql";
import { PASSWORD_REQUIRED } from "../../access/policy.ts";
import { createCall } from "../../graphql/call.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Failure, messageOf } from "../../kernel/failure.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { CallContext } from "../../storage/storage.ts";
import { textInSlices } from "./answer-text.ts";
import { createDocumentReader } from "./documents.ts";
import { answeredError, causeOf } from "./errors.ts";
import { type GraphqlRequest, refusedRequest } from "./request.ts";

export interface GraphqlSettings {
  readonly clock: Clock;
  readonly logger: Logger;
  /** SERVICE_MASK_INTERNAL_SERVER_ERRORS. */
  readonly maskFaults: boolean;
}

export interface GraphqlAnswer {
  /** JSON. */
  readonly text: string;
  /** Whether the caller's sign-in has ended, so that its cookies are to be taken back. */
  readonly signInEnded: boolean;
}

export interface GraphqlServer {
  /** Throws kind `malformed` for a request that names no operation, or one not allowed this way, and kind `forbidden` when the
   *  caller must choose a new password first. */
  answer(context: CallContext, request: GraphqlRequest, allowed: "query" | "all"): Promise<GraphqlAnswer>;
}

/** Answers operations over the schema. */
export function createGraphqlServer(
  schema: GraphQLSchema,
  { clock, logger, maskFaults }: GraphqlSettings,
): GraphqlServer {
  const readDocument = createDocumentReader(schema);

  async function answer(
    context: CallContext,
    request: GraphqlRequest,
    allowed: "query" | "all",
  ): Promise<GraphqlAnswer> {
    const onFault = (cause: unknown) => {
      const text = cause instanceof Error ? (cause.stack ?? messageOf(cause)) : messageOf(cause);
      logger.error(text, { request_id: context.requestId, path: "/graphql" });
    };
    const errorsOf = (errors: readonly GraphQLError[]) =>
      errors.map((error) => answeredError(error, { onFault, maskFaults }));

    const read = readDocument(request.query);
    const operation = read.document === null ? null : operationOf(read.document.definitions, request.operationName);
    if (operation !== null && operation.operation !== "query" && allowed === "query") {
      throw refusedRequest(`${operation.operation}s are not allowed when using GET`);
    }
    if ("errors" in read) {
      return { text: JSON.stringify({ data: null, errors: errorsOf(read.errors) }), signInEnded: false };
    }
    const call = createCall(context, clock.now());
    const executed = execute({
      schema,
      document: read.document,
      contextValue: call,
      variableValues: request.variables,
      ...(operation?.name === undefined ? {} : { operationName: operation.name.value }),
    });
    const result: ExecutionResult = await Promise.race([executed, call.tooLarge.then(refusedWhole)]);
    const { data = null, errors } = result;
    // Not an error of one field: such a caller is refused as a whole.
    const refusal = errors?.map(causeOf).find(isPasswordRequired);
    if (refusal !== undefined) throw refusal;
    const text = await textInSlices(errors === undefined ? { data } : { data, errors: errorsOf(errors) }, call.slices);
    return { text, signInEnded: call.signInEnded };
  }

  return { answer };
}

function refusedWhole(cause: Failure): ExecutionResult {
  return { data: null, errors: [new GraphQLError(cause.message, { originalError: cause })] };
}

function isPasswordRequired(cause: unknown): cause is Failure {
  return cause instanceof Failure && cause.code === PASSWORD_REQUIRED;
}

/** The operation that is meant: the one with the name, or the first. Throws kind `malformed` for a name that none has. */
function operationOf(
  definitions: readonly { readonly kind: string }[],
  name: string | null,
): OperationDefinitionNode | null {
  const operations = definitions.filter(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  if (name === null) return operations[0] ?? null;
  const found = operations.find((operation) => operation.name?.value === name);
  if (found === undefined) throw refusedRequest(`Unknown operation named "${name}".`);
  return found;
}
