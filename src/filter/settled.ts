// What reads sums over child spans, after the traces that wait for theirs were settled. A condition can only be compiled, and a scope
// only be read, in this form: code that forgets to settle does not compile.

declare const settled: unique symbol;

/** A filter, scope or order whose sums are right. Only the rollups service makes them; without conditions, `scopeOfRange`. */
export type Settled<Reader> = Reader & { readonly [settled]: true };

/** Whose sums are read: those of all traces of projects, of some traces by row id, or of every trace. */
export type SumsOf =
  | { readonly projectIds: readonly number[] }
  | { readonly traceIds: readonly number[] }
  | "every trace";

/** Hands `reader` back once `settle` is done. */
export async function settledBy<Reader>(settle: () => Promise<void>, reader: Reader): Promise<Settled<Reader>> {
  await settle();
  return reader as Settled<Reader>;
}
