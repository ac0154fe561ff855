// Accounts over REST, as each kind of caller meets them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { openPrincipal, type Principal } from "../../src/access/principal.ts";
import { globalId } from "../../src/kernel/ids.ts";
import type { UserBody } from "../../src/modules/accounts/users/user-bodies.schema.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { keyOf, signedIn } from "../support/principals.ts";

forEachDriver("users over REST", (driver) => {
  let api: TestApi;
  let principal: Principal = openPrincipal;
  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase(), { resolvePrincipal: () => principal });
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    principal = openPrincipal;
    const database = api.stored.storage.handle.write(api.context());
    await database.deleteFrom("users").where("username", "not in", ["admin", "system"]).execute();
  });

  const local = {
    auth_method: "LOCAL",
    email: "Ann@Example.com ",
    username: " Ann ",
    role: "MEMBER",
    password: "abcd",
  };
  const create = (user: object = {}, rest: object = { send_welcome_email: false }) =>
    send(api.server, "POST /v1/users", { json: { user: { ...local, ...user }, ...rest } });
  const bodyOf = async (response: Response) => ((await response.json()) as { data: UserBody }).data;
  const answer = async (response: Response) => `${response.status} ${await response.text()}`;
  const find = async (username: string) => (await api.accounts.users.findUser(api.context(), { username }))!;
  const list = async (query = "") =>
    (await (await send(api.server, `GET /v1/users${query}`)).json()) as {
      data: UserBody[];
      next_cursor: string | null;
    };

  describe("POST /v1/users", () => {
    test("answers 201 with the account and nothing of its password", async () => {
      const response = await create();
      expect(response.status).toBe(201);
      const user = await bodyOf(response);
      expect(user).toEqual({
        id: globalId("User", (await find("Ann")).id),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.+\+00:00$/),
        updated_at: user.created_at,
        email: "ann@example.com",
        username: "Ann",
        role: "MEMBER",
        auth_method: "LOCAL",
        password_needs_reset: true,
      });
      expect(await api.accounts.userChanges.findByPassword(api.context(), "ann@example.com", "abcd")).not.toBeNull();
    });

    test("blanks around a password are no part of it; without one it is random", async () => {
      await create({ password: "  abcd  " });
      const context = api.context();
      expect(await api.accounts.userChanges.findByPassword(context, "ann@example.com", "abcd")).not.toBeNull();
      expect((await create({ email: "b@example.com", username: "b", password: undefined })).status).toBe(201);
      expect((await create({ email: "c@example.com", username: "c", password: "" })).status).toBe(201);
      expect(await answer(await create({ email: "d@example.com", username: "d", password: "   " }))).toBe(
        "422 Password must not contain whitespace characters",
      );
    });

    test("accounts of providers have their own members and no password", async () => {
      const oauth = { auth_method: "OAUTH2", oauth2_client_id: "c", oauth2_user_id: "u", password: "ignored" };
      expect(await bodyOf(await create(oauth))).toEqual({
        id: expect.any(String),
        created_at: expect.any(String),
        updated_at: expect.any(String),
        email: "ann@example.com",
        username: "Ann",
        role: "MEMBER",
        auth_method: "OAUTH2",
        oauth2_client_id: "c",
        oauth2_user_id: "u",
      });
      expect(await answer(await create({ ...oauth, email: "b@example.com", username: "b" }))).toBe(
        "409 Failed to create user due to a conflict with existing data",
      );
      const ldap = await bodyOf(await create({ auth_method: "LDAP", email: "l@example.com", username: "l" }));
      expect(Object.keys(ldap).sort()).toEqual([
        "auth_method",
        "created_at",
        "email",
        "id",
        "role",
        "updated_at",
        "username",
      ]);
    });

    test("roles are taken in any letter case and answered in upper case", async () => {
      expect((await bodyOf(await create({ role: "viewer" }))).role).toBe("VIEWER");
      expect(await answer(await create({ role: "system" }))).toBe("400 Cannot create users with SYSTEM role");
    });

    test("refuses with one line of text what breaks a rule", async () => {
      await create();
      const other = { email: "b@example.com", username: "b" };
      for (const [user, expected] of [
        [{ email: "b@example.com" }, "409 Username already exists"],
        [{ username: "b" }, "409 Email already exists"],
        [{ ...other, email: "b@example" }, "422 Invalid email address"],
        [{ ...other, username: " " }, "422 Username must not be empty"],
        [{ ...other, password: "abc" }, "422 Password must be at least 4 characters long"],
      ] as const) {
        expect(await answer(await create(user))).toBe(expected);
      }
    });

    test("names every violation of the schema, without what was sent", async () => {
      const detail = async (json: unknown) => {
        const response = await send(api.server, "POST /v1/users", { json });
        const text = await response.text();
        expect([response.status, text.includes("swordfish")]).toEqual([422, false]);
        return (JSON.parse(text) as { detail: { type: string; loc: unknown[] }[] }).detail.map(
          ({ type, loc }) => `${type} ${loc.join(".")}`,
        );
      };
      expect(await detail({})).toEqual(["missing body.user"]);
      expect(await detail({ user: "swordfish" })).toEqual(["model_attributes_type body.user"]);
      expect(await detail({ user: { email: "a@b.co", password: "swordfish" } })).toEqual([
        "union_tag_not_found body.user",
      ]);
      expect(await detail({ user: { ...local, auth_method: "SAML" } })).toEqual(["union_tag_invalid body.user"]);
      expect(
        await detail({ user: { auth_method: "LOCAL", role: "OWNER", username: 1, password: null, hint: "swordfish" } }),
      ).toEqual([
        "missing body.user.LOCAL.email",
        "string_type body.user.LOCAL.username",
        "enum body.user.LOCAL.role",
        "string_type body.user.LOCAL.password",
      ]);
      expect(await detail({ user: local, send_welcome_email: "maybe" })).toEqual([
        "bool_parsing body.send_welcome_email",
      ]);
    });
  });

  describe("GET /v1/users", () => {
    test("is newest first, with the system account, page by page", async () => {
      for (const name of ["a", "b", "c"]) await create({ username: name, email: `${name}@example.com` });
      const all = await list();
      expect(all.data.map(({ username }) => username)).toEqual(["c", "b", "a", "admin", "system"]);
      expect(all.next_cursor).toBeNull();
      expect(JSON.stringify(all)).not.toMatch(/argon2|hash/);
      const first = await list("?limit=2");
      expect(first.next_cursor).toBe(all.data[2]!.id);
      const second = await list(`?limit=2&cursor=${first.next_cursor}`);
      expect(second.data.map(({ username }) => username)).toEqual(["a", "admin"]);
    });

    test("refuses invalid cursors and limits", async () => {
      expect(await answer(await send(api.server, "GET /v1/users?cursor=nonsense"))).toBe(
        "422 Invalid cursor format: nonsense",
      );
      expect((await send(api.server, "GET /v1/users?limit=0")).status).toBe(422);
    });
  });

  describe("GET /v1/user", () => {
    const viewer = async (as: Principal) => {
      principal = as;
      return send(api.server, "GET /v1/user");
    };

    test("is anonymous while authentication is off", async () => {
      expect(await (await viewer(openPrincipal)).json()).toEqual({ data: { auth_method: "ANONYMOUS" } });
    });

    test("is the caller's account; the system account for its keys and the admin secret", async () => {
      await create({ role: "VIEWER" });
      const { id } = await find("Ann");
      for (const as of [signedIn(id, "VIEWER"), keyOf(id, "VIEWER")]) {
        expect(await bodyOf(await viewer(as))).toMatchObject({ username: "Ann", email: "ann@example.com" });
      }
      const system = (await find("system")).id;
      for (const kind of ["system", "admin_secret"] as const) {
        expect(await bodyOf(await viewer({ kind, userId: system }))).toMatchObject({ role: "SYSTEM" });
      }
    });

    test("is allowed to whoever must choose a new password, and nothing else is", async () => {
      const { id } = await find("admin");
      const restricted = { ...signedIn(id, "ADMIN"), mustChangePassword: true };
      expect(await bodyOf(await viewer(restricted))).toMatchObject({ password_needs_reset: true });
      expect(await answer(await send(api.server, "GET /v1/users"))).toBe("403 Password reset required");
    });

    test("is 401 without a credential, and when the account is gone", async () => {
      expect(await answer(await viewer({ kind: "anonymous" }))).toBe("401 Invalid token");
      expect(await answer(await viewer(signedIn(999_999, "ADMIN")))).toBe("401 User not found");
    });
  });

  describe("DELETE /v1/users/{user_id}", () => {
    const remove = (id: string) => send(api.server, `DELETE /v1/users/${id}`);

    test("deletes once, the caller's own account too", async () => {
      const { id } = await bodyOf(await create({ role: "ADMIN" }));
      principal = signedIn((await find("Ann")).id, "ADMIN");
      expect(await answer(await remove(id))).toBe("204 ");
      principal = openPrincipal;
      expect(await answer(await remove(id))).toBe("404 User not found");
    });

    test("refuses reserved accounts and ids of other things", async () => {
      for (const name of ["admin", "system"]) {
        const id = globalId("User", (await find(name)).id);
        expect(await answer(await remove(id))).toBe("403 Cannot delete the default admin or system user");
      }
      for (const id of ["1", "nonsense", globalId("Project", 1)]) {
        expect(await answer(await remove(id))).toBe(`422 Invalid User GlobalID format: ${id}`);
      }
      for (const number of [999_999, 2 ** 31, -1]) {
        expect((await remove(globalId("User", number))).status).toBe(404);
      }
    });
  });

  test("members and viewers neither list, create nor delete", async () => {
    await create();
    const { id } = await find("Ann");
    const calls = ["GET /v1/users", "POST /v1/users", `DELETE /v1/users/${globalId("User", id)}`];
    for (const [as, refusal] of [
      [signedIn(id, "MEMBER"), "Only admin or system users can perform this action."],
      [{ kind: "system", userId: (await find("system")).id }, "Only admin or system users can perform this action."],
      [keyOf(id, "VIEWER"), null],
    ] as const) {
      principal = as;
      for (const line of calls) {
        const method = line.split(" ")[0];
        const expected =
          refusal ??
          (method === "GET"
            ? "Only admin or system users can perform this action."
            : "Viewers cannot perform this action.");
        expect(await answer(await send(api.server, line, method === "POST" ? { json: {} } : {}))).toBe(
          `403 ${expected}`,
        );
      }
    }
  });

  test("basic auth that is disabled forbids local accounts and nothing else", async () => {
    const without = await openTestApi(await driver.createDatabase(), { accounts: { basicAuthDisabled: true } });
    const post = (user: object) => send(without.server, "POST /v1/users", { json: { user } });
    expect(await answer(await post(local))).toBe("403 Basic auth is disabled: OAuth2 authentication only");
    expect((await post({ ...local, auth_method: "OAUTH2" })).status).toBe(201);
    await without.close();
  });
});
