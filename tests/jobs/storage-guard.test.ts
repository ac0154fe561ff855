// How full the database is: what is refused, and who is warned, by a real mail server on both databases.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createStorageGuard, type MeasuredUsage, type StorageLimits } from "../../src/jobs/storage-guard.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { forEachDriver } from "../support/drivers.ts";
import { startMailServer, type TestMailServer, textOf } from "../support/mail-server.ts";
import { addUser, movableClock, openSignInServer, type SignInServer } from "../support/sign-in.ts";
import { until } from "../support/until.ts";

const GIBIBYTE = 1024 ** 3;

describe("the guard", () => {
  async function started(usedBytes: () => number, limits: Partial<StorageLimits>, freeBytes: number | null = 0) {
    const warned: MeasuredUsage[] = [];
    const lines: string[] = [];
    const log = createLogger({ level: "info", mode: "default", write: (line) => lines.push(line) });
    const none = { capacityGibibytes: 1, blockingPercentage: null, mailPercentage: null, minimumFreeBytes: 0 };
    const guard = createStorageGuard(
      { usedBytes: async () => usedBytes(), freeBytes: async () => freeBytes },
      { ...none, ...limits },
      log,
      async (usage) => void warned.push(usage),
    );
    await guard.start();
    return { isLocked: guard.isLocked(), warned, lines };
  }

  test("locks above one threshold and warns above the other", async () => {
    const used = 0.8 * GIBIBYTE;
    const limits = { blockingPercentage: 90, mailPercentage: 70 };
    expect(await started(() => used, limits)).toMatchObject({
      isLocked: false,
      warned: [{ usedBytes: used, capacityBytes: GIBIBYTE, threshold: 70 }],
    });
    expect(await started(() => used, { blockingPercentage: 79 })).toMatchObject({ isLocked: true, warned: [] });
    expect(await started(() => used, { mailPercentage: 80 })).toMatchObject({ isLocked: false, warned: [] });
  });

  test("locks below the free space of the disk, with and without a capacity", async () => {
    const used = 0.5 * GIBIBYTE;
    const limits = { capacityGibibytes: null, minimumFreeBytes: 1000 };
    const { isLocked, lines } = await started(() => used, limits, 999);
    expect(isLocked).toBeTrue();
    expect(lines[0]).toContain("the disk of the database is nearly full: nothing is added until space is free");
    expect(lines[0]).toContain("free_bytes=999 minimum_bytes=1000");
    expect((await started(() => used, limits, 1000)).isLocked).toBeFalse();
    expect((await started(() => used, limits, null)).isLocked).toBeFalse();
    expect((await started(() => used, { minimumFreeBytes: 1000, blockingPercentage: 90 }, 999)).isLocked).toBeTrue();
    expect((await started(() => used, { minimumFreeBytes: 1000, blockingPercentage: 40 }, 1001)).isLocked).toBeTrue();
  });

  test("measures again when it is asked, at most once a second", async () => {
    const log = createLogger({ level: "info", mode: "default", write: () => {} });
    const limits = { capacityGibibytes: 1, blockingPercentage: 50, mailPercentage: null, minimumFreeBytes: 0 };
    let measured = 0;
    let used = 0;
    const usedBytes = async () => {
      measured++;
      return used;
    };
    const guard = createStorageGuard({ usedBytes, freeBytes: async () => null }, limits, log);
    await guard.start();
    used = GIBIBYTE;
    await guard.look();
    expect([measured, guard.isLocked()]).toEqual([1, false]);
    await until(async () => guard.look().then(guard.isLocked));
    expect(measured).toBe(2);
  });

  test("measures nothing without a capacity or a threshold", async () => {
    const never = () => {
      throw new Error("measured");
    };
    for (const limits of [
      { capacityGibibytes: null, blockingPercentage: 1, mailPercentage: 1 },
      { blockingPercentage: 0, mailPercentage: 0 },
    ]) {
      expect(await started(never, limits)).toEqual({ isLocked: false, warned: [], lines: [] });
    }
  });

  test("a size that cannot be measured is reported and locks nothing", async () => {
    const fails = () => {
      throw new Error("away");
    };
    const { isLocked, lines } = await started(fails, { blockingPercentage: 1 });
    expect(isLocked).toBeFalse();
    expect(lines[0]).toContain("the size of the database could not be measured reason=away");
  });
});

forEachDriver("warnings by mail", (driver) => {
  const clock = movableClock();
  let mailServer: TestMailServer;
  let server: SignInServer;
  let other: SignInServer;
  const usage = { usedBytes: 1.5 * GIBIBYTE, capacityBytes: 2 * GIBIBYTE, threshold: 70 };
  beforeAll(async () => {
    mailServer = await startMailServer();
    const url = await driver.createDatabase();
    const variables = { ...mailServer.variables, SERVICE_SUPPORT_EMAIL: "help@example.org" };
    server = await openSignInServer(url, { variables, clock });
    other = await openSignInServer(url, { variables, clock });
    await addUser(server, "Ann", "ADMIN");
    await addUser(server, "Bob", "ADMIN");
    await addUser(server, "Mia", "MEMBER");
  });
  afterAll(async () => {
    await server.close();
    await other.close();
    await mailServer.close();
  });

  const warn = (at = server) => at.signIns.storageWarnings!.warn(at.context(), usage);
  const receivers = () => mailServer.mails.map(({ to }) => [...to].sort().join(" ")).sort();

  test("reach every administrator that can be reached, with a copy for the support", async () => {
    await warn();
    await until(() => mailServer.mails.length === 2);
    expect(receivers()).toEqual(["ann@example.com help@example.org", "bob@example.com help@example.org"]);
    const raw = textOf(mailServer.mails[0]!);
    expect(raw).toContain("Subject: [Spanlight] Database Disk Space Usage Threshold Exceeded");
    expect(raw).toContain("<title>Database Usage Notification</title>");
    for (const fact of ["1.50 GiB", "2.00 GiB", "75.0 %", "70 %", 'id="support-email"']) {
      expect(raw).toContain(fact);
    }
  });

  test("come once a day, from one of several servers", async () => {
    await warn();
    await warn(other);
    expect(mailServer.mails.length).toBe(2);
    clock.forward(24 * 3_600_000 + 1000);
    await (driver.name === "postgres" ? Promise.all([warn(), warn(other)]) : warn(other));
    expect(mailServer.mails.length).toBe(4);
  });

  test("that could not be sent are tried again, but not at once", async () => {
    const refusing = await startMailServer({ refuses: true });
    const broken = await openSignInServer(await driver.createDatabase(), { variables: refusing.variables, clock });
    await addUser(broken, "Ann", "ADMIN");
    const failures = () => broken.lines.filter((line) => line.includes("a mail was not sent")).length;
    await warn(broken);
    await warn(broken);
    expect(failures()).toBe(1);
    clock.forward(3_600_000 + 1000);
    await warn(broken);
    expect(failures()).toBe(2);
    await broken.close();
    await refusing.close();
  });
});
