// Two servers on one PostgreSQL: what one of them learns about sign-ins holds on the other within two seconds.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { forEachDriver } from "../support/drivers.ts";
import { signedIn } from "../support/principals.ts";
import {
  ACCESS,
  addUser,
  cookiesOf,
  movableClock,
  openSignInServer,
  REFRESH,
  type SentRequest,
  type SignInServer,
  shown,
  signIn,
} from "../support/sign-in.ts";
import { until } from "../support/until.ts";

/** The promise, and not a speed: nothing may be honoured longer. */
const BOUND_MS = 2000;

forEachDriver("sign-ins on two servers", (driver) => {
  // A SQLite file has one server.
  if (driver.name === "sqlite") return;
  const clock = movableClock();
  let one: SignInServer;
  let other: SignInServer;
  beforeAll(async () => {
    const url = await driver.createDatabase();
    [one, other] = [await openSignInServer(url, { clock }), await openSignInServer(url, { clock })];
  });
  afterAll(async () => {
    await one.close();
    await other.close();
  });

  const asks = async (server: SignInServer, init: SentRequest) =>
    (await server.send("GET /v1/projects?limit=1", init)).status;
  const attempt = (server: SignInServer, email: string, password: string) =>
    shown(server.send("POST /auth/login", { json: { email, password } }));

  /** Both servers know the credential well; `change` on the first, then both must refuse it. */
  async function holdsOnBoth(credential: SentRequest, change: () => Promise<unknown>): Promise<void> {
    for (const server of [one, other]) expect(await asks(server, credential)).toBe(200);
    await change();
    expect(await asks(one, credential)).toBe(401);
    await until(async () => (await asks(other, credential)) === 401, BOUND_MS);
  }

  async function keyOf(id: number) {
    const context = { ...one.context(), principal: signedIn(id, "MEMBER") };
    return one.signIns.apiKeys.issueOwn(context, { name: "key", description: null, expiresUs: null });
  }

  test("a sign-in of one opens the other at once, and can be renewed there", async () => {
    const { email, password } = await addUser(one, "Roaming", "MEMBER");
    const cookies = await signIn(one, email, password);
    expect(await asks(other, { cookies })).toBe(200);
    const renewed = await other.send("POST /auth/refresh", { cookies });
    expect(await asks(one, { cookies: cookiesOf(renewed) })).toBe(200);
  });

  test("of refreshes at both at once exactly one wins", async () => {
    const { email, password } = await addUser(one, "Racing", "MEMBER");
    for (let round = 0; round < 5; round++) {
      const cookies = await signIn(one, email, password);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? one : other).send("POST /auth/refresh", { cookies })),
      );
      expect(answers.filter(({ status }) => status === 204).length).toBe(1);
    }
  });

  test("a token spent on one that comes to the other ends the sign-in on both", async () => {
    const { email, password } = await addUser(one, "Copied", "MEMBER");
    const old = await signIn(one, email, password);
    const renewed = cookiesOf(await one.send("POST /auth/refresh", { cookies: old }));
    expect((await other.send("POST /auth/refresh", { cookies: old })).status).toBe(401);
    clock.forward(11_000);
    await holdsOnBoth({ cookies: renewed }, async () => {
      expect((await other.send("POST /auth/refresh", { cookies: old })).status).toBe(401);
      await until(async () => (await asks(one, { cookies: renewed })) === 401, BOUND_MS);
    });
    expect((await one.send("POST /auth/refresh", { cookies: renewed })).status).toBe(401);
  });

  test("failures count together: five lock the name on both", async () => {
    const { email, password } = await addUser(one, "Besieged", "MEMBER");
    for (let failure = 0; failure < 5; failure++) {
      expect(await attempt(failure % 2 === 0 ? one : other, email, "wrong")).toStartWith("401");
    }
    for (const server of [one, other]) expect(await attempt(server, email, password)).toStartWith("429");
  });

  test("requests count together, by address", async () => {
    const url = await driver.createDatabase();
    const variables = { SERVICE_DISABLE_RATE_LIMIT: "false" };
    const servers = [await openSignInServer(url, { variables }), await openSignInServer(url, { variables })] as const;
    const statuses: number[] = [];
    for (let count = 0; count < 16; count++) {
      statuses.push((await servers[count % 2]!.send("POST /auth/refresh")).status);
    }
    expect(statuses.slice(0, 12)).toEqual(Array(12).fill(401));
    expect(statuses.slice(13)).toEqual(Array(3).fill(429));
    for (const server of servers) await server.close();
  });

  test("signing out holds on both", async () => {
    const { email, password } = await addUser(one, "Leaving", "MEMBER");
    const cookies = await signIn(one, email, password);
    await holdsOnBoth({ cookies }, () => one.send("GET /auth/logout", { cookies }));
    expect(await shown(other.send("POST /auth/refresh", { cookies: { [REFRESH]: cookies[REFRESH]! } }))).toStartWith(
      "401",
    );
  });

  test("a deleted key and a deleted account hold on both", async () => {
    const { id, email, password } = await addUser(one, "Removed", "MEMBER");
    const first = await keyOf(id);
    const second = await keyOf(id);
    const cookies = await signIn(other, email, password);
    await holdsOnBoth({ bearer: first.text }, () =>
      one.signIns.apiKeys.removePersons({ ...one.context(), principal: signedIn(id, "MEMBER") }, first.apiKey.id),
    );
    await holdsOnBoth({ bearer: second.text, cookies }, () =>
      one.signIns.accounts.users.deleteUsers(one.context(), [id]),
    );
    await until(async () => (await asks(other, { cookies: { [ACCESS]: cookies[ACCESS]! } })) === 401, BOUND_MS);
  });

  test("everything at once on one account meets no deadlock and no fault", async () => {
    const { id, email, password } = await addUser(one, "Busy", "MEMBER");
    const servers = [one, other] as const;
    const at = (count: number) => servers[count % 2]!;
    const statuses = new Map<string, number>();
    const ask = async (server: SignInServer, line: string, init: SentRequest) => {
      const { status } = await server.send(line, init);
      statuses.set(`${line} ${status}`, (statuses.get(`${line} ${status}`) ?? 0) + 1);
    };
    for (let round = 0; round < 6; round++) {
      const pairs = await Promise.all(Array.from({ length: 6 }, (_, count) => signIn(at(count), email, password)));
      // Cookies of two sign-ins mixed, so that each renewal reaches for the access token of the other.
      const mixed = pairs.map((pair, count) => ({ ...pair, [ACCESS]: pairs[(count + 1) % pairs.length]![ACCESS]! }));
      await Promise.all([
        ...mixed.map((cookies, count) => ask(at(count), "POST /auth/refresh", { cookies })),
        ...[0, 1, 2].map((count) => ask(at(count), "POST /auth/login", { json: { email, password } })),
        ...(round % 2 === 0 ? [0, 1] : []).map((count) =>
          ask(at(count), "GET /auth/logout", { cookies: pairs[count]! }),
        ),
        ...(round % 3 === 0 ? [0, 1] : []).map((count) =>
          at(count).signIns.accounts.userChanges.changeUser(at(count).context(), id, {
            role: count === 0 ? "MEMBER" : "VIEWER",
            username: null,
            password: null,
          }),
        ),
        ...servers.map((server) => server.signIns.sweep()),
      ]);
    }
    const faults = [...statuses.keys()].filter((line) => !/ (204|302|401)$/.test(line));
    expect(faults).toEqual([]);
    const { rows } = await sql<{ deadlocks: number }>`
      select deadlocks from pg_stat_database where datname = current_database()`.execute(
      one.stored.storage.handle.read(one.context(), "short"),
    );
    expect(Number(rows[0]?.deadlocks)).toBe(0);
  });

  test("a changed role holds on both: keys act in it, sign-ins end", async () => {
    const { id, email, password } = await addUser(one, "Demoted", "ADMIN");
    const { text } = await keyOf(id);
    const cookies = await signIn(other, email, password);
    const administers = async (server: SignInServer) =>
      (await server.send("GET /v1/users?limit=1", { bearer: text })).status;
    for (const server of [one, other]) expect(await administers(server)).toBe(200);
    await holdsOnBoth({ cookies }, () =>
      one.signIns.accounts.userChanges.changeUser(one.context(), id, {
        role: "VIEWER",
        username: null,
        password: null,
      }),
    );
    expect(await administers(one)).toBe(403);
    await until(async () => (await administers(other)) === 403, BOUND_MS);
  });
});
