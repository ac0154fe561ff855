// What the tables of accounts refuse by themselves, also without a service in front: the same on both databases.

import { describe, expect, test } from "bun:test";
import type { Insertable } from "kysely";
import type { UsersTable } from "../../src/modules/accounts/users/users.tables.ts";
import { DUPLICATE } from "../../src/storage/duplicate.ts";
import { forEachDriver } from "../support/drivers.ts";
import { failureOf } from "../support/failures.ts";
import { openTestStorage } from "../support/storage.ts";
import { openForSuite } from "../support/suite.ts";

type Row = Insertable<UsersTable>;
let made = 0;

/** A local account that nothing is wrong with, apart from the changes. */
function row(changes: Partial<Row> = {}): Row {
  made++;
  return {
    role: "MEMBER",
    auth_method: "LOCAL",
    username: `user ${made}`,
    email: `user${made}@example.com`,
    profile_picture_url: null,
    password_hash: "$argon2id$",
    oauth2_client_id: null,
    oauth2_user_id: null,
    ldap_unique_id: null,
    created_us: 1,
    updated_us: 1,
    ...changes,
  };
}
const oauth2 = (changes: Partial<Row> = {}) => row({ auth_method: "OAUTH2", password_hash: null, ...changes });
const ldap = (changes: Partial<Row> = {}) => row({ auth_method: "LDAP", password_hash: null, ...changes });

forEachDriver("tables of accounts", (driver) => {
  const store = openForSuite(async () => openTestStorage(await driver.createDatabase()));
  const database = () => store.storage.handle.write(store.context());
  const insert = async (user: Row) =>
    (await database().insertInto("users").values(user).returning("id").executeTakeFirstOrThrow()).id;

  describe("take", () => {
    test.each<[string, () => Row]>([
      ["a local account", row],
      ["an account of a provider that was made beforehand", oauth2],
      ["one with its identity", () => oauth2({ oauth2_client_id: "c", oauth2_user_id: "u" })],
      ["another of the same provider without a subject", () => oauth2({ oauth2_client_id: "c" })],
      ["an account of a directory without an address", () => ldap({ email: null, ldap_unique_id: "1" })],
      ["one without a unique id", ldap],
      ["a password that must be changed", () => row({ password_change: "required" })],
    ])("%s", async (_what, user) => {
      expect(await insert(user())).toBeGreaterThan(0);
    });
  });

  describe("refuse", () => {
    test.each<[string, () => Row]>([
      ["a local account without a password", () => row({ password_hash: null })],
      ["a local account without an address", () => row({ email: null })],
      ["a local account with an identity", () => row({ oauth2_user_id: "x" })],
      ["a local account with a unique id", () => row({ ldap_unique_id: "x" })],
      ["a provider's account with a password", () => oauth2({ password_hash: "$argon2id$" })],
      ["a provider's account whose password must be changed", () => oauth2({ password_change: "asked" })],
      ["a provider's account without an address", () => oauth2({ email: null })],
      ["a directory's account with an identity", () => ldap({ oauth2_client_id: "c" })],
      ["a directory's account without address and unique id", () => ldap({ email: null })],
      ["an unknown role", () => row({ role: "OWNER" as never })],
      ["an unknown way of signing in", () => row({ auth_method: "SAML" as never, password_hash: null })],
      ["an unknown state of the password", () => row({ password_change: "maybe" as never })],
    ])("%s", async (_what, user) => {
      expect((await failureOf(insert(user()))).code).toBe("storage.statement_failed");
    });

    test.each<[string, (user: Row) => Row]>([
      ["a name twice", ({ username }) => row({ username })],
      ["an address twice", ({ email }) => row({ email: email! })],
      ["an identity twice", () => oauth2({ oauth2_client_id: "twice", oauth2_user_id: "u" })],
      ["a unique id twice", () => ldap({ ldap_unique_id: "twice" })],
      ["two system accounts", () => row({ role: "SYSTEM" })],
    ])("%s", async (_what, second) => {
      const first = row();
      await insert(first);
      await insert(second({ ...first, username: "other", email: "other@example.com" })).catch(() => {});
      expect((await failureOf(insert(second(first)))).code).toBe(DUPLICATE);
    });
  });

  test("names differ by letter case, addresses are stored as they come", async () => {
    await insert(row({ username: "Case" }));
    await insert(row({ username: "case" }));
    const found = await database().selectFrom("users").select("username").where("username", "=", "Case").execute();
    expect(found).toEqual([{ username: "Case" }]);
  });

  test("an account takes everything that lets it in along, and leaves what it has made", async () => {
    const [owner, maker] = [await insert(row()), await insert(row())];
    const token = { random_hash: new Uint8Array([1]), created_us: 1, expires_us: 2 };
    const { id: refresh_token_id } = await database()
      .insertInto("refresh_tokens")
      .values({ user_id: owner, ...token })
      .returning("id")
      .executeTakeFirstOrThrow();
    await database()
      .insertInto("access_tokens")
      .values({ user_id: owner, refresh_token_id, ...token })
      .execute();
    await database()
      .insertInto("password_reset_tokens")
      .values({ user_id: owner, ...token })
      .execute();
    await database()
      .insertInto("spent_refresh_tokens")
      .values({ id: 1, user_id: owner, login_id: 1, random_hash: new Uint8Array([1]), spent_us: 1, expires_us: 2 })
      .execute();
    await database().insertInto("sent_notices").values({ user_id: owner, kind: "storage", sent_us: 1 }).execute();
    await database()
      .insertInto("api_keys")
      .values({ user_id: owner, created_by_user_id: maker, name: "key", description: null, ...token })
      .execute();
    await database().deleteFrom("users").where("id", "=", maker).execute();
    const [key] = await database().selectFrom("api_keys").select("created_by_user_id").execute();
    expect(key).toEqual({ created_by_user_id: null });
    await database().deleteFrom("users").where("id", "=", owner).execute();
    for (const table of [
      "refresh_tokens",
      "spent_refresh_tokens",
      "access_tokens",
      "password_reset_tokens",
      "sent_notices",
      "api_keys",
    ] as const) {
      expect([table, await database().selectFrom(table).selectAll().execute()]).toEqual([table, []]);
    }
  });

  test("a refresh token takes its access token along, and an account has one reset link", async () => {
    const user_id = await insert(row());
    const token = { user_id, random_hash: new Uint8Array([1]), created_us: 1, expires_us: 2 };
    const { id } = await database()
      .insertInto("refresh_tokens")
      .values(token)
      .returning("id")
      .executeTakeFirstOrThrow();
    await database()
      .insertInto("access_tokens")
      .values({ ...token, refresh_token_id: id })
      .execute();
    const second = database()
      .insertInto("access_tokens")
      .values({ ...token, refresh_token_id: id })
      .execute();
    expect((await failureOf(second)).code).toBe(DUPLICATE);
    await database().deleteFrom("refresh_tokens").where("id", "=", id).execute();
    expect(await database().selectFrom("access_tokens").selectAll().execute()).toEqual([]);
    const link = () => database().insertInto("password_reset_tokens").values(token).execute();
    await link();
    expect((await failureOf(link())).code).toBe(DUPLICATE);
  });
});
