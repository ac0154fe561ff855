// Waiting for what becomes true by itself, without guessing how long it takes.

/** Resolves when the condition holds, asked again every few milliseconds; fails after `limit` milliseconds. */
export async function until(condition: () => boolean | Promise<boolean>, limit = 10_000): Promise<void> {
  const deadline = performance.now() + limit;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${limit} ms: ${condition}`);
    await Bun.sleep(5);
  }
}
