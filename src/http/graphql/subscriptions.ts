// Running a subscription: each event of its source is answered as a query is, within the same limits.
import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute, GraphQLError } from "graphql";
import { createCall, type GraphqlCall } from "../../graphql/call.ts";
import type { Clock } from "../../kernel/clock.ts";
import { fail } from "../../kernel/failure.ts";
import type { CallContext } from "../../storage/storage.ts";
import { causeOf } from "./errors.ts";

export interface Subscription {
  /** One result an event; a failure of the source is the last one. The call is that of the event. */
  readonly results: AsyncGenerator<{ readonly result: ExecutionResult; readonly call: GraphqlCall }, void, undefined>;
  /** Ends the source, whose client is gone. */
  readonly cancel: () => void;
}

type SubscriptionArguments = Omit<ExecutionArgs, "contextValue" | "rootValue">;

export const subscriptionNeedsParts = () =>
  fail("graphql.needs_parts", "invalid", "subscriptions need Accept: multipart/mixed");

/** Resolves once the source is open, or with the errors of its opening. */
export async function subscribeTo(
  given: SubscriptionArguments,
  context: CallContext,
  clock: Clock,
): Promise<Subscription | { readonly errors: readonly GraphQLError[] }> {
  const abort = new AbortController();
  const cancel = () => abort.abort();
  if (context.signal?.aborted === true) cancel();
  context.signal?.addEventListener("abort", cancel, { once: true });
  const allottedMs = context.deadline - performance.now();
  // Each event has as much time as a request.
  const callNow = () =>
    createCall({ ...context, deadline: performance.now() + allottedMs, signal: abort.signal }, clock.now());

  async function* resultsOf(source: AsyncIterable<unknown>) {
    try {
      for await (const rootValue of source) {
        const call = callNow();
        const executed = Promise.resolve(execute({ ...given, rootValue, contextValue: call }));
        const result = await Promise.race([executed, call.tooLarge.then((cause) => failed(cause))]);
        yield { result, call };
      }
    } catch (error) {
      yield { result: failed(error), call: callNow() };
    } finally {
      context.signal?.removeEventListener("abort", cancel);
    }
  }

  const opened = await createSourceEventStream({ ...given, contextValue: callNow() });
  if (Symbol.asyncIterator in opened) return { results: resultsOf(opened), cancel };
  return { errors: (opened.errors ?? []).map(withoutPlace) };
}

function failed(cause: unknown): ExecutionResult {
  const originalError = cause instanceof Error ? cause : new Error(String(cause));
  return { data: null, errors: [new GraphQLError(originalError.message, { originalError })] };
}

/** What the source refuses has no place in the document, unlike what is wrong with a variable. */
function withoutPlace(error: GraphQLError): GraphQLError {
  const cause = causeOf(error);
  return cause instanceof Error ? new GraphQLError(error.message, { originalError: cause }) : error;
}
