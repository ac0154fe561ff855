import { expect, test } from "bun:test";
import { createPendingRowsJob } from "../../src/jobs/pending-rows.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { CallContext } from "../../src/storage/storage.ts";
import { until } from "../support/until.ts";

const NEVER = 3600_000;

function jobThat(
  kept: { apply?: () => Promise<number>; dropOld?: () => Promise<number> },
  intervals: { soon?: number; between?: number; rest?: number } = {},
) {
  const lines: string[] = [];
  const log = createLogger({ level: "info", mode: "default", write: (line) => void lines.push(line) });
  const looking = { apply: async () => 0, dropOld: async () => 0, ...kept };
  const all = { soon: 1, rest: 0, between: NEVER, drop: NEVER, ...intervals };
  return { job: createPendingRowsJob("annotations", looking, () => ({}) as CallContext, log, all), lines };
}

test("looks when it starts, after spans, and now and then", async () => {
  let looks = 0;
  const apply = async () => ++looks;
  const { job } = jobThat({ apply });
  job.start();
  await until(() => looks === 1);
  job.wake();
  await until(() => looks === 2);
  await job.stop();
  const other = jobThat({ apply }, { between: 1 });
  other.job.start();
  await until(() => looks > 5);
  await other.job.stop();
});

test("one look at a time; what comes during it is looked for after it", async () => {
  const looks: (() => void)[] = [];
  const { job } = jobThat({
    apply: () =>
      new Promise((resolve) => {
        looks.push(() => resolve(0));
      }),
  });
  job.start();
  await until(() => looks.length === 1);
  job.wake();
  job.wake();
  await Bun.sleep(0);
  expect(looks).toHaveLength(1);
  looks[0]!();
  await until(() => looks.length === 2);
  looks[1]!();
  await job.stop();
  expect(looks).toHaveLength(2);
});

test("what it dropped, and a database that is away, are told", async () => {
  const dropping = jobThat({ dropOld: async () => 3 });
  dropping.job.start();
  await until(() => dropping.lines.length > 0);
  await dropping.job.stop();
  expect(dropping.lines[0]).toMatch(/WARNING.*dropped annotations whose target never came annotations=3/);
  let looks = 0;
  const away = jobThat(
    {
      apply: async () => {
        looks++;
        throw new Error("no database");
      },
    },
    { between: 1 },
  );
  away.job.start();
  await until(() => looks > 1);
  await away.job.stop();
  expect(away.lines[0]).toMatch(/WARNING.*no database/);
});
