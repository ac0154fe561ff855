// Renewing a sign-in over HTTP: once for each refresh token, and not for ever, on both databases.

import { describe, expect, test } from "bun:test";
import { createTokenForm } from "../../src/modules/accounts/auth/tokens/token.rules.ts";
import { forEachDriver } from "../support/drivers.ts";
import {
  ACCESS,
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  addUser,
  type Cookies,
  cookiesOf,
  movableClock,
  openSignInServer,
  REFRESH,
  SECRET,
  type SignInServer,
  shown,
  signIn,
} from "../support/sign-in.ts";
import { openForSuite } from "../support/suite.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

forEachDriver("renewing", (driver) => {
  const clock = movableClock();
  const server = openForSuite(async () => openSignInServer(await driver.createDatabase(), { clock }));

  /** What a credential opens. */
  const asks = (init: Parameters<SignInServer["send"]>[1]) => shown(server.send("GET /v1/projects?limit=1", init));

  test("trades the pair for a new one; the old pair is dead", async () => {
    const old = await signIn(server);
    expect(await asks({ cookies: old })).toStartWith("200");
    const response = await server.send("POST /auth/refresh", { cookies: old });
    expect(response.status).toBe(204);
    const renewed = cookiesOf(response);
    expect(await asks({ cookies: renewed })).toStartWith("200");
    expect(await asks({ cookies: old })).toBe("401 Invalid token");
    expect(await shown(server.send("POST /auth/refresh", { cookies: old }))).toBe("401 Invalid refresh token");
  });

  test("works with the refresh cookie alone, and then the paired access token is dead, too", async () => {
    const old = await signIn(server);
    const response = await server.send("POST /auth/refresh", { cookies: { [REFRESH]: old[REFRESH]! } });
    expect(response.status).toBe(204);
    expect(await asks({ cookies: old })).toBe("401 Invalid token");
  });

  test("of ten at once exactly one wins, and its pair works", async () => {
    const cookies = await signIn(server);
    const answers = await Promise.all(Array.from({ length: 10 }, () => server.send("POST /auth/refresh", { cookies })));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([204, ...Array(9).fill(401)]);
    const winner = cookiesOf(answers.find(({ status }) => status === 204)!);
    expect(await asks({ cookies: winner })).toStartWith("200");
  });

  describe("with a spent token", () => {
    const SPENT = "a refresh token was used again after it was spent";
    const told = () => server.lines.filter((line) => line.includes(SPENT));
    const renew = (cookies: Cookies) => server.send("POST /auth/refresh", { cookies });
    /** Asserts that the sign-in of these cookies goes on, or does not. */
    async function expectAlive(cookies: Cookies, alive: boolean): Promise<void> {
      expect(await asks({ cookies })).toStartWith(alive ? "200" : "401");
      expect((await renew(cookies)).status).toBe(alive ? 204 : 401);
    }

    test("is refused and nothing else, while an answer may be on its way", async () => {
      const old = await signIn(server);
      const renewed = cookiesOf(await renew(old));
      clock.forward(10_000 - 1000);
      expect(await shown(renew(old))).toBe("401 Invalid refresh token");
      expect(told()).toEqual([]);
      await expectAlive(renewed, true);
    });

    test("ends the sign-in later, however often that was renewed since, and says so in the log", async () => {
      const { id, email, password } = await addUser(server, "Copied", "MEMBER");
      for (const renewals of [1, 3]) {
        const [old, elsewhere] = [await signIn(server, email, password), await signIn(server, email, password)];
        let newest = old;
        for (let count = 0; count < renewals; count++) newest = cookiesOf(await renew(newest));
        expect(await asks({ cookies: newest })).toStartWith("200");
        clock.forward(10_000 + 1);
        const lines = told().length;
        expect(await shown(renew(old))).toBe("401 Invalid refresh token");
        await expectAlive(newest, false);
        await expectAlive(elsewhere, true);
        // The second time there is nothing to end.
        expect((await renew(old)).status).toBe(401);
        expect(told().length).toBe(lines + 1);
        expect(told().at(-1)).toContain(`user_id=${id} client=192.0.2.1 `);
      }
      const tokens = server.lines.filter((line) => line.includes("eyJ"));
      expect(tokens).toEqual([]);
    });

    test("of the same number that another random value was made for does nothing", async () => {
      const old = await signIn(server);
      const renewed = cookiesOf(await renew(old));
      const form = createTokenForm(SECRET);
      const claims = (await form.read(old[REFRESH]!))!;
      const forged = await form.write({ ...claims, random: new Uint8Array(24) });
      clock.forward(MINUTE);
      expect((await renew({ [REFRESH]: forged })).status).toBe(401);
      await expectAlive(renewed, true);
    });

    test("of a sign-in that was ended does nothing to the next one", async () => {
      const { email, password } = await addUser(server, "Returning", "MEMBER");
      const old = await signIn(server, email, password);
      await server.send("GET /auth/logout", { cookies: cookiesOf(await renew(old)) });
      const next = await signIn(server, email, password);
      clock.forward(MINUTE);
      expect((await renew(old)).status).toBe(401);
      await expectAlive(next, true);
    });

    test("is forgotten with its time", async () => {
      const spent = async () =>
        (
          await server.stored.storage.handle
            .read(server.context(), "short")
            .selectFrom("spent_refresh_tokens")
            .select("id")
            .execute()
        ).length;
      await renew(await signIn(server));
      expect(await spent()).toBeGreaterThan(0);
      clock.forward(7 * DAY);
      await server.signIns.sweep();
      expect(await spent()).toBe(0);
    });
  });

  test("goes on for 30 days and no longer, however often", async () => {
    let cookies = await signIn(server);
    const lives: number[] = [];
    for (let day = 6; day < 30; day += 6) {
      clock.forward(6 * DAY);
      const response = await server.send("POST /auth/refresh", { cookies });
      cookies = cookiesOf(response);
      lives.push(Number(/Max-Age=(\d+)/.exec(response.headers.getSetCookie()[1]!)![1]));
    }
    // The last one lives to the end of the sign-in: a little less than its six days, for the time that the test takes.
    expect(lives.slice(0, 3)).toEqual([604_800, 604_800, 604_800]);
    expect(lives[3]!).toBeWithin(518_400 - 60, 518_401);
    clock.forward(6 * DAY - 5 * MINUTE);
    const last = await server.send("POST /auth/refresh", { cookies });
    for (const text of last.headers.getSetCookie()) {
      expect(Number(/Max-Age=(\d+)/.exec(text)![1])).toBeWithin(240, 301);
    }
    cookies = cookiesOf(last);
    expect(await asks({ cookies })).toStartWith("200");
    clock.forward(5 * MINUTE);
    expect(await asks({ cookies })).toBe("401 Expired token");
    expect(await shown(server.send("POST /auth/refresh", { cookies }))).toBe("401 Expired refresh token");
  });

  test("ends earlier where SERVICE_LOGIN_EXPIRY_MINUTES says so, also for sign-ins that began before it did", async () => {
    const url = await driver.createDatabase();
    const lasting = await openSignInServer(url, { clock });
    const cookies = await signIn(lasting);
    await lasting.close();
    const brief = await openSignInServer(url, { clock, variables: { SERVICE_LOGIN_EXPIRY_MINUTES: "60" } });
    const login = await brief.send("POST /auth/login", { json: { email: ADMIN_EMAIL, password: ADMIN_PASSWORD } });
    expect(login.headers.getSetCookie()[1]).toContain("Max-Age=3600;");
    clock.forward(61 * MINUTE);
    for (const each of [cookies, cookiesOf(login)]) {
      expect(await shown(brief.send("POST /auth/refresh", { cookies: each }))).toBe("401 Expired refresh token");
    }
    await brief.close();
  });

  test("other sign-ins of the account stay", async () => {
    const [one, other] = [await signIn(server), await signIn(server)];
    await server.send("POST /auth/refresh", { cookies: one });
    expect(await asks({ cookies: other })).toStartWith("200");
  });

  test("says what is missing, wrong or over", async () => {
    const refreshed = (cookies: Record<string, string>) => shown(server.send("POST /auth/refresh", { cookies }));
    const good = await signIn(server);
    expect(await refreshed({})).toBe("401 Missing refresh token");
    expect(await refreshed({ [ACCESS]: good[ACCESS]! })).toBe("401 Missing refresh token");
    expect(await refreshed({ [REFRESH]: '""' })).toBe("401 Missing refresh token");
    expect(await refreshed({ [REFRESH]: `${good[REFRESH]}x` })).toBe("401 Invalid refresh token");
    clock.forward(7 * 24 * 60 * MINUTE);
    expect(await refreshed(good)).toBe("401 Expired refresh token");
    await server.signIns.sweep();
    expect(await refreshed(good)).toBe("401 Invalid refresh token");
  });
});
