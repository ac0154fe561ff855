// Waiting for what becomes true by itself, without guessing how long it takes.

/** What a machine whose cores are shared may add to a time that the service keeps by a clock. */
export const LOADED_MS = 5000;
/** Nothing takes so long: a test that waits for it fails, and says for what. */
const LIMIT_MS = 30_000;

/** Resolves when the condition holds, asked again every few milliseconds; fails after `limit` milliseconds. */
export async function until(condition: () => boolean | Promise<boolean>, limit = LIMIT_MS): Promise<void> {
  const deadline = performance.now() + limit;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${limit} ms: ${condition}`);
    await Bun.sleep(5);
  }
}
