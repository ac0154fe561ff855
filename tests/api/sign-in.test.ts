// Signing in and out over HTTP, on both databases. (Renewing: renewing.test.ts.)

import { afterAll, describe, expect, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import {
  ACCESS,
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  ADMIN_SECRET,
  addUser,
  cookiesOf,
  movableClock,
  openSignInServer,
  REFRESH,
  type SignInServer,
  shown,
  signIn,
} from "../support/sign-in.ts";
import { openForSuite } from "../support/suite.ts";
import { until } from "../support/until.ts";

const MINUTE = 60_000;
const login = (email: unknown, password: unknown) => ({ json: { email, password } });

forEachDriver("signing in", (driver) => {
  const clock = movableClock();
  const server = openForSuite(async () => openSignInServer(await driver.createDatabase(), { clock }));

  /** What a credential opens. */
  const asks = (init: Parameters<SignInServer["send"]>[1]) => shown(server.send("GET /v1/projects?limit=1", init));

  test("by address in any letter case, twice, with four different tokens that work side by side", async () => {
    const { id, email, password } = await addUser(server, "Twice", "MEMBER");
    const one = await signIn(server, ` ${email.toUpperCase()} `, password);
    const other = await signIn(server, email, password);
    expect(new Set([...Object.values(one), ...Object.values(other)]).size).toBe(4);
    for (const cookies of [one, other]) {
      expect(await asks({ cookies })).toStartWith("200");
      expect(await asks({ bearer: cookies[ACCESS]! })).toStartWith("200");
    }
    const answer = await server.send("GET /v1/user", { cookies: one });
    expect(((await answer.json()) as { data: { id: string } }).data.id).toBe(btoa(`User:${id}`));
  });

  test("answers without a body, with two cookies out of reach of scripts and other sites", async () => {
    const response = await server.send("POST /auth/login", login(ADMIN_EMAIL, ADMIN_PASSWORD));
    expect(response.status).toBe(204);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.getSetCookie().map((text) => text.replace(/=[^;]+/, "=…"))).toEqual([
      `${ACCESS}=…; Max-Age=600; Path=/; HttpOnly; SameSite=Strict`,
      `${REFRESH}=…; Max-Age=604800; Path=/; HttpOnly; SameSite=Strict`,
    ]);
  });

  test("refusals say what is missing and never whether an account exists", async () => {
    await addUser(server, "Refused", "MEMBER");
    const wrong = "401 Invalid email and/or password";
    const cases: readonly [unknown, string][] = [
      [{}, "401 Email and password required"],
      [{ email: "", password: "x" }, "401 Email and password required"],
      [{ email: "refused@example.com", password: "" }, "401 Email and password required"],
      [{ email: ["refused@example.com"], password: "x" }, "401 Email and password required"],
      [{ email: "refused@example.com", password: { $ne: null } }, "401 Email and password required"],
      [{ email: "refused@example.com", password: "wrong" }, wrong],
      [{ email: "nobody@example.com", password: "wrong" }, wrong],
      [{ email: "Refused", password: "password-of-Refused" }, wrong],
      [{ email: "system@localhost", password: "system" }, wrong],
    ];
    for (const [json, expected] of cases) {
      const response = await server.send("POST /auth/login", { json });
      expect(response.headers.get("www-authenticate")).toBe('Bearer realm="Spanlight"');
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(await shown(response)).toBe(expected);
    }
  });

  test("what is no JSON object is refused as such", async () => {
    for (const body of ["", "{", "[]", '"text"', "null", "email=a&password=b"]) {
      expect(await shown(server.send("POST /auth/login", { body }))).toBe("422 Invalid JSON body");
    }
  });

  test("whatever text is sent is an unknown name, and no fault", async () => {
    const names = [
      "\u0000",
      "a\u0000b@example.com",
      "\ud800@example.com",
      "x".repeat(50_000),
      "' or 1=1 --",
      "%",
      "İ@EXAMPLE.COM",
      "🙂@🙂",
    ];
    for (const email of names) {
      for (const password of ["x", "\u0000", "\udfff", "p".repeat(10_000)]) {
        expect(await shown(server.send("POST /auth/login", login(email, password)))).toMatch(
          /^(401 Invalid email|429)/,
        );
      }
    }
    for (const cookie of ["\u00ff", "=", ";;;", `${REFRESH}=`, `${REFRESH}=a; ${REFRESH}=b`, "x".repeat(10_000)]) {
      expect(await shown(server.send("POST /auth/refresh", { headers: { cookie } }))).toMatch(/^401 /);
    }
    expect((await server.send("POST /auth/login", { body: "x".repeat(100_000) })).status).toBe(413);
  });

  describe("a page of another site", () => {
    const PAGES: Readonly<Record<string, readonly [ours: boolean, headers: Record<string, string>]>> = {
      "a program": [true, {}],
      "our own": [true, { "sec-fetch-site": "same-origin", origin: "http://localhost" }],
      "our own, where browsers do not say so": [true, { origin: "http://localhost" }],
      "our own behind a proxy that changes the host": [true, { origin: "https://traces.example.com" }],
      "our own behind such a proxy, with https": [
        true,
        { "sec-fetch-site": "same-origin", origin: "https://x.example" },
      ],
      "a trusted one": [true, { "sec-fetch-site": "cross-site", origin: "https://app.example.com:8443" }],
      "another site": [false, { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
      "another site that hides itself": [false, { "sec-fetch-site": "cross-site", origin: "null" }],
      "a sandboxed frame": [false, { origin: "null" }],
      "a sibling": [false, { "sec-fetch-site": "same-site", origin: "https://evil.example.com" }],
      "a sibling without an origin": [false, { "sec-fetch-site": "same-site" }],
      "another site in an old browser": [false, { origin: "https://evil.example" }],
      "another port": [false, { origin: "http://localhost:8080" }],
      "another port of a trusted one": [false, { "sec-fetch-site": "cross-site", origin: "https://app.example.com" }],
    };

    test("starts no sign-in, renews nothing and changes no password", async () => {
      const proxied = await openSignInServer(await driver.createDatabase(), {
        variables: {
          SERVICE_ROOT_URL: "https://traces.example.com/sub",
          SERVICE_ALLOWED_ORIGINS: "https://app.example.com:8443",
        },
      });
      for (const [page, [ours, headers]] of Object.entries(PAGES)) {
        const cookies = await signIn(proxied);
        const answers = {
          login: proxied.send("POST /auth/login", { ...login(ADMIN_EMAIL, ADMIN_PASSWORD), headers }),
          refresh: proxied.send("POST /auth/refresh", { cookies, headers }),
          mail: proxied.send("POST /auth/password-reset-email", { json: { email: ADMIN_EMAIL }, headers }),
          reset: proxied.send("POST /auth/password-reset", { json: { token: "x", password: "abcd" }, headers }),
        };
        const statuses: Record<string, number | undefined> = {};
        for (const [name, answer] of Object.entries(answers)) {
          statuses[name] = (await answer).status;
          if (!ours) expect((await answer).headers.getSetCookie()).toEqual([]);
        }
        const allowed = { login: 204, refresh: 204, mail: 503, reset: 401 };
        const refused = { login: 403, refresh: 403, mail: 403, reset: 403 };
        expect([page, statuses]).toEqual([page, ours ? allowed : refused]);
      }
      await proxied.close();
    });

    test("is told which setting helps, where it is ours behind a proxy that changes the host", async () => {
      const headers = { origin: "http://traces.example.com" };
      const response = await server.send("POST /auth/login", { ...login(ADMIN_EMAIL, ADMIN_PASSWORD), headers });
      expect(await shown(Promise.resolve(response))).toMatch(
        /^403 A page of http:\/\/traces\.example\.com .* this request is for localhost\..* set SERVICE_ROOT_URL /,
      );
    });

    test("cannot send what says that it is JSON, and nothing else is read", async () => {
      const body = JSON.stringify({ email: ADMIN_EMAIL, password: ADMIN_PASSWORD });
      const sent = (type?: string) =>
        shown(
          server.send("POST /auth/login", {
            body,
            ...(type === undefined ? {} : { headers: { "content-type": type } }),
          }),
        );
      const refused = "415 The header Content-Type must be application/json";
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/json",
      ]) {
        expect(await sent(type)).toBe(refused);
      }
      expect(await sent()).toBe(refused);
      for (const type of ["application/json", "Application/JSON; charset=utf-8"]) expect(await sent(type)).toBe("204");
    });
  });

  test("unknown members are ignored: a sign-in cannot set a role", async () => {
    const { email, password } = await addUser(server, "Plain", "VIEWER");
    const response = await server.send("POST /auth/login", {
      json: { email, password, role: "ADMIN", userId: 1, user_id: 1, mustChangePassword: false },
    });
    const user = await server.send("GET /v1/user", { cookies: cookiesOf(response) });
    expect(await user.json()).toMatchObject({ data: { role: "VIEWER" } });
  });

  describe("a credential", () => {
    test("in the header alone counts: a good cookie does not rescue a bad one", async () => {
      const cookies = await signIn(server);
      for (const authorization of ["Bearer x", "Basic eDp5", "Bearer", "Bearer ", cookies[ACCESS]!]) {
        expect(await asks({ cookies, headers: { authorization } })).toBe("401 Invalid token");
      }
      expect(await asks({ cookies, headers: { authorization: "" } })).toStartWith("200");
      expect(await asks({ headers: { authorization: `bEaReR ${cookies[ACCESS]}` } })).toStartWith("200");
    });

    test("of another kind opens nothing", async () => {
      const cookies = await signIn(server);
      expect(await asks({ bearer: cookies[REFRESH]! })).toBe("401 Invalid token");
      expect(await asks({ cookies: { [ACCESS]: cookies[REFRESH]! } })).toBe("401 Invalid token");
      expect(await shown(server.send("POST /auth/refresh", { cookies: { [REFRESH]: cookies[ACCESS]! } }))).toBe(
        "401 Invalid refresh token",
      );
    });

    test("that is over is reported as expired, and unknown once it was swept", async () => {
      const cookies = await signIn(server);
      clock.forward(10 * MINUTE);
      expect(await asks({ cookies })).toBe("401 Expired token");
      await server.signIns.sweep();
      await until(async () => (await asks({ cookies })) === "401 Invalid token");
      expect(await shown(server.send("POST /auth/refresh", { cookies }))).toBe("204");
    });

    test("the admin secret is an administrator, which no cookie is", async () => {
      expect(await shown(server.send("GET /v1/users?limit=1", { bearer: ADMIN_SECRET }))).toStartWith("200");
      expect(await asks({ cookies: { [ACCESS]: ADMIN_SECRET } })).toBe("401 Invalid token");
      expect(await asks({ bearer: `${ADMIN_SECRET}x` })).toBe("401 Invalid token");
    });
  });

  describe("signing out", () => {
    const out = (init: Parameters<SignInServer["send"]>[1]) => server.send("GET /auth/logout", init);

    test("ends every sign-in of the account in every browser, and takes all cookies back", async () => {
      const { email, password } = await addUser(server, "Leaver", "MEMBER");
      const [one, other] = [await signIn(server, email, password), await signIn(server, email, password)];
      const admin = await signIn(server);
      const response = await out({ cookies: one });
      expect([response.status, response.headers.get("location")]).toEqual([302, "/login"]);
      const cleared = response.headers.getSetCookie();
      expect(cleared.map((text) => text.split("=", 1)[0])).toEqual([
        ACCESS,
        REFRESH,
        "phoenix-oauth2-state",
        "phoenix-oauth2-nonce",
        "phoenix-oauth2-code-verifier",
      ]);
      for (const text of cleared) expect(text).toMatch(/^[^=]+=""; Max-Age=0; Path=\/; HttpOnly; SameSite=/);
      for (const cookies of [one, other]) {
        expect(await asks({ cookies })).toBe("401 Invalid token");
        expect(await shown(server.send("POST /auth/refresh", { cookies }))).toBe("401 Invalid refresh token");
      }
      expect(await asks({ cookies: admin })).toStartWith("200");
    });

    test("knows the account by bearer, by an access token that is over, and by the refresh cookie alone", async () => {
      const { email, password } = await addUser(server, "Knowable", "MEMBER");
      const ways: readonly ((cookies: Readonly<Record<string, string>>) => Parameters<typeof out>[0])[] = [
        (cookies) => ({ bearer: cookies[ACCESS]! }),
        (cookies) => {
          clock.forward(10 * MINUTE);
          return { cookies: { [ACCESS]: cookies[ACCESS]! } };
        },
        (cookies) => ({ cookies: { [REFRESH]: cookies[REFRESH]! } }),
      ];
      for (const way of ways) {
        const cookies = await signIn(server, email, password);
        expect((await out(way(cookies))).status).toBe(302);
        expect(await shown(server.send("POST /auth/refresh", { cookies }))).toBe("401 Invalid refresh token");
      }
    });

    test("by a link of another site or sibling does nothing", async () => {
      const cookies = await signIn(server);
      for (const site of ["cross-site", "same-site"]) {
        const response = await out({ cookies, headers: { "sec-fetch-site": site } });
        expect([response.status, response.headers.getSetCookie()]).toEqual([302, []]);
        expect(await asks({ cookies })).toStartWith("200");
      }
      expect((await out({ cookies, headers: { "sec-fetch-site": "none" } })).status).toBe(302);
      expect(await asks({ cookies })).toBe("401 Invalid token");
    });

    test("is never an error: without a sign-in, and with corrupt cookies", async () => {
      for (const cookies of [{}, { [ACCESS]: "x.y.z", [REFRESH]: "nothing" }, { [ACCESS]: '""' }]) {
        const response = await out({ cookies });
        expect([response.status, response.headers.getSetCookie().length]).toEqual([302, 5]);
      }
    });

    test("is not for API keys: one that leaks ends no sign-in of its owner", async () => {
      const { id, email, password } = await addUser(server, "Leaked", "MEMBER");
      const cookies = await signIn(server, email, password);
      const made = await server.send("POST /v1/user/api_keys", { cookies, json: { data: { name: "mine" } } });
      const { data } = (await made.json()) as { data: { key: string } };
      for (const credential of [{ bearer: data.key }, { cookies: { [ACCESS]: data.key } }]) {
        expect((await out(credential)).status).toBe(302);
        expect(await asks({ cookies })).toStartWith("200");
      }
      const query = 'mutation { patchViewer(input: {newUsername: "Renamed by a key"}) { user { id } } }';
      await server.send("POST /graphql", { bearer: data.key, json: { query } });
      const user = await server.signIns.accounts.users.findUser(server.context(), { id });
      expect(user?.username).toBe("Leaked");
    });

    test("leaves API keys alone", async () => {
      const { email, password } = await addUser(server, "Keyholder", "MEMBER");
      const cookies = await signIn(server, email, password);
      const made = await server.send("POST /v1/user/api_keys", { cookies, json: { data: { name: "mine" } } });
      const { data } = (await made.json()) as { data: { key: string } };
      await out({ cookies });
      expect(await asks({ bearer: data.key })).toStartWith("200");
    });
  });

  describe("five failures", () => {
    const attempt = (email: string, password: string) => shown(server.send("POST /auth/login", login(email, password)));
    const WRONG = "401 Invalid email and/or password";
    const LOCKED = "429 Too many failed login attempts. Please try again later.";

    test("lock the name for five minutes, whatever its letter case, even for the right password", async () => {
      const { email, password } = await addUser(server, "Guessed", "MEMBER");
      for (let failure = 0; failure < 5; failure++) {
        expect(await attempt(failure % 2 === 0 ? email : email.toUpperCase(), "wrong")).toBe(WRONG);
      }
      const locked = await server.send("POST /auth/login", login(email, password));
      expect(Number(locked.headers.get("retry-after"))).toBeWithin(290, 301);
      expect(await shown(locked)).toBe(LOCKED);
      expect(await attempt(ADMIN_EMAIL, ADMIN_PASSWORD)).toBe("204");
      clock.forward(4 * MINUTE);
      expect(await attempt(email, password)).toBe(LOCKED);
      clock.forward(MINUTE + 1000);
      for (let failure = 0; failure < 4; failure++) expect(await attempt(email, "wrong")).toBe(WRONG);
      expect(await attempt(email, password)).toBe("204");
    });

    test("lock unknown names alike, so that nothing is learnt", async () => {
      for (let failure = 0; failure < 5; failure++) expect(await attempt("ghost@example.com", "x")).toBe(WRONG);
      expect(await attempt("ghost@example.com", "x")).toBe(LOCKED);
    });

    test("in a row: a success between them starts again", async () => {
      const { email, password } = await addUser(server, "Forgetful", "MEMBER");
      for (let round = 0; round < 2; round++) {
        for (let failure = 0; failure < 4; failure++) expect(await attempt(email, "wrong")).toBe(WRONG);
        expect(await attempt(email, password)).toBe("204");
      }
    });

    test("are five, also when thirty come at once", async () => {
      const { email, password } = await addUser(server, "Stormed", "MEMBER");
      const answers = await Promise.all(Array.from({ length: 30 }, () => attempt(email, "wrong")));
      expect(answers.filter((answer) => answer === WRONG).length).toBe(5);
      expect(answers.filter((answer) => answer === LOCKED).length).toBe(25);
      expect(await attempt(email, password)).toBe(LOCKED);
    });

    test("leave no row behind once they are long ago", async () => {
      await attempt("trace@example.com", "x");
      const rows = () =>
        server.stored.storage.handle
          .read(server.context(), "short")
          .selectFrom("login_attempts")
          .select("identifier")
          .execute();
      expect((await rows()).length).toBeGreaterThan(0);
      clock.forward(16 * MINUTE);
      await server.signIns.sweep();
      expect(await rows()).toEqual([]);
    });
  });
});

