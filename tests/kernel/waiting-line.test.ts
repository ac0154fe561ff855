// Callers are served in order, and leave or are refused without being served.
import { expect, test } from "bun:test";
import { createWaitingLine } from "../../src/kernel/waiting-line.ts";

test("who came first is served first, and who left is passed over", async () => {
  const line = createWaitingLine<string>();
  let ended = 0;
  const leaves: ((reason: unknown) => void)[] = [];
  const wait = () =>
    line.wait((leave) => {
      leaves.push(leave);
      return { end: () => ended++ };
    });
  const callers = Promise.allSettled([wait(), wait(), wait(), wait()]);
  expect(line.length).toBe(4);

  leaves[1]!("late");
  expect([line.serve("a"), line.serve("b")]).toEqual([true, true]);
  // A limit that is reached behind the answer changes nothing.
  leaves[0]!("late");
  line.refuseAll("closing");
  expect(await callers).toEqual([
    { status: "fulfilled", value: "a" },
    { status: "rejected", reason: "late" },
    { status: "fulfilled", value: "b" },
    { status: "rejected", reason: "closing" },
  ]);
  expect(ended).toBe(4);
  expect([line.length, line.serve("c")]).toEqual([0, false]);
});
