// The accounts that exist from the start: made once, by whichever server comes first, and never changed afterwards.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { TestAccountsOptions } from "../../../support/accounts.ts";
import { accountsOver, wanted } from "../../../support/accounts.ts";
import { forEachDriver } from "../../../support/drivers.ts";
import { openTestStorage, type TestStorage } from "../../../support/storage.ts";

forEachDriver("accounts from the start", (driver) => {
  let stored: TestStorage;
  beforeEach(async () => {
    stored = await openTestStorage(await driver.createDatabase());
  });
  afterEach(() => stored.close());

  async function start(options: TestAccountsOptions = {}) {
    const accounts = accountsOver(stored, options);
    await accounts.seeds.ensureSeedAccounts(accounts.context());
    return accounts;
  }
  const everybody = async (accounts = accountsOver(stored)) =>
    (
      await accounts.store.list(accounts.context(), { sort: "arrival", order: "desc", start: null, limit: 100 })
    ).items.map(
      ({ username, email, role, authMethod, passwordChange }) =>
        `${username} ${email} ${role} ${authMethod} ${passwordChange}`,
    );
  const SEEDS = ["admin admin@localhost ADMIN LOCAL required", "system system@localhost SYSTEM LOCAL none"];

  test("a first start makes the system account and the default admin, a second one nothing", async () => {
    const accounts = await start();
    expect(await everybody()).toEqual(SEEDS);
    const admin = await accounts.changes.findByPassword(accounts.context(), " Admin@LocalHost ", "admin");
    expect(admin?.username).toBe("admin");
    const system = await accounts.store.findWithPassword(accounts.context(), { role: "SYSTEM" });
    expect(system?.passwordHash).toStartWith("$argon2id$");
    await start({ initialAdminPassword: "other" });
    expect(await everybody()).toEqual(SEEDS);
    expect(await accounts.changes.findByPassword(accounts.context(), "admin@localhost", "other")).toBeNull();
  });

  test("an initial password of the operator is only asked to be changed, and no policy looks at it", async () => {
    const accounts = await start({ initialAdminPassword: "zz", strongPasswords: true });
    expect((await everybody())[0]).toBe("admin admin@localhost ADMIN LOCAL asked");
    expect(await accounts.changes.findByPassword(accounts.context(), "admin@localhost", "zz")).not.toBeNull();
    expect(await accounts.changes.findByPassword(accounts.context(), "admin@localhost", "admin")).toBeNull();
  });

  test("every start warns while the documented password is in force, and no longer", async () => {
    const warnings = async (options: TestAccountsOptions = {}) =>
      (await start(options)).lines.filter((line) => line.includes("the password that the documentation names")).length;
    expect(await warnings({ enabled: false })).toBe(0);
    for (let count = 0; count < 2; count++) expect(await warnings()).toBe(1);
    expect(await warnings({ basicAuthDisabled: true })).toBe(0);
    const accounts = await start();
    const admin = await accounts.users.findUser(accounts.context(), { email: "admin@localhost" });
    const changes = { role: null, username: null, password: "another" };
    await accounts.changes.changeUser(accounts.context(), admin!.id, changes);
    expect(await warnings()).toBe(0);
  });

  test("with authentication off no password is hashed; the first start with it on gives the initial one, once", async () => {
    const off = await start({ enabled: false, initialAdminPassword: "early" });
    expect(await everybody()).toEqual(["admin admin@localhost ADMIN LOCAL asked", SEEDS[1]!]);
    const hash = async () => (await off.store.findWithPassword(off.context(), { username: "admin" }))?.passwordHash;
    expect(await hash()).not.toStartWith("$argon2id$");
    for (const password of ["early", "admin", "", (await hash())!]) {
      expect(await off.changes.findByPassword(off.context(), "admin@localhost", password)).toBeNull();
    }
    const on = await start();
    expect(await everybody()).toEqual(SEEDS);
    expect(await on.changes.findByPassword(on.context(), "admin@localhost", "admin")).not.toBeNull();
    const given = await hash();
    await start({ initialAdminPassword: "late" });
    expect(await hash()).toBe(given);
  });

  test("a password set while authentication is off stays", async () => {
    const off = await start({ enabled: false });
    const admin = await off.store.find(off.context(), { username: "admin" });
    await off.changes.changeUser(off.context(), admin!.id, { role: null, username: null, password: "mine" });
    const on = await start();
    expect(await on.changes.findByPassword(on.context(), "admin@localhost", "mine")).not.toBeNull();
  });

  test("several servers at once make each account once", async () => {
    const admins = [{ username: "Ann", email: "ann@example.com" }];
    await Promise.all(Array.from({ length: 4 }, () => start({ admins })));
    expect(await everybody()).toEqual(["Ann ann@example.com ADMIN LOCAL required", ...SEEDS]);
  });

  test("with another administrator the default one is not made; without any it comes back, with a warning", async () => {
    const accounts = await start();
    const context = accounts.context();
    const other = await accounts.users.createUser(context, wanted({ role: "ADMIN" }));
    const admin = await accounts.store.find(context, { username: "admin" });
    await accounts.store.remove(context, [admin!.id]);
    await start();
    expect(await everybody()).toEqual(["Ann ann@example.com ADMIN LOCAL asked", SEEDS[1]!]);
    await accounts.changes.changeUser(context, other.id, { role: "MEMBER", username: null, password: null });
    const { lines } = await start();
    expect((await everybody())[0]).toBe(SEEDS[0]!);
    expect(lines.join("\n")).toContain("admin@localhost was created again, with its initial password");
  });

  test("an account that has the name of the default admin is left alone, and the log says what to do", async () => {
    const accounts = accountsOver(stored);
    await accounts.users.createUser(accounts.context(), wanted({ username: "admin" }));
    const { lines } = await start();
    expect(await everybody()).toEqual([SEEDS[1]!, "admin ann@example.com MEMBER LOCAL asked"]);
    expect(lines.join("\n")).toContain("spanlight users create-admin makes one");
  });

  describe("administrators of SERVICE_ADMINS", () => {
    const admins = [
      { username: "Ann", email: "ann@example.com" },
      { username: "Bob", email: "bob@example.com" },
    ];

    test("are made when missing, with a random password; who exists stays as it is", async () => {
      const accounts = accountsOver(stored);
      await accounts.users.createUser(accounts.context(), wanted({ username: "Annie" }));
      await accounts.users.createUser(accounts.context(), wanted({ username: "Bob", email: "b@example.com" }));
      await start({ admins: [...admins, { username: "Cleo", email: "cleo@example.com" }] });
      expect(await everybody()).toEqual([
        "Cleo cleo@example.com ADMIN LOCAL required",
        ...SEEDS,
        "Bob b@example.com MEMBER LOCAL asked",
        "Annie ann@example.com MEMBER LOCAL asked",
      ]);
      expect(await accounts.changes.findByPassword(accounts.context(), "cleo@example.com", "admin")).toBeNull();
    });

    test("come through an identity provider when basic auth is disabled", async () => {
      await start({ admins, basicAuthDisabled: true });
      expect(await everybody()).toEqual([
        "Bob bob@example.com ADMIN OAUTH2 none",
        "Ann ann@example.com ADMIN OAUTH2 none",
        ...SEEDS,
      ]);
    });
  });
});
