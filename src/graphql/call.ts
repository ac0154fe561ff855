// What a resolver gets besides its parent and arguments: the call context of the services, and loads that are collected for
// the whole request, so that a field asks the database once however many objects show it.
import DataLoader from "dataloader";
import { type Failure, fail } from "../kernel/failure.ts";
import type { CallContext } from "../storage/storage.ts";
import { createTimeSlices, type TimeSlices } from "./time-slices.ts";

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
  /** Loads from now on ask the database again: what was loaded is as it was before a change. */
  forgetLoaded(): void;
  /** The answer takes the cookies of the caller's sign-in back: it has ended. */
  endSignIn(): void;
  readonly signInEnded: boolean;
  /** What cannot be loaded for many keys together, such as a page of one project: once for the same arguments, however often the same
   *  project is reached in one request. */
  readOnce<Arguments extends readonly unknown[], Value>(
    read: (context: CallContext, ...given: Arguments) => Promise<Value>,
    ...given: Arguments
  ): Promise<Value>;
  /** Counts values, and rows of lists, that the answer will hold; throws kind `invalid` when they have become too many for one
   *  answer. */
  charge(values: number, rows?: number): void;
  /** Resolves with the failure once `charge` has thrown: the request is refused as a whole. */
  readonly tooLarge: Promise<Failure>;
  /** Of the main thread. */
  readonly slices: TimeSlices;
  /** Counts values that are about to be made for the answer. True once there are so many that each part of it waits for its turn. */
  isLong(values: number): boolean;
  /** Resolves when it is the turn of a part of a long answer with so many values: a few parts at a time, in their order, in slices of
   *  time. Never once the answer is too large: a failure of each would take longer than the answer. */
  giveWay(values: number): Promise<void>;
}

/** Field values of one answer: some 30 MB of JSON. */
export const MAX_VALUES = 500_000;
/** Characters of a long text that count as a value. */
export const CHARACTERS_PER_VALUE = 64;
/** Rows of all its lists together, those below other rows counted as often as they come. */
export const MAX_ANSWERED_ROWS = 100_000;
/** Beyond so many values of one request, whatever lists they are in, the clock is looked at: fewer take less than a slice. */
const LONG = 2000;
/** Values between two looks at the clock. */
const AT_ONCE = 100;
/** Keys of one statement. */
const MAX_BATCH = 5000;

interface AnyLoader {
  load(key: string | number): Promise<unknown>;
}

export function createCall(initial: CallContext, nowUs: number, slices: TimeSlices = createTimeSlices()): GraphqlCall {
  let context = initial;
  const loaders = new Map<unknown, Map<string, AnyLoader>>();
  const reads = new Map<unknown, Map<string, Promise<unknown>>>();
  let [values, rows] = [0, 0];
  let refusal: Failure | null = null;
  const tooLarge = Promise.withResolvers<Failure>();
  let signInEnded = false;
  let made = 0;
  let [passed, gate] = [AT_ONCE, Promise.resolve()];
  const open = async () => {
    await slices.next();
    if (refusal !== null) await new Promise(() => {});
  };
  const call: GraphqlCall = {
    get context() {
      return context;
    },
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
      const found = (await loader.load(key)) as Value | null;
      // What each of many loads goes on with adds up.
      if (call.isLong(1)) await call.giveWay(1);
      return found;
    },
    async loadExisting(batch, key) {
      const found = await call.load(batch, key, null);
      if (found === null) throw goneMeanwhile(key);
      return found;
    },
    async readOnce<Arguments extends readonly unknown[], Value>(
      read: (context: CallContext, ...given: Arguments) => Promise<Value>,
      ...given: Arguments
    ): Promise<Value> {
      const byArguments = reads.get(read) ?? new Map<string, Promise<unknown>>();
      reads.set(read, byArguments);
      const name = JSON.stringify(given);
      const known = byArguments.get(name) ?? read(context, ...given);
      byArguments.set(name, known);
      const found = (await known) as Value;
      if (call.isLong(1)) await call.giveWay(1);
      return found;
    },
    forgetLoaded() {
      loaders.clear();
      reads.clear();
      // Stores keep by it what they found for one request.
      context = { ...context };
    },
    endSignIn() {
      signInEnded = true;
    },
    get signInEnded() {
      return signInEnded;
    },
    charge(more, moreRows = 0) {
      values += more;
      rows += moreRows;
      if (values > MAX_VALUES) refusal ??= answerTooLarge(MAX_VALUES, "values");
      else if (rows > MAX_ANSWERED_ROWS) refusal ??= answerTooLarge(MAX_ANSWERED_ROWS, "rows");
      if (refusal === null) return;
      tooLarge.resolve(refusal);
      throw refusal;
    },
    tooLarge: tooLarge.promise,
    slices,
    isLong(more) {
      made += more;
      return made > LONG;
    },
    giveWay(more) {
      passed += more;
      if (passed >= AT_ONCE) {
        passed = 0;
        gate = gate.then(open);
      }
      return gate;
    },
  };
  return call;
}

/** A row that another one points to is not there. */
export function goneMeanwhile(key: string | number) {
  return fail("graphql.gone", "not_found", `The row ${key} was deleted meanwhile`);
}

function answerTooLarge(most: number, what: string) {
  const message = `The answer would hold more than ${most} ${what}: ask for fewer rows or fields`;
  return fail("graphql.too_large", "invalid", message);
}
