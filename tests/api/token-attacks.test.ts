// What an attacker may try with tokens, cookies and pages of other sites, on both databases.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { forEachDriver } from "../support/drivers.ts";
import { signedIn } from "../support/principals.ts";
import {
  ACCESS,
  ADMIN_EMAIL,
  addUser,
  cookiesOf,
  openSignInServer,
  REFRESH,
  SECRET,
  type SignInServer,
  shown,
  signIn,
} from "../support/sign-in.ts";

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const decoded = (token: string) => JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString());

/** Signed with the real secret: as an attacker who knows it could. */
function forged(payload: unknown, header: unknown = { alg: "HS256", typ: "JWT" }): string {
  const signed = `${part(header)}.${part(payload)}`;
  return `${signed}.${createHmac("sha256", SECRET).update(signed).digest("base64url")}`;
}

forEachDriver("attacks on tokens", (driver) => {
  const opened: SignInServer[] = [];
  const open = async (variables: Record<string, string> = {}) => {
    const server = await openSignInServer(await driver.createDatabase(), { variables });
    opened.push(server);
    return server;
  };
  let server: SignInServer;
  beforeAll(async () => {
    server = await open();
  });
  afterAll(async () => {
    for (const each of opened) await each.close();
  });

  const asks = (init: Parameters<SignInServer["send"]>[1], at = server) =>
    shown(at.send("GET /v1/projects?limit=1", init));
  const INVALID = "401 Invalid token";

  async function keyFor(id: number, at = server): Promise<string> {
    const context = { ...at.context(), principal: signedIn(id, "MEMBER") };
    return (await at.signIns.apiKeys.issueOwn(context, { name: "key", description: null, expiresUs: null })).text;
  }

  test("knowing the secret and the number of a row is not enough", async () => {
    const cookies = await signIn(server);
    const { jti, rnd } = decoded(cookies[ACCESS]!);
    expect(await asks({ bearer: forged({ jti, rnd }) })).toStartWith("200");
    for (const payload of [
      { jti },
      { jti, rnd: "" },
      { jti, rnd: "AAAA" },
      { jti, rnd: `${rnd}AA` },
      { jti, rnd: [rnd] },
    ]) {
      expect(await asks({ bearer: forged(payload) })).toBe(INVALID);
    }
    for (const alg of ["none", "None", "HS384", "HS512", "RS256", "ES256"]) {
      expect(await asks({ bearer: forged({ jti, rnd }, { alg, typ: "JWT" }) })).toBe(INVALID);
      expect(await asks({ bearer: `${part({ alg })}.${part({ jti, rnd })}.` })).toBe(INVALID);
    }
  });

  test("the random value of one row opens no other row and no other kind", async () => {
    const cookies = await signIn(server);
    const { rnd, jti } = decoded(cookies[ACCESS]!);
    const row = Number(jti.split(":")[1]);
    for (const other of [`AccessToken:${row + 1}`, `AccessToken:${Math.max(1, row - 1)}`, `ApiKey:${row}`]) {
      expect(await asks({ bearer: forged({ jti: other, rnd }) })).toBe(INVALID);
    }
    const refresh = forged({ jti: `RefreshToken:${row}`, rnd });
    expect(await shown(server.send("POST /auth/refresh", { cookies: { [REFRESH]: refresh } }))).toBe(
      "401 Invalid refresh token",
    );
    expect(
      await shown(
        server.send("POST /auth/password-reset", {
          json: { token: forged({ jti: "PasswordResetToken:1", rnd }), password: "taken-over" },
        }),
      ),
    ).toBe(INVALID);
  });

  test("a token changed in any part, or with more around it, is none", async () => {
    const { [ACCESS]: token } = await signIn(server);
    const [header, payload, signature] = token!.split(".");
    const flipped = (text: string) => `${text[0] === "A" ? "B" : "A"}${text.slice(1)}`;
    for (const bearer of [
      `${flipped(header!)}.${payload}.${signature}`,
      `${header}.${flipped(payload!)}.${signature}`,
      `${header}.${payload}.${flipped(signature!)}`,
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `${token}.${signature}`,
      `${token} ${token}`,
      "x".repeat(100_000),
    ]) {
      expect(await asks({ bearer })).toBe(INVALID);
    }
  });

  test("what is revoked is refused by the very next request, however warm it was", async () => {
    const { id, email, password } = await addUser(server, "Revoked", "MEMBER");
    const key = await keyFor(id);
    const cookies = await signIn(server, email, password);
    for (const credential of [{ cookies }, { bearer: key }]) expect(await asks(credential)).toStartWith("200");
    const keys = await server.send("GET /v1/user/api_keys", { cookies });
    const { data } = (await keys.json()) as { data: { id: string }[] };
    expect((await server.send(`DELETE /v1/user/api_keys/${encodeURIComponent(data[0]!.id)}`, { cookies })).status).toBe(
      204,
    );
    expect(await asks({ bearer: key })).toBe(INVALID);
    expect(await asks({ cookies })).toStartWith("200");
    await server.send("GET /auth/logout", { cookies });
    expect(await asks({ cookies })).toBe(INVALID);
  });

  test("a role is that of the account now, for keys at once, and its sign-ins end", async () => {
    const { id, email, password } = await addUser(server, "Promoted", "VIEWER");
    const key = await keyFor(id);
    const cookies = await signIn(server, email, password);
    const writes = (init: Parameters<SignInServer["send"]>[1]) =>
      shown(server.send("POST /v1/projects", { ...init, json: {} }));
    expect(await writes({ bearer: key })).toBe("403 Viewers cannot perform this action.");
    await server.signIns.accounts.userChanges.changeUser(server.context(), id, {
      role: "MEMBER",
      username: null,
      password: null,
    });
    expect(await writes({ bearer: key })).toStartWith("422");
    expect(await asks({ cookies })).toBe(INVALID);
  });

  test("with an account go its sign-ins and keys, and never come back to another account", async () => {
    const { id, email, password } = await addUser(server, "Deleted", "MEMBER");
    const key = await keyFor(id);
    const cookies = await signIn(server, email, password);
    for (const credential of [{ cookies }, { bearer: key }]) expect(await asks(credential)).toStartWith("200");
    await server.signIns.accounts.users.deleteUsers(server.context(), [id]);
    for (const credential of [{ cookies }, { bearer: key }, { cookies: { [ACCESS]: key } }]) {
      expect(await asks(credential)).toBe(INVALID);
    }
    expect(await shown(server.send("POST /auth/refresh", { cookies }))).toBe("401 Invalid refresh token");
    const again = await addUser(server, "Deleted", "MEMBER");
    expect(again.id).not.toBe(id);
    await signIn(server, again.email, again.password);
    expect(await asks({ cookies })).toBe(INVALID);
  });

  test("a database that was reset or restored gives the same numbers to other tokens", async () => {
    const lost = await open();
    const restored = await open();
    const accounts = [];
    for (const each of [lost, restored]) {
      accounts.push([await addUser(each, "Ann", "MEMBER"), await addUser(each, "Bob", "ADMIN")] as const);
    }
    const [ann] = accounts[0]!;
    const [, bob] = accounts[1]!;
    const old = { cookies: await signIn(lost, ann.email, ann.password), key: await keyFor(ann.id, lost) };
    const now = { cookies: await signIn(restored, bob.email, bob.password), key: await keyFor(bob.id, restored) };
    expect(decoded(old.cookies[ACCESS]!).jti).toBe(decoded(now.cookies[ACCESS]!).jti);
    expect(decoded(old.key).jti).toBe(decoded(now.key).jti);
    for (const credential of [{ cookies: old.cookies }, { bearer: old.key }]) {
      expect(await asks(credential, lost)).toStartWith("200");
      expect(await asks(credential, restored)).toBe(INVALID);
    }
    expect(await shown(restored.send("POST /auth/refresh", { cookies: old.cookies }))).toBe(
      "401 Invalid refresh token",
    );
    // Signing out with it is no error and ends nobody's sign-in.
    expect((await restored.send("GET /auth/logout", { cookies: old.cookies })).status).toBe(302);
    expect(await asks({ cookies: now.cookies }, restored)).toStartWith("200");
  });

  test("another secret ends everything", async () => {
    const url = await driver.createDatabase();
    const before = await openSignInServer(url);
    opened.push(before);
    const cookies = await signIn(before);
    const after = await openSignInServer(url, {
      variables: { SERVICE_SECRET: "another-secret-of-the-tests-0123456789" },
    });
    opened.push(after);
    expect(await asks({ cookies }, after)).toBe(INVALID);
  });

  describe("a page of another site", () => {
    test("is refused wherever it points when the trusted ones are named", async () => {
      const strict = await open({ SERVICE_CSRF_TRUSTED_ORIGINS: "https://traces.example.com" });
      const cookies = await signIn(strict);
      const mutation = { query: 'mutation { patchViewer(input: {newUsername: "x"}) { user { id } } }' };
      for (const line of [
        "POST /auth/login",
        "POST /auth/refresh",
        "GET /auth/logout",
        "POST /graphql",
        "GET /v1/user",
      ]) {
        for (const [header, value] of [
          ["origin", "https://evil.example"],
          ["origin", "null"],
          ["origin", "https://traces.example.com.evil.example"],
          ["origin", "https://evil.example/https://traces.example.com"],
          ["referer", "https://evil.example/traces.example.com"],
          ["referer", "nonsense"],
        ] as const) {
          const json = line.startsWith("POST") ? mutation : undefined;
          const response = await strict.send(line, {
            cookies,
            headers: { [header]: value },
            ...(json ? { json } : {}),
          });
          expect(response.headers.getSetCookie()).toEqual([]);
          expect([line, value, await shown(response)]).toEqual([line, value, `401 untrusted ${header}`]);
        }
      }
      const trusted = { origin: "https://TRACES.example.com:8443", referer: "https://traces.example.com/projects" };
      expect(await shown(strict.send("GET /v1/user", { cookies, headers: trusted }))).toStartWith("200");
      expect(await shown(strict.send("GET /v1/user", { cookies }))).toStartWith("200");
    });

    test("may link to our pages, but not to probes or data", async () => {
      const strict = await open({ SERVICE_CSRF_TRUSTED_ORIGINS: "https://traces.example.com" });
      const referer = "https://chat.example/";
      for (const line of ["GET /docs", "GET /openapi.json", "GET /redirects/projects/default"]) {
        expect([line, (await strict.send(line, { headers: { referer } })).status]).not.toEqual([line, 401]);
        expect([line, (await strict.send(line, { headers: { origin: referer } })).status]).toEqual([line, 401]);
      }
      for (const line of ["GET /healthz", "GET /readyz", "GET /v1/projects", "GET /nothing"]) {
        expect(await shown(strict.send(line, { headers: { referer } }))).toBe("401 untrusted referer");
      }
    });

    test("reads answers only if it was named, and even then needs its own credential", async () => {
      const shared = await open({ SERVICE_ALLOWED_ORIGINS: "https://app.example.com" });
      const cookies = await signIn(shared);
      const asked = async (origin: string, init: Parameters<SignInServer["send"]>[1]) => {
        const { status, headers } = await shared.send("GET /v1/user", { ...init, headers: { origin } });
        return [status, headers.get("access-control-allow-origin")];
      };
      const [named, foreign] = ["https://app.example.com", "https://evil.example"];
      expect(await asked(named, { cookies })).toEqual([200, named]);
      expect(await asked(named, {})).toEqual([401, named]);
      expect(await asked(foreign, { cookies })).toEqual([200, null]);
      const preflight = await shared.send("OPTIONS /graphql", {
        headers: { origin: named, "access-control-request-method": "POST", "access-control-request-headers": "x" },
      });
      expect([preflight.status, preflight.headers.get("access-control-allow-credentials")]).toEqual([200, "true"]);
      const refused = await shared.send("OPTIONS /graphql", {
        headers: { origin: foreign, "access-control-request-method": "POST" },
      });
      expect(await shown(refused)).toBe("400 Disallowed CORS origin");
    });

    test("changes nothing by GET", async () => {
      const cookies = await signIn(server);
      const query = encodeURIComponent('mutation { patchViewer(input: {newUsername: "x"}) { user { id } } }');
      expect(await shown(server.send(`GET /graphql?query=${query}`, { cookies }))).toStartWith("400");
    });

    test("cannot post a form as JSON: other media types are no mutation", async () => {
      const cookies = await signIn(server);
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
        const body = '{"query":"{projectCount}"}';
        const response = await server.send("POST /graphql", { cookies, body, headers: { "content-type": type } });
        expect(response.status).toBe(400);
      }
    });
  });

  test("members of a body that nobody asked for change no role and no password", async () => {
    const { id, email, password } = await addUser(server, "Climber", "MEMBER");
    const cookies = await signIn(server, email, password);
    const user = {
      role: "ADMIN",
      userId: id,
      user_id: id,
      is_admin: true,
      auth_method: "LOCAL",
      email,
      username: "Climber",
    };
    for (const line of ["POST /v1/users", `DELETE /v1/users/${btoa(`User:${id}`)}`]) {
      expect((await server.send(line, { cookies, json: { user, ...user } })).status).toBe(403);
    }
    for (const call of [
      `patchViewer(input: {newUsername: "Climber", role: ADMIN}) { user { role { name } } }`,
      `patchViewer(input: {newUsername: "Climber", newRole: ADMIN}) { user { role { name } } }`,
      `patchUser(input: {userId: "${btoa(`User:${id}`)}", newRole: ADMIN}) { user { role { name } } }`,
      `createUser(input: {email: "x@example.com", username: "x", role: ADMIN, password: "abcd"}) { user { id } }`,
    ]) {
      const response = await server.send("POST /graphql", { cookies, json: { query: `mutation { ${call} }` } });
      const answer = (await response.json()) as { data: unknown; errors: unknown[] };
      expect([call, answer.data, answer.errors.length]).toEqual([call, null, 1]);
    }
    expect(await server.signIns.accounts.users.findUser(server.context(), { id })).toMatchObject({ role: "MEMBER" });
  });

  test("a changed password takes the cookies back and ends all sign-ins, also that of a thief", async () => {
    const { email, password } = await addUser(server, "Robbed", "MEMBER");
    const [own, thief] = [await signIn(server, email, password), await signIn(server, email, password)];
    const query = `mutation ($input: PatchViewerInput!) { patchViewer(input: $input) { user { id } } }`;
    const input = { newPassword: "a-new-password", currentPassword: password };
    const response = await server.send("POST /graphql", { cookies: own, json: { query, variables: { input } } });
    expect(cookiesOf(response)).toMatchObject({ [ACCESS]: '""', [REFRESH]: '""' });
    for (const cookies of [own, thief]) {
      expect(await asks({ cookies })).toBe(INVALID);
      expect(await shown(server.send("POST /auth/refresh", { cookies }))).toBe("401 Invalid refresh token");
    }
    const named = await server.send("POST /graphql", {
      cookies: await signIn(server, email, "a-new-password"),
      json: { query, variables: { input: { newUsername: "Robbed no more" } } },
    });
    expect(named.headers.getSetCookie()).toEqual([]);
  });

  test("guessing the current password counts like guessing at the login", async () => {
    const { email, password } = await addUser(server, "Borrowed", "MEMBER");
    const cookies = await signIn(server, email, password);
    const query = `mutation ($input: PatchViewerInput!) { patchViewer(input: $input) { user { id } } }`;
    const guess = async (at: number) => {
      const input = { newPassword: "stolen-for-good", currentPassword: `guess-${at}` };
      const response = await server.send("POST /graphql", { cookies, json: { query, variables: { input } } });
      return ((await response.json()) as { errors: { message: string }[] }).errors[0]!.message;
    };
    const told = await Promise.all(Array.from({ length: 12 }, (_, at) => guess(at)));
    expect(told.filter((text) => text === "Valid current password is required to modify password").length).toBe(5);
    expect(told.filter((text) => text.startsWith("Too many failed login attempts")).length).toBe(7);
    expect(await shown(server.send("POST /auth/login", { json: { email, password } }))).toStartWith("429");
    expect(await shown(server.send("POST /auth/login", { json: { email: ADMIN_EMAIL, password: "x" } }))).toStartWith(
      "401",
    );
  });
});
