// A queue for something that is scarce: callers are served in the order in which they came, and may leave before.

/** Watches the limits of one caller: calls `leave` with the reason at the first that is reached, until it is ended. */
type WatchCaller = (leave: (reason: unknown) => void) => { end(): void };

interface WaitingLine<Served> {
  readonly length: number;
  /** Resolves with what the caller is served; fails with the reason why it left or was refused. */
  wait(watch: WatchCaller): Promise<Served>;
  /** Serves the caller who has waited longest; false where none waits. */
  serve(served: Served): boolean;
  refuseAll(reason: unknown): void;
}

export function createWaitingLine<Served>(): WaitingLine<Served> {
  const waiting = new Set<PromiseWithResolvers<Served>>();
  const first = () => {
    const [caller] = waiting;
    if (caller !== undefined) waiting.delete(caller);
    return caller;
  };
  return {
    get length() {
      return waiting.size;
    },
    async wait(watch) {
      const caller = Promise.withResolvers<Served>();
      waiting.add(caller);
      const watching = watch((reason) => {
        if (waiting.delete(caller)) caller.reject(reason);
      });
      try {
        return await caller.promise;
      } finally {
        watching.end();
      }
    },
    serve(served) {
      const caller = first();
      caller?.resolve(served);
      return caller !== undefined;
    },
    refuseAll(reason) {
      for (let caller = first(); caller !== undefined; caller = first()) caller.reject(reason);
    },
  };
}
