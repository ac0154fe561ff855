// What becomes of sign-ins and keys when an account changes (docs/protocol/authentication.md#tokens), by real
// sign-ins on both databases.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { globalId } from "../../src/kernel/ids.ts";
import { forEachDriver } from "../support/drivers.ts";
import {
  ACCESS,
  ADMIN_EMAIL,
  ADMIN_SECRET,
  addUser,
  type Cookies,
  cookiesOf,
  openSignInServer,
  type SentRequest,
  type SignInServer,
  shown,
  signIn,
} from "../support/sign-in.ts";
import { until } from "../support/until.ts";

const PATCH_VIEWER = "mutation ($input: PatchViewerInput!) { patchViewer(input: $input) { user { id } } }";
const PATCH_USER = "mutation ($input: PatchUserInput!) { patchUser(input: $input) { user { id } } }";
const DELETE_USERS = "mutation ($input: DeleteUsersInput!) { deleteUsers(input: $input) { userIds } }";

forEachDriver("changes of accounts and their credentials", (driver) => {
  let server: SignInServer;
  /** Another server over the same database. */
  let other: SignInServer;
  let admin: Cookies;
  beforeAll(async () => {
    const url = await driver.createDatabase();
    server = await openSignInServer(url);
    other = await openSignInServer(url);
    admin = await signIn(server);
  });
  afterAll(async () => {
    await other.close();
    await server.close();
  });

  const mutate = (query: string, input: object, init: SentRequest = { cookies: admin }) =>
    server.send("POST /graphql", { ...init, json: { query, variables: { input } } });
  const message = async (answer: Promise<Response>) => {
    const { errors } = (await (await answer).json()) as { errors?: { message: string }[] };
    return errors?.[0]?.message ?? "done";
  };
  const status = async (init: SentRequest, at = server) => (await at.send("GET /v1/user", init)).status;
  const makeKey = async (cookies: Cookies) => {
    const answer = await server.send("POST /v1/user/api_keys", { cookies, json: { data: { name: "key" } } });
    return ((await answer.json()) as { data: { key: string } }).data.key;
  };

  describe("one's own new password", () => {
    test("takes the cookies back and ends every sign-in; keys go on", async () => {
      const { email, password } = await addUser(server, "Own", "MEMBER");
      const [one, elsewhere] = [await signIn(server, email, password), await signIn(other, email, password)];
      const key = await makeKey(one);
      const input = { newPassword: "another", currentPassword: password };
      const answer = await mutate(PATCH_VIEWER, input, { cookies: one });
      expect(cookiesOf(answer)[ACCESS]).toBe('""');
      expect(await message(Promise.resolve(answer))).toBe("done");
      expect(await Promise.all([status({ cookies: one }), status({ cookies: elsewhere })])).toEqual([401, 401]);
      await until(async () => (await status({ cookies: elsewhere }, other)) === 401);
      expect(await status({ bearer: key })).toBe(200);
      expect(await shown(server.send("POST /auth/refresh", { cookies: one }))).toBe("401 Invalid refresh token");
      expect(await shown(server.send("POST /auth/login", { json: { email, password } }))).toBe(
        "401 Invalid email and/or password",
      );
      await signIn(server, email, "another");
    });

    test("wrong current passwords count: the fifth locks the account, at the login too", async () => {
      const { email, password } = await addUser(server, "Guesser", "MEMBER");
      const cookies = await signIn(server, email, password);
      const guess = (currentPassword: string) =>
        message(mutate(PATCH_VIEWER, { newPassword: "another", currentPassword }, { cookies }));
      for (let attempt = 0; attempt < 5; attempt++) {
        expect(await guess("wrong")).toBe("Valid current password is required to modify password");
      }
      const locked = "Too many failed login attempts. Please try again later.";
      expect(await guess(password)).toBe(locked);
      expect(await shown(other.send("POST /auth/login", { json: { email, password } }))).toBe(`429 ${locked}`);
    });

    test("a new name ends nothing", async () => {
      const { email, password } = await addUser(server, "Renamed", "VIEWER");
      const cookies = await signIn(server, email, password);
      const answer = await mutate(PATCH_VIEWER, { newUsername: "Renamed at last" }, { cookies });
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
      expect(await status({ cookies })).toBe(200);
    });
  });

  test("no way of giving a password takes the old or the documented one", async () => {
    const OLD = "Password must differ from the current one";
    const KNOWN = "Password must not be the one that the documentation names";
    const { id, email, password } = await addUser(server, "Choosing", "MEMBER");
    const cookies = await signIn(server, email, password);
    const own = (newPassword: string) =>
      message(mutate(PATCH_VIEWER, { newPassword, currentPassword: password }, { cookies }));
    const given = (newPassword: string) => message(mutate(PATCH_USER, { userId: globalId("User", id), newPassword }));
    for (const set of [own, given]) expect([await set(password), await set("admin")]).toEqual([OLD, KNOWN]);
    const user = { auth_method: "LOCAL", email: "new@example.com", username: "New", role: "MEMBER", password: "admin" };
    expect(await shown(server.send("POST /v1/users", { cookies: admin, json: { user } }))).toBe(`422 ${KNOWN}`);
    const created = { email: "new@example.com", username: "New", role: "MEMBER", password: "admin" };
    const create = "mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id } } }";
    expect(await message(mutate(create, created))).toBe(KNOWN);
    expect(await status({ cookies })).toBe(200);
  });

  describe("an administrator's change", () => {
    test("of the role ends the sign-ins; keys act in the new role at once", async () => {
      const { id, email, password } = await addUser(server, "Promoted", "VIEWER");
      const cookies = await signIn(server, email, password);
      const key = await makeKey(cookies);
      const create = (name: string) => server.send("POST /v1/projects", { bearer: key, json: { name } });
      expect(await shown(create("by-viewer"))).toBe("403 Viewers cannot perform this action.");
      expect(await message(mutate(PATCH_USER, { userId: globalId("User", id), newRole: "MEMBER" }))).toBe("done");
      expect(await status({ cookies })).toBe(401);
      expect((await create("by-member")).status).toBe(200);
    });

    test("of the password ends the sign-ins; the new one works and is asked to be changed", async () => {
      const { id, email, password } = await addUser(server, "Reset", "MEMBER");
      const cookies = await signIn(server, email, password);
      expect(await message(mutate(PATCH_USER, { userId: globalId("User", id), newPassword: "by-admin" }))).toBe("done");
      expect(await status({ cookies })).toBe(401);
      const again = await server.send("GET /v1/user", { cookies: await signIn(server, email, "by-admin") });
      expect(await again.json()).toMatchObject({ data: { password_needs_reset: true } });
    });

    test("of one's own role and that of the default admin is refused", async () => {
      const { id, email, password } = await addUser(server, "Second", "ADMIN");
      const cookies = await signIn(server, email, password);
      const own = { userId: globalId("User", id), newRole: "MEMBER" };
      expect(await message(mutate(PATCH_USER, own, { cookies }))).toBe("Cannot modify own role");
      const first = await server.signIns.accounts.users.findUser(server.context(), { email: ADMIN_EMAIL });
      const defaultAdmin = { userId: globalId("User", first!.id), newRole: "MEMBER" };
      expect(await message(mutate(PATCH_USER, defaultAdmin, { cookies }))).toContain("role");
      expect(await status({ cookies })).toBe(200);
    });
  });

  describe("deletion", () => {
    for (const way of ["REST", "GraphQL"] as const) {
      test(`over ${way} kills sign-ins and keys at once here, and soon on every other server`, async () => {
        const { id, email, password } = await addUser(server, `Deleted-by-${way}`, "MEMBER");
        const cookies = await signIn(server, email, password);
        const key = await makeKey(cookies);
        expect(await status({ bearer: key }, other)).toBe(200);
        const userId = globalId("User", id);
        if (way === "REST") {
          expect(await shown(server.send(`DELETE /v1/users/${userId}`, { cookies: admin }))).toBe("204");
        } else {
          expect(await message(mutate(DELETE_USERS, { userIds: [userId] }))).toBe("done");
        }
        expect(await Promise.all([status({ cookies }), status({ bearer: key })])).toEqual([401, 401]);
        await until(async () => (await status({ bearer: key }, other)) === 401);
        expect((await server.send("POST /auth/login", { json: { email, password } })).status).toBe(401);
      });
    }

    test("leaves system keys, whoever made them", async () => {
      const { id, email, password } = await addUser(server, "Maker", "ADMIN");
      const cookies = await signIn(server, email, password);
      const made = await server.send("POST /v1/system/api_keys", { cookies, json: { data: { name: "ci" } } });
      const { key } = ((await made.json()) as { data: { key: string } }).data;
      await server.send(`DELETE /v1/users/${globalId("User", id)}`, { bearer: ADMIN_SECRET });
      expect(await status({ cookies })).toBe(401);
      expect(await status({ bearer: key })).toBe(200);
      expect((await server.send("GET /v1/users", { bearer: key })).status).toBe(403);
    });
  });

  test("a sign-in and a renewal that meet a change of the password do not outlive it", async () => {
    // One process cannot be two writers of one SQLite file: each would wait for the other without letting it go on.
    const elsewhere = driver.name === "sqlite" ? server : other;
    for (let round = 0; round < 15; round++) {
      const { id, email, password } = await addUser(server, `Racer${round}`, "MEMBER");
      const first = await signIn(server, email, password);
      const [changed, ...answers] = await Promise.all([
        message(mutate(PATCH_USER, { userId: globalId("User", id), newPassword: "by-admin" })),
        server.send("POST /auth/login", { json: { email, password } }),
        elsewhere.send("POST /auth/login", { json: { email, password } }),
        elsewhere.send("POST /auth/refresh", { cookies: first }),
      ]);
      expect(changed).toBe("done");
      for (const answer of answers) {
        if (answer.status !== 204) continue;
        const cookies = cookiesOf(answer);
        await until(async () => (await status({ cookies }, other)) === 401);
        expect((await server.send("POST /auth/refresh", { cookies })).status).toBe(401);
      }
    }
  });
});
