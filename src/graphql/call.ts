// What a resolver gets besides its parent and arguments: the call context of the services, and loads that are collected for
// the whole request, so that a field asks the database once however many objects show it.
import DataLoader from "dataloader";
import { fail } from "../kernel/failure.ts";
import type { CallContext } from "../storage/storage.ts";

/** Values of many keys in one go; what is missing in the map is absent. `Options` are the same for all keys of a batch: the
 *  arguments of the field. */
type BatchLoad<Key, Value, Options> = (
  context: CallContext,
  keys: readonly Key[],
  options: Options,
) => Promise<ReadonlyMap<Key, Value>>;

export interface GraphqlCall {
  readonly context: CallContext;
  /** When the request came, in microseconds UTC. */
  readonly nowUs: number;
  /** The value of one key, loaded together with all others that are asked for at the same time. */
  load<Key extends string | number, Value, Options = null>(
    batch: BatchLoad<Key, Value, Options>,
    key: Key,
    options: Options,
  ): Promise<Value | null>;
  /** The same for a row that another one points to. Throws kind `not_found` when it was deleted meanwhile. */
  loadExisting<Key extends string | number, Value>(batch: BatchLoad<Key, Value, null>, key: Key): Promise<Value>;
  /** The answer takes the cookies of the caller's sign-in back: it has ended. */
  endSignIn(): void;
  readonly signInEnded: boolean;
  /** Counts values that the answer will hold; throws kind `invalid` when they become too many for one answer. */
  charge(values: number): void;
}

/** Field values of one answer: some 30 MB of JSON. */
export const MAX_VALUES = 500_000;
/** Keys of one statement. */
const MAX_BATCH = 5000;

interface AnyLoader {
  load(key: string | number): Promise<unknown>;
}

export function createCall(context: CallContext, nowUs: number): GraphqlCall {
  const loaders = new Map<unknown, Map<string, AnyLoader>>();
  let values = 0;
  let signInEnded = false;
  const call: GraphqlCall = {
    context,
    nowUs,
    async load<Key extends string | number, Value, Options>(
      batch: BatchLoad<Key, Value, Options>,
      key: Key,
      options: Options,
    ): Promise<Value | null> {
      const byOptions = loaders.get(batch) ?? new Map<string, AnyLoader>();
      loaders.set(batch, byOptions);
      const name = JSON.stringify(options) ?? "";
      let loader = byOptions.get(name);
      if (loader === undefined) {
        loader = new DataLoader<string | number, unknown>(
          async (keys) => {
            const found = await batch(context, keys as readonly Key[], options);
            return keys.map((each) => found.get(each as Key) ?? null);
          },
          { maxBatchSize: MAX_BATCH },
        );
        byOptions.set(name, loader);
      }
      return (await loader.load(key)) as Value | null;
    },
    async loadExisting(batch, key) {
      const found = await call.load(batch, key, null);
      if (found === null) throw goneMeanwhile(key);
      return found;
    },
    endSignIn() {
      signInEnded = true;
    },
    get signInEnded() {
      return signInEnded;
    },
    charge(more) {
      values += more;
      if (values > MAX_VALUES) throw answerTooLarge();
    },
  };
  return call;
}

/** A row that another one points to is not there. */
export function goneMeanwhile(key: string | number) {
  return fail("graphql.gone", "not_found", `The row ${key} was deleted meanwhile`);
}

function answerTooLarge() {
  const message = `The answer would hold more than ${MAX_VALUES} values: ask for fewer rows or fields`;
  return fail("graphql.too_large", "invalid", message);
}
