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
  /** Resolves when it is the turn of what is one of many: a few at a time, in their order, in slices of time. Never once the answer is
   *  too large: a failure of each would take longer than the answer. */
  giveWay(): Promise<void>;
}

/** Field values of one answer: some 30 MB of JSON. */
export const MAX_VALUES = 500_000;
/** Characters of a long text that count as a value. */
export const CHARACTERS_PER_VALUE = 64;
/** Rows of all its lists together, those below other rows counted as often as they come. */
const MAX_ROWS = 100_000;
/** Beyond so many things of a kind the clock is looked at: fewer take less than a slice. */
export const MANY = 100;
/** What is done between two looks at the clock: rows may have 2,000 fields each. */
const AT_ONCE = 5;
/** Keys of one statement. */
const MAX_BATCH = 5000;

interface AnyLoader {
  load(key: string | number): Promise<unknown>;
}

interface Read {
  readonly value: Promise<unknown>;
  readers: number;
}

export function createCall(context: CallContext, nowUs: number): GraphqlCall {
  const loaders = new Map<unknown, Map<string, AnyLoader>>();
  const slices = createTimeSlices();
  /** Loads of which many are answered together: what each of them goes on with adds up. */
  const long = new WeakSet<AnyLoader>();
  const reads = new Map<unknown, Map<string, Read>>();
  let [values, rows] = [0, 0];
  let refusal: Failure | null = null;
  const tooLarge = Promise.withResolvers<Failure>();
  let signInEnded = false;
  let [passed, gate] = [0, Promise.resolve()];
  const open = async () => {
    await slices.next();
    if (refusal !== null) await new Promise(() => {});
  };
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
            if (keys.length > MANY) long.add(loader!);
            return keys.map((each) => found.get(each as Key) ?? null);
          },
          { maxBatchSize: MAX_BATCH },
        );
        byOptions.set(name, loader);
      }
      const found = (await loader.load(key)) as Value | null;
      if (long.has(loader)) await call.giveWay();
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
      const byArguments = reads.get(read) ?? new Map<string, Read>();
      reads.set(read, byArguments);
      const name = JSON.stringify(given);
      const known = byArguments.get(name) ?? { value: read(context, ...given), readers: 0 };
      byArguments.set(name, known);
      known.readers++;
      const found = (await known.value) as Value;
      if (known.readers > MANY) await call.giveWay();
      return found;
    },
    forgetLoaded() {
      loaders.clear();
      reads.clear();
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
      else if (rows > MAX_ROWS) refusal ??= answerTooLarge(MAX_ROWS, "rows");
      if (refusal === null) return;
      tooLarge.resolve(refusal);
      throw refusal;
    },
    tooLarge: tooLarge.promise,
    slices,
    giveWay() {
      if (passed++ % AT_ONCE === 0) gate = gate.then(open);
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
