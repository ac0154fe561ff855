// Accounts over GraphQL: what each kind of caller sees and may change, in the words that programs know.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { openPrincipal, type Principal } from "../../src/access/principal.ts";
import { globalId } from "../../src/kernel/ids.ts";
import type { User } from "../../src/modules/accounts/users/users.schema.ts";
import { wanted } from "../support/accounts.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askGraphql, askRefusal } from "../support/graphql.ts";
import { startMailServer, type TestMailServer } from "../support/mail-server.ts";
import { keyOf, restricted, signedIn } from "../support/principals.ts";

const CREATE = "mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id username email } } }";
const PATCH = "mutation ($input: PatchUserInput!) { patchUser(input: $input) { user { id username role { name } } } }";
const PATCH_VIEWER = "mutation ($input: PatchViewerInput!) { patchViewer(input: $input) { user { id username } } }";
const DELETE = "mutation ($input: DeleteUsersInput!) { deleteUsers(input: $input) { userIds } }";
const ADMIN_ONLY = "UNAUTHORIZED Only admin can perform this action";
const VIEWER_WRITE = "UNAUTHORIZED Viewers cannot perform this action";

forEachDriver("users over GraphQL", (driver) => {
  let api: TestApi;
  let principal: Principal = openPrincipal;
  let isLocked = false;
  let admin: User;
  let system: User;
  let mailServer: TestMailServer;
  beforeAll(async () => {
    mailServer = await startMailServer();
    api = await openTestApi(await driver.createDatabase(), {
      variables: mailServer.variables,
      resolvePrincipal: () => principal,
      isStorageLocked: () => isLocked,
      accounts: { admins: [{ username: "Boss", email: "boss@example.com" }] },
    });
    admin = (await api.accounts.users.findUser(api.context(), { username: "admin" }))!;
    system = (await api.accounts.users.findUser(api.context(), { role: "SYSTEM" }))!;
  });
  afterAll(async () => {
    await api.close();
    await mailServer.close();
  });
  beforeEach(async () => {
    principal = signedIn(admin.id, "ADMIN");
    isLocked = false;
    const database = api.stored.storage.handle.write(api.context());
    await database.deleteFrom("users").where("username", "not in", ["admin", "system", "Boss"]).execute();
  });

  const make = (changes: Parameters<typeof wanted>[0] = {}) =>
    api.accounts.users.createUser(api.context(), wanted(changes));
  const idOf = ({ id }: User) => globalId("User", id);
  const find = (username: string) => api.accounts.users.findUser(api.context(), { username });
  const refused = (query: string, input: object) => askRefusal(api, query, { input });

  test("a role is found by its id", async () => {
    const { userRoles } = await askData<{ userRoles: { id: string; name: string }[] }>(
      api,
      "{ userRoles { id name } }",
    );
    expect(userRoles.map(({ name }) => name)).toEqual(["ADMIN", "MEMBER", "VIEWER"]);
    for (const role of userRoles) {
      const found = "query ($id: ID!) { node(id: $id) { __typename id ... on UserRole { name } } }";
      expect(await askData<object>(api, found, { id: role.id })).toEqual({ node: { __typename: "UserRole", ...role } });
    }
  });

  describe("viewer", () => {
    const VIEWER = "{ viewer { id email username role { id name } authMethod passwordNeedsReset isManagementUser } }";

    test("is the caller, whatever the role, and nobody without authentication", async () => {
      const ann = await make({ role: "VIEWER" });
      principal = keyOf(ann.id, "VIEWER");
      expect(await askData<unknown>(api, VIEWER)).toEqual({
        viewer: {
          id: idOf(ann),
          email: "ann@example.com",
          username: "Ann",
          role: { id: globalId("UserRole", 4), name: "VIEWER" },
          authMethod: "LOCAL",
          passwordNeedsReset: true,
          isManagementUser: false,
        },
      });
      principal = openPrincipal;
      expect(await askData<unknown>(api, VIEWER)).toEqual({ viewer: null });
    });

    test("is the system account for a system key, and shows who the management link is for", async () => {
      principal = { kind: "system", userId: system.id };
      expect(await askData<unknown>(api, "{ viewer { id role { name } } }")).toEqual({
        viewer: { id: idOf(system), role: { name: "SYSTEM" } },
      });
      const boss = (await find("Boss"))!;
      principal = signedIn(boss.id, "ADMIN");
      expect(await askData<unknown>(api, "{ viewer { isManagementUser } }")).toEqual({
        viewer: { isManagementUser: true },
      });
    });

    test("is all that may be asked before a documented password is changed", async () => {
      principal = restricted(admin.id, "ADMIN");
      expect(await askData<unknown>(api, "{ viewer { passwordNeedsReset } }")).toEqual({
        viewer: { passwordNeedsReset: true },
      });
      for (const query of ["{ users { edges { node { id } } } }", "{ viewer { id } projectCount }"]) {
        const response = await send(api.server, "POST /graphql", { json: { query } });
        expect([response.status, await response.text()]).toEqual([403, "Password reset required"]);
      }
    });
  });

  describe("users", () => {
    const USERS =
      "query ($first: Int, $after: String) { users(first: $first, after: $after) { edges { node { email } } pageInfo { hasNextPage endCursor } } }";

    test("are everybody but the system account, by address, page by page", async () => {
      await make({ username: "z", email: "a@example.com" });
      await make({ username: "b", email: "b@example.com" });
      type Page = {
        users: { edges: { node: { email: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
      };
      const first = (await askData<Page>(api, USERS, { first: 2 })).users;
      expect(first.edges.map(({ node }) => node.email)).toEqual(["a@example.com", "admin@localhost"]);
      const second = (await askData<Page>(api, USERS, { first: 1000, after: first.pageInfo.endCursor })).users;
      expect(second.edges.map(({ node }) => node.email)).toEqual(["b@example.com", "boss@example.com"]);
      expect(second.pageInfo.hasNextPage).toBeFalse();
    });

    test("are for administrators only, and for nobody without authentication", async () => {
      const ann = await make();
      for (const as of [
        openPrincipal,
        signedIn(ann.id, "MEMBER"),
        keyOf(ann.id, "VIEWER"),
        { kind: "system", userId: system.id },
      ] as const) {
        principal = as;
        expect(await askRefusal(api, USERS)).toBe(ADMIN_ONLY);
      }
      principal = { kind: "admin_secret", userId: system.id };
      expect(await askRefusal(api, USERS)).toBe("none");
    });
  });

  describe("node", () => {
    const NODE = "query ($id: ID!) { node(id: $id) { __typename ... on User { email } } }";

    test("shows oneself to everybody, others to administrators alone", async () => {
      const ann = await make();
      const bob = await make({ username: "Bob", email: "bob@example.com" });
      principal = signedIn(ann.id, "MEMBER");
      expect(await askData<unknown>(api, NODE, { id: idOf(ann) })).toEqual({
        node: { __typename: "User", email: "ann@example.com" },
      });
      for (const id of [idOf(bob), idOf(system), globalId("User", 999_999)]) {
        expect(await askRefusal(api, NODE, { id })).toBe(ADMIN_ONLY);
      }
      principal = signedIn(admin.id, "ADMIN");
      expect(await askData<unknown>(api, NODE, { id: idOf(bob) })).toMatchObject({
        node: { email: "bob@example.com" },
      });
      expect(await askRefusal(api, NODE, { id: globalId("User", 999_999) })).toStartWith("NOT_FOUND");
      principal = openPrincipal;
      expect(await askRefusal(api, NODE, { id: idOf(bob) })).toStartWith("NOT_FOUND");
    });
  });

  test("addresses of others are null to those who are no administrators", async () => {
    const ann = await make({ role: "ADMIN" });
    const bob = await make({ username: "Bob", email: "bob@example.com" });
    await api.secrets.changeSecrets(api.context(), [{ key: "SHARED", value: "value" }]);
    const owned = async (user: User) => {
      const database = api.stored.storage.handle.write(api.context());
      await database.updateTable("secrets").set({ user_id: user.id }).execute();
      const found = await askData<{ secrets: { edges: { node: { user: unknown } }[] } }>(
        api,
        "{ secrets { edges { node { user { username email } } } } }",
      );
      return found.secrets.edges[0]!.node.user;
    };
    principal = signedIn(bob.id, "MEMBER");
    expect(await owned(ann)).toEqual({ username: "Ann", email: null });
    expect(await owned(bob)).toEqual({ username: "Bob", email: "bob@example.com" });
    principal = { kind: "system", userId: system.id };
    expect(await owned(ann)).toEqual({ username: "Ann", email: null });
    principal = keyOf(ann.id, "ADMIN");
    expect(await owned(bob)).toEqual({ username: "Bob", email: "bob@example.com" });
  });

  describe("createUser", () => {
    const input = { email: " Ann@Example.com", username: "Ann", role: "MEMBER", password: "abcd" };

    test("makes the account and answers with what REST and node call it", async () => {
      const made = await askData<{ createUser: { user: { id: string; email: string } } }>(api, CREATE, { input });
      expect(made.createUser.user).toEqual({
        id: idOf((await find("Ann"))!),
        email: "ann@example.com",
        username: "Ann",
      } as never);
      expect(mailServer.mails).toEqual([]);
      const other = { ...input, username: "Bob", email: "bob@example.com", sendWelcomeEmail: true };
      await askData(api, CREATE, { input: other });
      expect(mailServer.mails.map(({ to }) => to)).toEqual([["bob@example.com"]]);
    });

    test("says what is wrong", async () => {
      await make();
      const other = { ...input, email: "b@example.com", username: "b" };
      for (const [sent, expected] of [
        [{ ...other, username: "Ann" }, "CONFLICT Username already exists"],
        [{ ...other, email: "ANN@example.com" }, "CONFLICT Email already exists"],
        [{ ...other, password: "abc" }, "BAD_REQUEST Password must be at least 4 characters long"],
        [{ ...other, password: " abcd" }, "BAD_REQUEST Password must not contain whitespace characters"],
        [{ ...other, password: null }, "BAD_REQUEST Password is required for local authentication"],
        [{ ...other, password: "" }, "BAD_REQUEST Password is required for local authentication"],
        [{ ...other, authMethod: "LDAP" }, "BAD_REQUEST Password is not allowed for LDAP authentication"],
        [{ ...other, authMethod: "OAUTH2" }, "BAD_REQUEST Password is not allowed for OAuth2 authentication"],
        [{ ...other, email: "b" }, "BAD_REQUEST Invalid email address"],
        [{ ...other, username: " " }, "BAD_REQUEST Username must not be empty"],
      ] as const) {
        expect(await refused(CREATE, sent)).toBe(expected);
      }
      expect(await refused(CREATE, { ...other, role: "SYSTEM" })).toContain('"SYSTEM"');
      expect(await find("b")).toBeNull();
      expect(await refused(CREATE, { ...other, authMethod: "LDAP", password: "" })).toBe("none");
    });
  });

  describe("patchUser", () => {
    test("changes role, name and password", async () => {
      const ann = await make();
      const input = { userId: idOf(ann), newRole: "VIEWER", newUsername: "Anna", newPassword: "efgh" };
      expect(await askData<unknown>(api, PATCH, { input })).toEqual({
        patchUser: { user: { id: idOf(ann), username: "Anna", role: { name: "VIEWER" } } },
      });
      expect(await api.accounts.userChanges.findByPassword(api.context(), "ann@example.com", "efgh")).not.toBeNull();
    });

    test("says what is wrong; that nothing is to be changed even before the caller's rights", async () => {
      const ann = await make();
      const boss = (await find("Boss"))!;
      expect(await refused(PATCH, { userId: idOf(admin), newRole: "MEMBER" })).toBe(
        "BAD_REQUEST Cannot modify role for the default admin user",
      );
      expect(await refused(PATCH, { userId: idOf(system), newUsername: "x" })).toBe(
        "BAD_REQUEST Cannot modify the system user",
      );
      expect(await refused(PATCH, { userId: globalId("User", 999_999), newRole: "MEMBER" })).toBe(
        "NOT_FOUND User not found",
      );
      expect(await refused(PATCH, { userId: globalId("Project", 1), newRole: "MEMBER" })).toStartWith("BAD_REQUEST");
      principal = signedIn(boss.id, "ADMIN");
      expect(await refused(PATCH, { userId: idOf(boss), newRole: "MEMBER" })).toBe(
        "BAD_REQUEST Cannot modify own role",
      );
      principal = signedIn(ann.id, "VIEWER");
      expect(await refused(PATCH, { userId: idOf(ann), newRole: null, newPassword: "" })).toBe(
        "BAD_REQUEST At least one field must be set",
      );
    });
  });

  describe("patchViewer", () => {
    test("changes one's own name, for every role", async () => {
      const ann = await make({ role: "VIEWER" });
      principal = signedIn(ann.id, "VIEWER");
      expect(await askData<unknown>(api, PATCH_VIEWER, { input: { newUsername: "Anna" } })).toEqual({
        patchViewer: { user: { id: idOf(ann), username: "Anna" } },
      });
    });

    test("changes one's own password against the current one", async () => {
      const ann = await make();
      principal = signedIn(ann.id, "MEMBER");
      expect(await refused(PATCH_VIEWER, { newPassword: "efgh" })).toBe(
        "BAD_REQUEST current_password is required when modifying password",
      );
      expect(await refused(PATCH_VIEWER, { newPassword: "efgh", currentPassword: "wrong" })).toBe(
        "BAD_REQUEST Valid current password is required to modify password",
      );
      expect(await refused(PATCH_VIEWER, { newPassword: "e", currentPassword: "abcd" })).toBe(
        "BAD_REQUEST Password must be at least 4 characters long",
      );
      expect(await refused(PATCH_VIEWER, { newPassword: "efgh", currentPassword: "abcd" })).toBe("none");
      expect((await find("Ann"))?.passwordChange).toBe("none");
    });

    test("is the way out for whoever must change a documented password", async () => {
      await api.accounts.userChanges.changeUser(api.context(), admin.id, {
        role: null,
        username: null,
        password: "abcd",
      });
      principal = restricted(admin.id, "ADMIN");
      expect(await refused(PATCH_VIEWER, { newPassword: "efgh", currentPassword: "abcd" })).toBe("none");
    });

    test("asks for something to change, of a person", async () => {
      expect(await refused(PATCH_VIEWER, { currentPassword: "abcd" })).toBe(
        "BAD_REQUEST At least one field must be set",
      );
      const oli = await make({ authMethod: "OAUTH2", password: null });
      principal = signedIn(oli.id, "MEMBER");
      expect(await refused(PATCH_VIEWER, { newPassword: "efgh", currentPassword: "abcd" })).toBe(
        "BAD_REQUEST Cannot modify password for non-local user",
      );
      for (const [as, code] of [
        [openPrincipal, "BAD_REQUEST"],
        [{ kind: "system", userId: system.id }, "UNAUTHORIZED"],
      ] as const) {
        principal = as;
        expect(await refused(PATCH_VIEWER, { newUsername: "x" })).toBe(
          `${code} Only a signed-in user can change a profile`,
        );
      }
    });
  });

  describe("deleteUsers", () => {
    test("deletes all and echoes their ids", async () => {
      const [ann, bob] = [await make(), await make({ username: "Bob", email: "bob@example.com" })];
      const userIds = [idOf(bob), idOf(ann)];
      expect(await askData<unknown>(api, DELETE, { input: { userIds } })).toEqual({ deleteUsers: { userIds } });
      expect([await find("Ann"), await find("Bob")]).toEqual([null, null]);
    });

    test("deletes none when one cannot go", async () => {
      const ann = await make();
      const deleting = (id: string) => refused(DELETE, { userIds: [idOf(ann), id] });
      expect(await deleting(idOf(admin))).toBe("CONFLICT Cannot delete the default admin user");
      expect(await deleting(idOf(system))).toBe("NOT_FOUND Some user IDs could not be found");
      expect(await deleting(globalId("User", 999_999))).toBe("NOT_FOUND Some user IDs could not be found");
      const project = globalId("Project", 1);
      expect(await deleting(project)).toBe(`BAD_REQUEST Invalid user ID: '${project}'`);
      expect(await deleting("nonsense")).toBe("BAD_REQUEST Invalid user ID: 'nonsense'");
      expect(await refused(DELETE, { userIds: [] })).toBe("BAD_REQUEST At least one user ID is required");
      expect(await find("Ann")).toEqual(ann);
    });
  });

  test("what administrators change nobody else does, nor anybody without authentication", async () => {
    const ann = await make();
    const calls: readonly (readonly [string, object])[] = [
      [CREATE, { email: "b@example.com", username: "b", role: "MEMBER", password: "abcd" }],
      [PATCH, { userId: idOf(ann), newRole: "ADMIN" }],
      [DELETE, { userIds: [idOf(ann)] }],
    ];
    for (const [as, refusal] of [
      [openPrincipal, ADMIN_ONLY],
      [signedIn(ann.id, "MEMBER"), ADMIN_ONLY],
      [{ kind: "system", userId: system.id }, ADMIN_ONLY],
      [signedIn(ann.id, "VIEWER"), VIEWER_WRITE],
      [keyOf(ann.id, "VIEWER"), VIEWER_WRITE],
    ] as const) {
      principal = as;
      for (const [mutation, input] of calls) expect(await refused(mutation, input)).toBe(refusal);
    }
    expect((await find("Ann"))?.role).toBe("MEMBER");
  });

  test("a locked storage stops making and deleting accounts, not changing them", async () => {
    const ann = await make();
    isLocked = true;
    const input = { email: "b@example.com", username: "b", role: "MEMBER", password: "abcd" };
    expect(await refused(CREATE, input)).toStartWith("INSUFFICIENT_STORAGE");
    expect(await refused(DELETE, { userIds: [idOf(ann)] })).toStartWith("INSUFFICIENT_STORAGE");
    expect(await refused(PATCH, { userId: idOf(ann), newUsername: "Anna" })).toBe("none");
    expect(await refused(PATCH_VIEWER, { newUsername: "root" })).toBe("none");
    await askData(api, PATCH_VIEWER, { input: { newUsername: "admin" } });
  });

  test("the roles that can be given are told to everybody", async () => {
    principal = openPrincipal;
    expect((await askGraphql(api, "{ userRoles { name } }")).data).toEqual({
      userRoles: [{ name: "ADMIN" }, { name: "MEMBER" }, { name: "VIEWER" }],
    });
  });
});
