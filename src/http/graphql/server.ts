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
import { createCall, type GraphqlCall } from "../../graphql/call.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Failure, messageOf } from "../../kernel/failure.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { CallContext } from "../../storage/storage.ts";
import { textInSlices } from "./answer-text.ts";
import { createDocumentReader } from "./documents.ts";
import { answeredError, causeOf } from "./errors.ts";
import { type GraphqlRequest, refusedRequest } from "./request.ts";
import { type Subscription, subscribeTo, subscriptionNeedsParts } from "./subscriptions.ts";

export interface GraphqlSettings {
  readonly clock: Clock;
  readonly logger: Logger;
  /** SERVICE_MASK_INTERNAL_SERVER_ERRORS. */
  readonly maskFaults: boolean;
}

export type GraphqlAnswer =
  | {
      /** JSON. */
      readonly text: string;
      /** Whether the caller's sign-in has ended, so that its cookies are to be taken back. */
      readonly signInEnded: boolean;
    }
  /** Of a subscription: JSON texts as they come, and what ends it when the client is gone. */
  | { readonly texts: AsyncGenerator<string, void, undefined>; readonly cancel: () => void };

/** What the way of a request allows. */
interface GraphqlWay {
  readonly operations: "query" | "all";
  /** Whether the client takes the results of a subscription. */
  readonly takesParts: boolean;
}

export interface GraphqlServer {
  /** Throws kind `malformed` for a request that names no operation, or one not allowed this way, and kind `forbidden` when the
   *  caller must choose a new password first. */
  answer(context: CallContext, request: GraphqlRequest, way: GraphqlWay): Promise<GraphqlAnswer>;
}

/** Answers operations over the schema. */
export function createGraphqlServer(
  schema: GraphQLSchema,
  { clock, logger, maskFaults }: GraphqlSettings,
): GraphqlServer {
  const readDocument = createDocumentReader(schema);

  /** The JSON of a result, written within the time slices of its call. */
  async function textOf({ data = null, errors }: ExecutionResult, call: GraphqlCall): Promise<string> {
    const answered = errors === undefined ? { data } : { data, errors: answeredErrors(errors, call.context) };
    return textInSlices(answered, call.slices);
  }

  /** Throws the refusal of a caller who must choose a new password: that is not an error of one field. */
  function answeredErrors(errors: readonly GraphQLError[], context: CallContext) {
    const refusal = errors.map(causeOf).find(isPasswordRequired);
    if (refusal !== undefined) throw refusal;
    const onFault = (cause: unknown) => {
      const text = cause instanceof Error ? (cause.stack ?? messageOf(cause)) : messageOf(cause);
      logger.error(text, { request_id: context.requestId, path: "/graphql" });
    };
    return errors.map((error) => answeredError(error, { onFault, maskFaults }));
  }

  async function answer(
    context: CallContext,
    request: GraphqlRequest,
    { operations, takesParts }: GraphqlWay,
  ): Promise<GraphqlAnswer> {
    const read = readDocument(request.query);
    const operation = read.document === null ? null : operationOf(read.document.definitions, request.operationName);
    if (operation !== null && operation.operation !== "query" && operations === "query") {
      throw refusedRequest(`${operation.operation}s are not allowed when using GET`);
    }
    const refused = (errors: readonly GraphQLError[]) => ({
      text: JSON.stringify({ data: null, errors: answeredErrors(errors, context) }),
      signInEnded: false,
    });
    if ("errors" in read) return refused(read.errors);
    const given = {
      schema,
      document: read.document,
      variableValues: request.variables,
      ...(operation?.name === undefined ? {} : { operationName: operation.name.value }),
    };
    if (operation?.operation === "subscription") {
      if (!takesParts) return refused(refusedWhole(subscriptionNeedsParts()).errors!);
      const subscription = await subscribeTo(given, context, clock);
      if ("errors" in subscription) return refused(subscription.errors);
      return { texts: textsOf(subscription.results), cancel: subscription.cancel };
    }
    const call = createCall(context, clock.now());
    const executed = execute({ ...given, contextValue: call });
    const result: ExecutionResult = await Promise.race([executed, call.tooLarge.then(refusedWhole)]);
    return { text: await textOf(result, call), signInEnded: call.signInEnded };
  }

  async function* textsOf(results: Subscription["results"]) {
    for await (const { result, call } of results) yield await textOf(result, call);
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
