// The use cases of accounts, on both databases.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { globalId } from "../../../../src/kernel/ids.ts";
import type { User } from "../../../../src/modules/accounts/users/users.schema.ts";
import {
  accountsOver,
  countCredentials,
  insertCredentials,
  type TestAccounts,
  wanted,
} from "../../../support/accounts.ts";
import { forEachDriver } from "../../../support/drivers.ts";
import { failureOf } from "../../../support/failures.ts";
import { keyOf, signedIn } from "../../../support/principals.ts";
import { openTestStorage, type TestStorage } from "../../../support/storage.ts";

forEachDriver("users", (driver) => {
  let stored: TestStorage;
  let accounts: TestAccounts;
  beforeAll(async () => {
    stored = await openTestStorage(await driver.createDatabase());
  });
  afterAll(() => stored.close());
  /** Every test has the accounts of a first start, and no other. */
  beforeEach(async () => {
    await stored.storage.handle.write(stored.context()).deleteFrom("users").execute();
    accounts = accountsOver(stored);
    await accounts.seeds.ensureSeedAccounts(stored.context());
  });

  const context = () => accounts.context();
  const create = (changes: Parameters<typeof wanted>[0] = {}) => accounts.users.createUser(context(), wanted(changes));
  const refusal = async (work: Promise<unknown>) => {
    const { kind, message } = await failureOf(work);
    return `${kind}: ${message}`;
  };
  const find = async (key: { username: string } | { role: "SYSTEM" }) => (await accounts.store.find(context(), key))!;

  describe("createUser", () => {
    test("stores the address normalised and the name trimmed; a local account must change its password", async () => {
      const user = await create({ email: "  Ann@Example.COM ", username: " Ann " });
      expect(user).toMatchObject({
        email: "ann@example.com",
        username: "Ann",
        role: "MEMBER",
        authMethod: "LOCAL",
        passwordChange: "asked",
      });
      expect(Object.keys(user)).not.toContain("passwordHash");
      expect((await accounts.changes.findByPassword(context(), "ANN@example.com", "abcd"))?.id).toBe(user.id);
    });

    test("refuses a taken name or address, the address in any letter case, names only in the same", async () => {
      await create();
      expect(await refusal(create({ email: "other@example.com" }))).toBe("conflict: Username already exists");
      expect(await refusal(create({ username: "Other", email: "ANN@example.com" }))).toBe(
        "conflict: Email already exists",
      );
      expect((await create({ username: "ann", email: "ann2@example.com" })).username).toBe("ann");
    });

    test("refuses an identity that belongs to another account", async () => {
      const identity = { authMethod: "OAUTH2", password: null, oauth2ClientId: "c", oauth2UserId: "u" } as const;
      expect(await create(identity)).toMatchObject({ oauth2ClientId: "c", oauth2UserId: "u", passwordChange: "none" });
      expect(await refusal(create({ ...identity, username: "B", email: "b@example.com" }))).toBe(
        "conflict: Failed to create user due to a conflict with existing data",
      );
      const empty = { ...identity, oauth2ClientId: "", oauth2UserId: "" };
      expect(await create({ ...empty, username: "C", email: "c@example.com" })).toMatchObject({ oauth2UserId: null });
      await create({ ...empty, username: "D", email: "d@example.com" });
    });

    test("refuses invalid addresses and names", async () => {
      for (const email of [
        "",
        "ann",
        "ann@example",
        "a b@example.com",
        "a@b@c.de",
        "ann@.de.",
        `${"a".repeat(320)}@b.co`,
      ]) {
        expect(await refusal(create({ email }))).toBe("invalid: Invalid email address");
      }
      expect(await refusal(create({ username: "  " }))).toBe("invalid: Username must not be empty");
      expect(await refusal(create({ username: "a\u0007b" }))).toBe(
        "invalid: Username must not contain control characters",
      );
      expect(await refusal(create({ username: "a".repeat(257) }))).toBe(
        "invalid: Username must be at most 256 characters long",
      );
      expect((await create({ username: "界".repeat(256) })).username.length).toBe(256);
    });

    test("asks for a password where one is needed and refuses it where it means nothing", async () => {
      expect(await refusal(create({ password: "" }))).toBe("invalid: Password is required for local authentication");
      expect(await refusal(create({ password: "abc" }))).toBe("invalid: Password must be at least 4 characters long");
      expect(await refusal(create({ authMethod: "LDAP" }))).toBe(
        "invalid: Password is not allowed for LDAP authentication",
      );
      expect(await refusal(create({ authMethod: "OAUTH2" }))).toBe(
        "invalid: Password is not allowed for OAuth2 authentication",
      );
      expect((await create({ authMethod: "LDAP", password: "" })).authMethod).toBe("LDAP");
    });

    test("with the strong policy wants more of a password", async () => {
      accounts = accountsOver(stored, { strongPasswords: true });
      expect(await refusal(create({ password: "Abcdefgh1234" }))).toBe(
        "invalid: Password at least one special character",
      );
      await create({ password: "Abcdefgh123!" });
    });

    test("makes no local account while basic auth is disabled", async () => {
      accounts = accountsOver(stored, { basicAuthDisabled: true });
      expect(await refusal(create({}))).toBe("forbidden: Basic auth is disabled: OAuth2 authentication only");
      await create({ authMethod: "OAUTH2", password: null });
    });

    test("welcomes whom it is told to, after the account is there", async () => {
      await create({ sendWelcome: true });
      await create({ username: "Bob", email: "bob@example.com" });
      await failureOf(create({ sendWelcome: true }));
      expect(accounts.welcomed.map(({ username }) => username)).toEqual(["Ann"]);
    });

    test("tells the log who did it, and no name, address or password", async () => {
      const admin = await find({ username: "admin" });
      const byAdmin = accounts.context(signedIn(admin.id, "ADMIN"));
      const user = await accounts.users.createUser(byAdmin, wanted({ password: "swordfish" }));
      const line = accounts.lines.find((text) => text.includes("user created"))!;
      expect(line).toContain(`user_id=${user.id} by_user_id=${admin.id}`);
      expect(accounts.lines.join("\n")).not.toMatch(/swordfish|ann@example/);
    });
  });

  describe("changeUser", () => {
    const change = (user: User, changes: Partial<Parameters<typeof accounts.changes.changeUser>[2]>, by = context()) =>
      accounts.changes.changeUser(by, user.id, { role: null, username: null, password: null, ...changes });

    test("a new role or password ends the sign-ins of the account, a new name does not; keys stay", async () => {
      const user = await create();
      const credentials = { refresh_tokens: 1, access_tokens: 1, password_reset_tokens: 1, api_keys: 1 };
      await insertCredentials(context(), user.id);
      await change(user, { username: " Anna " });
      expect(await countCredentials(context(), user.id)).toEqual(credentials);
      expect(accounts.invalidated).toEqual([]);
      expect(await change(user, { role: "ADMIN" })).toMatchObject({ role: "ADMIN", username: "Anna" });
      expect(await countCredentials(context(), user.id)).toMatchObject({
        refresh_tokens: 0,
        access_tokens: 0,
        api_keys: 1,
      });
      expect(accounts.invalidated).toEqual([user.id]);
      expect(await change(user, { password: "efgh" })).toMatchObject({ passwordChange: "asked" });
      expect(accounts.invalidated).toEqual([user.id, user.id]);
      expect(await accounts.changes.findByPassword(context(), "ann@example.com", "abcd")).toBeNull();
      expect(await accounts.changes.findByPassword(context(), "ann@example.com", "efgh")).not.toBeNull();
    });

    test("the role that somebody has already is no change", async () => {
      const user = await create();
      await change(user, { role: "MEMBER" });
      expect(accounts.invalidated).toEqual([]);
    });

    test("a password set by an administrator lifts the restriction of a documented one", async () => {
      const admin = await find({ username: "admin" });
      expect(await change(admin, { password: "efgh" })).toMatchObject({ passwordChange: "asked" });
    });

    test("nothing is changed when one part is refused", async () => {
      const user = await create();
      expect(await refusal(change(user, { role: "ADMIN", username: "admin" }))).toBe(
        "conflict: Username already exists",
      );
      expect(await refusal(change(user, { role: "ADMIN", password: "a" }))).toContain("Password must be at least 4");
      expect(await refusal(change(user, { role: "ADMIN", username: "" }))).toBe("invalid: Username must not be empty");
      expect(await find({ username: "Ann" })).toEqual(user);
    });

    test("two that take one name at once: one gets it, the other gets an error", async () => {
      const people = await Promise.all(
        ["a", "b", "c", "d"].map((name) => create({ username: name, email: `${name}@example.com` })),
      );
      const outcomes = await Promise.allSettled(people.map((user) => change(user, { username: "wanted" })));
      expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBe(1);
      for (const outcome of outcomes) {
        if (outcome.status === "rejected") expect(outcome.reason.message).toBe("Username already exists");
      }
    });

    test("protects the default admin's role, one's own role and the system account", async () => {
      const admin = await find({ username: "admin" });
      const other = await create({ role: "ADMIN" });
      const byOther = accounts.context(signedIn(other.id, "ADMIN"));
      expect(await refusal(change(admin, { role: "MEMBER" }, byOther))).toBe(
        "invalid: Cannot modify role for the default admin user",
      );
      expect(await refusal(change(other, { role: "MEMBER" }, byOther))).toBe("invalid: Cannot modify own role");
      expect(await change(other, { password: "efgh" }, byOther)).toMatchObject({ passwordChange: "asked" });
      const system = await find({ role: "SYSTEM" });
      for (const changes of [{ role: "ADMIN" }, { username: "x" }, { password: "efgh" }] as const) {
        expect(await refusal(change(system, changes, byOther))).toBe("invalid: Cannot modify the system user");
      }
      expect(await refusal(change({ ...other, id: 999_999 }, { role: "ADMIN" }))).toBe("not_found: User not found");
    });

    test("an account of an identity provider has no password here", async () => {
      const user = await create({ authMethod: "OAUTH2", password: null });
      expect(await refusal(change(user, { password: "efgh" }))).toBe(
        "invalid: Cannot modify password for non-local user",
      );
    });
  });

  describe("changeViewer", () => {
    const nothing = { username: null, password: null, currentPassword: null };

    test("a new password needs the current one and ends one's sign-ins", async () => {
      const user = await create();
      await insertCredentials(context(), user.id);
      const own = accounts.context(signedIn(user.id, "MEMBER"));
      const set = (password: string, currentPassword: string | null) =>
        accounts.changes.changeViewer(own, { ...nothing, password, currentPassword });
      expect(await refusal(set("efgh", null))).toBe("invalid: current_password is required when modifying password");
      expect(await refusal(set("efgh", "wrong"))).toBe(
        "invalid: Valid current password is required to modify password",
      );
      expect(accounts.failures).toEqual(["ann@example.com"]);
      expect(await refusal(set("abc", "abcd"))).toBe("invalid: Password must be at least 4 characters long");
      expect(await countCredentials(context(), user.id)).toMatchObject({ refresh_tokens: 1 });
      expect(await set("efgh", "abcd")).toMatchObject({ passwordChange: "none" });
      expect(await countCredentials(context(), user.id)).toMatchObject({
        refresh_tokens: 0,
        access_tokens: 0,
        api_keys: 1,
      });
      expect(await refusal(set("efgh", "efgh"))).toBe("invalid: Password must differ from the current one");
      expect(accounts.invalidated).toEqual([user.id]);
    });

    test("lifts the restriction of the documented password", async () => {
      const admin = await find({ username: "admin" });
      const own = accounts.context({ ...signedIn(admin.id, "ADMIN"), mustChangePassword: true });
      const changed = await accounts.changes.changeViewer(own, {
        ...nothing,
        password: "efgh",
        currentPassword: "admin",
      });
      expect(changed.passwordChange).toBe("none");
    });

    test("a new name needs nothing, for any role", async () => {
      const user = await create({ role: "VIEWER" });
      const named = (username: string, principal: Parameters<typeof accounts.context>[0]) =>
        accounts.changes.changeViewer(accounts.context(principal), { ...nothing, username });
      expect((await named("Anna", signedIn(user.id, "VIEWER"))).username).toBe("Anna");
      expect(await refusal(named("admin", signedIn(user.id, "VIEWER")))).toBe("conflict: Username already exists");
      expect(accounts.invalidated).toEqual([]);
    });

    test("is for people only", async () => {
      const { id } = await find({ role: "SYSTEM" });
      for (const principal of [
        { kind: "system", userId: id },
        { kind: "admin_secret", userId: id },
        { kind: "open" },
        keyOf(id, "MEMBER"),
      ] as const) {
        const work = accounts.changes.changeViewer(accounts.context(principal), { ...nothing, username: "x" });
        expect(await refusal(work)).toBe("invalid: Only a signed-in user can change a profile");
      }
      const gone = accounts.context(signedIn(999_999, "MEMBER"));
      expect(await refusal(accounts.changes.changeViewer(gone, { ...nothing, username: "x" }))).toBe(
        "unauthenticated: User not found",
      );
    });
  });

  describe("deletion", () => {
    test("takes sign-ins, reset links and own keys along and leaves system keys and secrets", async () => {
      const user = await create({ role: "ADMIN" });
      const system = await find({ role: "SYSTEM" });
      await insertCredentials(context(), user.id);
      const database = stored.storage.handle.write(context());
      const key = { user_id: system.id, created_by_user_id: user.id, name: "ci", description: null };
      await database
        .insertInto("api_keys")
        .values({ ...key, random_hash: new Uint8Array([1]), created_us: 1, expires_us: null })
        .execute();
      await database
        .insertInto("secrets")
        .values({ name: "KEY", value: new Uint8Array([1]), user_id: user.id, created_us: 1, updated_us: 1 })
        .execute();
      await accounts.users.deleteUsers(context(), [user.id, user.id]);
      expect(await countCredentials(context(), user.id)).toEqual({
        refresh_tokens: 0,
        access_tokens: 0,
        password_reset_tokens: 0,
        api_keys: 0,
      });
      const left = await database.selectFrom("api_keys").select(["user_id", "created_by_user_id"]).execute();
      expect(left).toEqual([{ user_id: system.id, created_by_user_id: null }]);
      expect(await database.selectFrom("secrets").select("user_id").execute()).toEqual([{ user_id: null }]);
      await database.deleteFrom("secrets").execute();
      expect(accounts.invalidated).toEqual([user.id]);
    });

    test("of several is all or nothing", async () => {
      const [ann, bob] = [await create(), await create({ username: "Bob", email: "bob@example.com" })];
      const admin = await find({ username: "admin" });
      const system = await find({ role: "SYSTEM" });
      const deleteThem = (ids: readonly number[]) => accounts.users.deleteUsers(context(), ids);
      expect(await refusal(deleteThem([ann.id, admin.id]))).toBe("conflict: Cannot delete the default admin user");
      for (const other of [system.id, 999_999, -1]) {
        expect(await refusal(deleteThem([ann.id, other]))).toBe("not_found: Some user IDs could not be found");
      }
      expect(await accounts.users.findUsers(context(), [ann.id, bob.id])).toEqual(
        new Map([
          [ann.id, ann],
          [bob.id, bob],
        ]),
      );
      await deleteThem([ann.id, bob.id]);
      expect((await accounts.users.listEverybody(context())).map(({ username }) => username)).toEqual(["admin"]);
    });

    test("one by one refuses reserved names and addresses", async () => {
      const named = await create({ username: "system2", email: "a@example.com" });
      await accounts.users.deleteUser(context(), named.id);
      expect(await refusal(accounts.users.deleteUser(context(), named.id))).toBe("not_found: User not found");
      const admin = await find({ username: "admin" });
      const system = await find({ role: "SYSTEM" });
      for (const { id } of [admin, system]) {
        expect(await refusal(accounts.users.deleteUser(context(), id))).toBe(
          "forbidden: Cannot delete the default admin or system user",
        );
      }
      await accounts.changes.changeUser(context(), admin.id, { role: null, username: "root", password: null });
      const renamed = await create({ username: "admin", email: "b@example.com" });
      for (const id of [admin.id, renamed.id]) {
        expect((await failureOf(accounts.users.deleteUser(context(), id))).kind).toBe("forbidden");
      }
    });
  });

  describe("lists", () => {
    test("of people are sorted by address and leave the system account out", async () => {
      await create({ username: "b", email: "b@example.com" });
      await create({ username: "z", email: "Aa@example.com" });
      const people = await accounts.users.listEverybody(context());
      expect(people.map(({ email }) => email)).toEqual(["aa@example.com", "admin@localhost", "b@example.com"]);
    });

    test("of all are paged, newest first, with the system account", async () => {
      await create();
      const first = await accounts.users.listUsers(context(), { limit: 2 });
      expect(first.items.map(({ username }) => username)).toEqual(["Ann", "admin"]);
      const cursor = globalId("User", first.next!.rowId);
      const second = await accounts.users.listUsers(context(), { limit: 5000, cursor });
      expect(second.items.map(({ username }) => username)).toEqual(["system"]);
      expect(second.next).toBeNull();
      expect(await refusal(accounts.users.listUsers(context(), { limit: 1, cursor: "nonsense" }))).toBe(
        "invalid: Invalid cursor format: nonsense",
      );
    });
  });

  describe("findViewer", () => {
    test("is the account that acts: one's own, the system account for its keys, nobody without authentication", async () => {
      const user = await create();
      const system = await find({ role: "SYSTEM" });
      const viewer = async (principal: Parameters<typeof accounts.context>[0]) =>
        (await accounts.users.findViewer(accounts.context(principal)))?.id ?? null;
      expect(await viewer(signedIn(user.id, "MEMBER"))).toBe(user.id);
      expect(await viewer({ kind: "system", userId: system.id })).toBe(system.id);
      expect(await viewer({ kind: "open" })).toBeNull();
      expect(await refusal(viewer(signedIn(999_999, "MEMBER")))).toBe("unauthenticated: User not found");
    });
  });

  describe("findByPassword", () => {
    test("renews a hash of older parameters, and only then", async () => {
      const user = await create();
      const database = stored.storage.handle.write(context());
      const hashOf = async () => (await accounts.store.findWithPassword(context(), { id: user.id }))?.passwordHash;
      const current = await hashOf();
      await accounts.changes.findByPassword(context(), "ann@example.com", "abcd");
      expect(await hashOf()).toBe(current!);
      const old = await Bun.password.hash("abcd", { algorithm: "argon2id", memoryCost: 64, timeCost: 3 });
      await database.updateTable("users").set({ password_hash: old }).where("id", "=", user.id).execute();
      expect(await accounts.changes.findByPassword(context(), "ann@example.com", "wrong")).toBeNull();
      expect(await hashOf()).toBe(old);
      expect((await accounts.changes.findByPassword(context(), "ann@example.com", "abcd"))?.id).toBe(user.id);
      expect(await hashOf()).toStartWith("$argon2id$v=19$m=64,t=1,");
    });

    test("finds nobody by name, without a password, or with the password of another", async () => {
      await create();
      await create({ username: "Oli", email: "oli@example.com", authMethod: "OAUTH2", password: null });
      for (const [email, password] of [
        ["Ann", "abcd"],
        ["ann@example.com", ""],
        ["oli@example.com", "abcd"],
        ["nobody@example.com", "abcd"],
        ["system@localhost", "system"],
      ] as const) {
        expect(await accounts.changes.findByPassword(context(), email, password)).toBeNull();
      }
    });
  });
});
