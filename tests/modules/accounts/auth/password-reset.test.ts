// Equal answers in equal time: what no test over HTTP can see without measuring a speed.
import { describe, expect, test } from "bun:test";
import { systemClock } from "../../../../src/kernel/clock.ts";
import { silentLogger } from "../../../../src/kernel/logger.ts";
import { createPasswordResetService } from "../../../../src/modules/accounts/auth/password-reset.service.ts";
import { createTokenForm } from "../../../../src/modules/accounts/auth/tokens/token.rules.ts";
import type { User } from "../../../../src/modules/accounts/users/users.schema.ts";
import type { CallContext } from "../../../../src/storage/storage.ts";

const user = { id: 1, email: "ann@example.com", authMethod: "LOCAL", role: "MEMBER" } as User;
const context = { requestId: "test" } as CallContext;

/** The service with a mail server of a given slowness; `waits` notes every wait in milliseconds. */
function serviceWith(sendMilliseconds: () => number) {
  const waits: number[] = [];
  const service = createPasswordResetService({
    store: { replace: async () => 1, find: async () => null, take: async () => false, removeOfUser: async () => {} },
    storage: { transaction: (given, work) => work(given) },
    users: { findUser: async (_context, key) => ("email" in key && key.email === user.email ? user : null) },
    userChanges: { hashNewPassword: async () => "", setOwnPassword: async () => {} },
    logins: { endAll: async () => {} },
    lockOut: { forget: async () => {} },
    tokens: createTokenForm("secret"),
    mail: {
      async send() {
        await Bun.sleep(sendMilliseconds());
        return sendMilliseconds() > 0;
      },
    },
    disabled: false,
    tokenMinutes: 15,
    clock: systemClock,
    log: silentLogger,
    wait: async (milliseconds) => void waits.push(milliseconds),
  });
  return { waits, ask: (email: string) => service.requestLink(context, email, "http://localhost/page") };
}

describe("a request that sends nothing", () => {
  test("takes a quarter of a second before there was a mail", async () => {
    const { ask, waits } = serviceWith(() => 30);
    await ask("nobody@example.com");
    expect(waits.length).toBe(1);
    expect(waits[0]).toBeWithin(1, 251);
  });

  test("takes as long as the last mails took, and those wait for nothing", async () => {
    const { ask, waits } = serviceWith(() => 600);
    await ask(user.email!);
    expect(waits).toEqual([]);
    await ask("nobody@example.com");
    // More than the quarter second: it comes from the mail.
    expect(waits[0]).toBeGreaterThan(300);
  });

  test("takes as long as the attempts while the mail server is away", async () => {
    const { ask, waits } = serviceWith(() => 0);
    await ask(user.email!);
    await ask("nobody@example.com");
    expect(waits[0]).toBeLessThan(250);
  });
});
