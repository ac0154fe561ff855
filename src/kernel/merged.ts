// Several sequences read at once, their items as they come.

/** Items of all sources, those of each in its order. `atOnce` sources are read at a time; the next one begins when one ends. A source waits
 *  until its item was taken. The first failure of a source is thrown, and ends the others, as leaving the loop does. */
export async function* merged<Item>(
  sources: Iterable<() => AsyncGenerator<Item, void, undefined>>,
  atOnce: number,
): AsyncGenerator<Item, void, undefined> {
  const waiting: { readonly item: Item; readonly taken: () => void }[] = [];
  const running = new Map<AsyncGenerator<Item, void, undefined>, Promise<void>>();
  const left = sources[Symbol.iterator]();
  let failure: { readonly error: unknown } | null = null;
  let isOver = false;
  let wake = () => {};

  async function read(source: AsyncGenerator<Item, void, undefined>): Promise<void> {
    try {
      for await (const item of source) {
        if (isOver) return;
        await new Promise<void>((taken) => {
          waiting.push({ item, taken });
          wake();
        });
        if (isOver) return;
      }
    } catch (error) {
      failure ??= { error };
    } finally {
      running.delete(source);
      wake();
    }
  }

  function begin(): void {
    while (running.size < atOnce) {
      const next = left.next();
      if (next.done === true) return;
      const source = next.value();
      running.set(source, read(source));
    }
  }

  try {
    for (;;) {
      begin();
      const next = waiting.shift();
      if (next !== undefined) {
        try {
          yield next.item;
        } finally {
          next.taken();
        }
      } else if (failure !== null) throw (failure as { readonly error: unknown }).error;
      else if (running.size === 0) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    isOver = true;
    for (const { taken } of waiting) taken();
    await Promise.all([...running].map(([source, ended]) => Promise.all([source.return(), ended])));
  }
}