forEachDriver("settings of a sign-in", (driver) => {
  const opened: SignInServer[] = [];
  const open = async (variables: Record<string, string | undefined>) => {
    const server = await openSignInServer(await driver.createDatabase(), { variables });
    opened.push(server);
    return server;
  };
  afterAll(async () => {
    for (const server of opened) await server.close();
  });

  test("cookies have the path and Secure they are told, when taken back, too", async () => {
    const server = await open({
      SERVICE_COOKIES_PATH: "/traces",
      SERVICE_USE_SECURE_COOKIES: "true",
      SERVICE_HOST_ROOT_PATH: "/traces",
      SERVICE_ACCESS_TOKEN_EXPIRY_MINUTES: "0.5",
      SERVICE_REFRESH_TOKEN_EXPIRY_MINUTES: "2.01",
    });
    const signed = await server.send("POST /traces/auth/login", login(ADMIN_EMAIL, ADMIN_PASSWORD));
    expect(signed.headers.getSetCookie().map((text) => text.replace(/=[^;]+/, "=…"))).toEqual([
      `${ACCESS}=…; Max-Age=30; Path=/traces; HttpOnly; SameSite=Strict; Secure`,
      `${REFRESH}=…; Max-Age=120; Path=/traces; HttpOnly; SameSite=Strict; Secure`,
    ]);
    const out = await server.send("GET /auth/logout", { cookies: cookiesOf(signed) });
    expect(out.headers.get("location")).toBe("/traces/login");
    for (const text of out.headers.getSetCookie()) expect(text).toMatch(/; Path=\/traces; HttpOnly; .*; Secure$/);
  });

  test("without protection there is no lock-out", async () => {
    const server = await open({ SERVICE_DISABLE_BRUTE_FORCE_LOGIN_PROTECTION: "true" });
    for (let failure = 0; failure < 7; failure++) {
      expect(await shown(server.send("POST /auth/login", login(ADMIN_EMAIL, "x")))).toStartWith("401");
    }
    expect(await shown(server.send("POST /auth/login", login(ADMIN_EMAIL, ADMIN_PASSWORD)))).toBe("204");
  });

  test("twelve requests a minute from one address, over all routes of a sign-in", async () => {
    const clock = movableClock();
    const server = await openSignInServer(await driver.createDatabase(), {
      clock,
      variables: { SERVICE_DISABLE_RATE_LIMIT: "false", FORWARDED_ALLOW_IPS: "10.0.0.0/8" },
    });
    opened.push(server);
    const ask = (peer: string, headers: Record<string, string> = {}) =>
      server.send("POST /auth/refresh", { peer, headers });
    const lines = ["POST /auth/refresh", "POST /auth/login", "GET /auth/logout", "POST /auth/password-reset"];
    for (let count = 0; count < 12; count++) {
      expect((await server.send(lines[count % 4]!, { peer: "192.0.2.7" })).status).not.toBe(429);
    }
    const refused = await server.send("POST /auth/login", { peer: "192.0.2.7", body: "not even JSON" });
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 6);
    expect(await shown(refused)).toBe("429 Too Many Requests");
    expect((await ask("192.0.2.8")).status).toBe(401);
    // A header that anybody can write is believed from a trusted proxy alone.
    expect((await ask("192.0.2.7", { "x-forwarded-for": "192.0.2.99" })).status).toBe(429);
    expect((await ask("10.1.2.3", { "x-forwarded-for": "192.0.2.99" })).status).toBe(401);
    expect((await ask("10.1.2.3", { "x-forwarded-for": "192.0.2.98, 192.0.2.7, 10.9.9.9" })).status).toBe(429);
    clock.forward(5000);
    expect((await ask("192.0.2.7")).status).toBe(401);
    expect((await ask("192.0.2.7")).status).toBe(429);
    clock.forward(120_000);
    await server.signIns.sweep();
    for (let count = 0; count < 12; count++) expect((await ask("2001:db8:1:2::1")).status).toBe(401);
    expect((await ask("2001:db8:1:2:ffff::9")).status).toBe(429);
    expect((await ask("2001:db8:1:3::1")).status).toBe(401);
    expect((await server.send("GET /v1/projects", { peer: "192.0.2.7" })).status).toBe(401);
  });
});
