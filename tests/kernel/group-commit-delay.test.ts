import { expect, test } from "bun:test";
import { createBatcher } from "../../src/kernel/batcher.ts";
import { createGroupCommitDelay } from "../../src/kernel/group-commit-delay.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A batcher that waits for hours where it waits: commits are said to take as long. */
function started(enoughItems = 100) {
  const delay = createGroupCommitDelay({ mostMs: 1e7, enoughItems });
  const batches: number[] = [];
  const batcher = createBatcher<string, null>({
    maximumItems: 1000,
    maximumBytes: 1000,
    gather: delay.gather,
    async commit(batch) {
      batches.push(batch.length);
      delay.committed(batch.length, 1e7);
      return batch.map(() => null);
    },
  });
  const submit = (items = 1) => batcher.submit("request", items, 1);
  return { batches, submit };
}

test("a batch waits for the senders that the last commits had", async () => {
  const { batches, submit } = started();
  await Promise.all([submit(), submit()]);
  const first = submit();
  // Without delay it would be taken by now.
  for (let i = 0; i < 5; i++) await turn();
  await Promise.all([first, submit()]);
  expect(batches).toEqual([2, 2]);
});

test("a sender that is alone does not wait", async () => {
  const { batches, submit } = started();
  for (let i = 0; i < 3; i++) await submit();
  expect(batches).toEqual([1, 1, 1]);
});

test("nor does a batch that is large enough", async () => {
  const { batches, submit } = started(50);
  await Promise.all([submit(), submit(), submit()]);
  await submit(50);
  expect(batches).toEqual([3, 1]);
});
