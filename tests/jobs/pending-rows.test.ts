import { expect, test } from "bun:test";
import { pendingRowsJob } from "../../src/jobs/pending-rows.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { CallContext } from "../../src/storage/storage.ts";
import { wholeRun } from "../support/job-runs.ts";

test("every look applies what waits, and one an hour drops what is too old, which is logged", async () => {
  const lines: string[] = [];
  const log = createLogger({ level: "info", mode: "default", write: (line) => void lines.push(line) });
  const asked: string[] = [];
  const pending = {
    apply: async () => asked.push("apply"),
    dropOld: async () => asked.push("drop") + 1,
  };
  const job = pendingRowsJob("annotations", pending, log);
  for (const _ of [1, 2]) expect(await job.run(wholeRun(() => ({}) as CallContext))).toBe(true);
  expect(asked).toEqual(["apply", "drop", "apply"]);
  expect(lines).toEqual([expect.stringMatching(/WARNING.*dropped annotations whose target never came annotations=3/)]);
});
