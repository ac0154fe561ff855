import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type BatcherOptions, commitInHalves, createBatcher } from "../../src/kernel/batcher.ts";
import { fail } from "../../src/kernel/failure.ts";

/** A commit that waits until the test lets it go. */
function gatedCommit() {
  const commits: { batch: readonly string[]; finish: () => void; fail: (reason: unknown) => void }[] = [];
  const commit = (batch: readonly string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
    commits.push({ batch, finish: () => resolve(batch.map((item) => item.toUpperCase())), fail: reject });
    return promise;
  };
  return { commits, commit };
}

function gatedBatcher(limits: Partial<BatcherOptions<string, string>> = {}) {
  const { commits, commit } = gatedCommit();
  return { commits, batcher: createBatcher({ maximumItems: 100, maximumBytes: 1000, commit, ...limits }) };
}

/** Lets everything that is already resolved take effect. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("submit", () => {
  test("commits a lone submission without waiting for anything", async () => {
    const { batcher, commits } = gatedBatcher();
    const result = batcher.submit("a", 1, 10);
    expect(commits.map(({ batch }) => batch)).toEqual([["a"]]);
    commits[0]!.finish();
    expect(await result).toBe("A");
  });

  test("gathers what comes while a commit runs, and commits it at once when that ends", async () => {
    const { batcher, commits } = gatedBatcher();
    const results = ["a", "b", "c"].map((item) => batcher.submit(item, 1, 10));
    expect(commits).toHaveLength(1);
    expect(batcher.pendingItems).toBe(3);
    expect(batcher.pendingBytes).toBe(30);
    commits[0]!.finish();
    await settled();
    expect(commits[1]!.batch).toEqual(["b", "c"]);
    commits[1]!.finish();
    expect(await Promise.all(results)).toEqual(["A", "B", "C"]);
    expect(batcher.pendingItems + batcher.pendingBytes).toBe(0);
  });

  test("fills a commit up to either limit, in order of arrival", async () => {
    const { batcher, commits } = gatedBatcher({ maximumItems: 10, maximumBytes: 100 });
    void batcher.submit("first", 1, 1);
    void batcher.submit("a", 6, 10);
    void batcher.submit("b", 4, 10);
    void batcher.submit("c", 1, 60);
    void batcher.submit("d", 1, 41);
    void batcher.submit("e", 1, 1);
    for (let commit = 0; commit < 4; commit++) {
      commits[commit]!.finish();
      await settled();
    }
    expect(commits.map(({ batch }) => batch)).toEqual([["first"], ["a", "b"], ["c"], ["d", "e"]]);
  });

  test("commits a submission that exceeds the limits alone", async () => {
    const { batcher, commits } = gatedBatcher({ maximumItems: 10 });
    const results = [batcher.submit("a", 1, 1), batcher.submit("huge", 50, 1), batcher.submit("b", 1, 1)];
    for (let commit = 0; commit < 3; commit++) {
      commits[commit]!.finish();
      await settled();
    }
    expect(commits.map(({ batch }) => batch)).toEqual([["a"], ["huge"], ["b"]]);
    expect(await Promise.all(results)).toEqual(["A", "HUGE", "B"]);
  });

  test("rejects the members of a failed commit and goes on with what waits", async () => {
    const { batcher, commits } = gatedBatcher({ maximumItems: 2 });
    const results = Promise.allSettled(["a", "b", "c", "d"].map((item) => batcher.submit(item, 1, 1)));
    commits[0]!.finish();
    await settled();
    commits[1]!.fail(fail("test.bad", "invalid", "bad"));
    await settled();
    commits[2]!.finish();
    expect(commits.map(({ batch }) => batch)).toEqual([["a"], ["b", "c"], ["d"]]);
    expect((await results).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(batcher.pendingItems).toBe(0);
  });

  test("fails all that wait when what commits is away, and tries again with the next submission", async () => {
    const { batcher, commits } = gatedBatcher({ maximumItems: 2 });
    const results = Promise.allSettled(["a", "b", "c", "d"].map((item) => batcher.submit(item, 1, 1)));
    const away = fail("database.away", "unavailable", "The database is away");
    commits[0]!.fail(away);
    expect((await results).map((result) => (result.status === "rejected" ? result.reason : null))).toEqual(
      Array(4).fill(away),
    );
    expect(commits).toHaveLength(1);
    expect(batcher.pendingItems).toBe(0);
    const next = batcher.submit("e", 1, 1);
    commits[1]!.finish();
    expect(await next).toBe("E");
  });

  test("survives a commit that throws instead of rejecting", async () => {
    const batcher = createBatcher<string, string>({
      maximumItems: 1,
      maximumBytes: 1,
      commit: () => {
        throw fail("test.thrown", "internal", "thrown");
      },
    });
    await expect(batcher.submit("a", 1, 1)).rejects.toThrow("thrown");
    await batcher.idle();
    expect(batcher.pendingItems).toBe(0);
  });
});

describe("close", () => {
  test("drains what was submitted and refuses what comes later", async () => {
    const { batcher, commits } = gatedBatcher();
    const results = [batcher.submit("a", 1, 1), batcher.submit("b", 1, 1)];
    let isClosed = false;
    const closing = batcher.close().then(() => {
      isClosed = true;
    });
    await expect(batcher.submit("late", 1, 1)).rejects.toMatchObject({ code: "batcher.closed", kind: "unavailable" });
    commits[0]!.finish();
    await settled();
    expect(isClosed).toBe(false);
    commits[1]!.finish();
    await closing;
    expect(await Promise.all(results)).toEqual(["A", "B"]);
  });

  test("idle and close of an unused batcher resolve at once", async () => {
    const { batcher } = gatedBatcher();
    await batcher.idle();
    await batcher.close();
    expect(batcher.pendingItems).toBe(0);
  });
});

describe("commitInHalves", () => {
  test("commits every good member once and rejects every bad one, for any batch", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 40 }), async (good) => {
        const committed: number[] = [];
        const { outcomes, away } = await commitInHalves(good.keys().toArray(), async (part) => {
          if (part.some((member) => !good[member])) throw fail("test.bad", "invalid", `${part.length} members`);
          committed.push(...part);
          return part.map((member) => member * 2);
        });
        expect(away).toBeNull();
        expect(committed).toEqual(
          good
            .keys()
            .toArray()
            .filter((member) => good[member]),
        );
        expect(
          outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : outcome.reason.message)),
        ).toEqual(good.map((isGood, member) => (isGood ? member * 2 : "1 members")));
      }),
      { numRuns: 100 },
    );
  });

  test("keeps what was committed before the database went away", async () => {
    const { outcomes, away } = await commitInHalves(["a", "b", "bad", "c"], async (part) => {
      if (part.length > 2) throw fail("test.bad", "invalid", "bad");
      if (part.includes("bad")) throw fail("test.away", "unavailable", "away");
      return part;
    });
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
    expect(away?.reason).toMatchObject({ kind: "unavailable" });
  });
});
