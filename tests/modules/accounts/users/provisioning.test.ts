// From a verified identity to an account, for providers and directories alike, on both databases.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type {
  DirectoryIdentity,
  ProviderIdentity,
  ProvisioningRules,
  VerifiedIdentity,
} from "../../../../src/modules/accounts/users/provisioning/identity.schema.ts";
import type { User } from "../../../../src/modules/accounts/users/users.schema.ts";
import { accountsOver, type TestAccounts, wanted } from "../../../support/accounts.ts";
import { forEachDriver } from "../../../support/drivers.ts";
import { openTestStorage, type TestStorage } from "../../../support/storage.ts";

const provider = (changes: Partial<ProviderIdentity> = {}): ProviderIdentity => ({
  method: "OAUTH2",
  clientId: "spanlight",
  subject: "00u1",
  email: "ann@example.com",
  isEmailVerified: true,
  names: ["Ann Example", "ann"],
  pictureUrl: null,
  ...changes,
});

const directory = (changes: Partial<DirectoryIdentity> = {}): DirectoryIdentity => ({
  method: "LDAP",
  uniqueId: "5d4c",
  email: "ann@example.com",
  names: ["Ann Example", "ann"],
  ...changes,
});

const rules: ProvisioningRules = { allowsSignUp: true, role: null, resynchronisesRole: true };
const knownOnly: ProvisioningRules = { ...rules, allowsSignUp: false };

forEachDriver("provisioning", (driver) => {
  let stored: TestStorage;
  let accounts: TestAccounts;
  beforeAll(async () => {
    stored = await openTestStorage(await driver.createDatabase());
  });
  afterAll(() => stored.close());
  beforeEach(async () => {
    await stored.storage.handle.write(stored.context()).deleteFrom("users").execute();
    accounts = accountsOver(stored);
  });

  const provision = (identity: VerifiedIdentity, given: ProvisioningRules = rules) =>
    accounts.provisioning.provision(accounts.context(), identity, given);
  const accountOf = async (identity: VerifiedIdentity, given?: ProvisioningRules): Promise<User> => {
    const provisioned = await provision(identity, given);
    if (!provisioned.ok) throw new Error(provisioned.reason);
    return provisioned.account;
  };
  const refusalOf = async (identity: VerifiedIdentity, given?: ProvisioningRules) => {
    const provisioned = await provision(identity, given);
    return provisioned.ok ? null : provisioned.reason;
  };
  const create = (changes: Parameters<typeof wanted>[0]) =>
    accounts.users.createUser(accounts.context(), wanted({ password: null, ...changes }));
  const count = async () =>
    (await accounts.store.list(accounts.context(), { sort: "email", order: "asc", start: null, limit: 100 })).items
      .length;

  describe("an unknown user", () => {
    test("gets an account of their method, as a viewer unless a role was mapped", async () => {
      expect(await accountOf(provider({ pictureUrl: "https://example.com/ann.png" }))).toMatchObject({
        authMethod: "OAUTH2",
        role: "VIEWER",
        username: "Ann Example",
        email: "ann@example.com",
        oauth2ClientId: "spanlight",
        oauth2UserId: "00u1",
        ldapUniqueId: null,
        profilePictureUrl: "https://example.com/ann.png",
        passwordChange: "none",
      });
      expect(await accountOf(directory({ email: null }), { ...rules, role: "ADMIN" })).toMatchObject({
        authMethod: "LDAP",
        role: "ADMIN",
        username: expect.stringMatching(/^Ann Example \([0-9a-f]{6}\)$/),
        email: null,
        oauth2ClientId: null,
        oauth2UserId: null,
        ldapUniqueId: "5d4c",
      });
    });

    test("gets none while sign-up is off", async () => {
      for (const identity of [provider(), directory(), directory({ email: null }), directory({ uniqueId: null })]) {
        expect(await refusalOf(identity, knownOnly)).toBe("sign_up_off");
      }
      expect(await count()).toBe(0);
    });

    test("gets a name that is fit and free", async () => {
      await accountOf(provider());
      const second = await accountOf(provider({ subject: "2", email: "ann2@example.com" }));
      expect(second.username).toMatch(/^Ann Example-[1-9]\d{4}$/);
      const named = (names: string[], subject: string) => provider({ names, subject, email: `${subject}@example.com` });
      expect((await accountOf(named([" \u0000\n", "  bob\tb\ud800 "], "3"))).username).toBe("bob b\ufffd");
      expect((await accountOf(named(["x".repeat(1000)], "4"))).username).toBe("x".repeat(240));
      expect((await accountOf(named([], "5"))).username).toBe("user");
    });

    test("is made once, however many servers sign the person in at once", async () => {
      for (const identity of [provider(), directory({ email: "dan@example.com" })]) {
        const before = await count();
        const made = await Promise.all(Array.from({ length: 8 }, () => accountOf(identity)));
        expect(new Set(made.map(({ id }) => id)).size).toBe(1);
        expect(await count()).toBe(before + 1);
      }
    });

    test("is refused with an id or an address that cannot be stored as it stands", async () => {
      for (const identity of [
        provider({ subject: "" }),
        provider({ subject: "a\u0000" }),
        provider({ subject: "a\ud800" }),
        provider({ subject: "é".repeat(513) }),
        provider({ email: `${"a".repeat(310)}@example.com` }),
        provider({ email: "ann@example.com\n" }),
        directory({ uniqueId: "x".repeat(1025) }),
        directory({ uniqueId: null, email: null }),
      ]) {
        expect(await refusalOf(identity)).toBe("identity_unusable");
      }
      expect(await count()).toBe(0);
    });
  });

  describe("a known user", () => {
    test("is found by identity; address and picture follow the provider, the name does not", async () => {
      const made = await accountOf(provider({ pictureUrl: "https://example.com/ann.png" }));
      const moved = provider({ email: "ann@new.example.com", names: ["Ann Married"] });
      expect(await accountOf(moved, knownOnly)).toMatchObject({
        id: made.id,
        email: "ann@new.example.com",
        username: "Ann Example",
        profilePictureUrl: null,
      });
      const inDirectory = await accountOf(directory({ names: ["Dan"], email: "dan@example.com" }));
      expect(await accountOf(directory({ names: ["Daniel"], email: "dan@new.example.com" }))).toMatchObject({
        id: inDirectory.id,
        email: "dan@new.example.com",
        username: "Dan",
      });
    });

    test("has nothing written when nothing changed", async () => {
      const made = await accountOf(provider(), { ...rules, role: "MEMBER" });
      expect((await accountOf(provider(), { ...rules, role: "MEMBER" })).updatedUs).toBe(made.updatedUs);
      expect(accounts.invalidated).toEqual([]);
    });

    test("gets the mapped role at every sign-in, down too, and tokens are read again", async () => {
      const made = await accountOf(provider(), { ...rules, role: "ADMIN" });
      expect((await accountOf(provider(), { ...rules, role: "VIEWER" })).role).toBe("VIEWER");
      expect(accounts.invalidated).toEqual([made.id]);
      // Where roles are not mapped, and where they are for new accounts alone, it stays.
      expect((await accountOf(provider(), rules)).role).toBe("VIEWER");
      expect((await accountOf(provider(), { ...rules, role: "ADMIN", resynchronisesRole: false })).role).toBe("VIEWER");
    });

    test("is refused when the new address belongs to another user", async () => {
      await create({ authMethod: "LOCAL", email: "bob@example.com", username: "Bob", password: "abcd" });
      await accountOf(provider());
      expect(await refusalOf(provider({ email: "bob@example.com" }))).toBe("email_taken");
      expect((await accountOf(provider())).email).toBe("ann@example.com");
    });

    test("is another person under another client or subject", async () => {
      await accountOf(provider());
      expect(await refusalOf(provider({ subject: "00u2" }))).toBe("email_of_other_identity");
      expect(await refusalOf(provider({ clientId: "other" }))).toBe("email_of_other_provider");
      expect(await refusalOf(provider({ clientId: "other", subject: "00u2" }), knownOnly)).toBe(
        "email_of_other_provider",
      );
      expect((await accountOf(provider({ clientId: "other", email: "x@example.com" }))).username).not.toBe(
        "Ann Example",
      );
    });

    test("a subject counts in its letter case", async () => {
      await accountOf(provider({ subject: "aB" }));
      expect(await refusalOf(provider({ subject: "ab" }))).toBe("email_of_other_identity");
    });
  });

  describe("an account made by an administrator", () => {
    for (const given of [rules, knownOnly]) {
      const mode = given.allowsSignUp ? "with sign-up" : "without sign-up";
      test(`finds its owner at the first sign-in with a provider, ${mode}`, async () => {
        const made = await create({ authMethod: "OAUTH2", username: "Chosen" });
        const linked = await accountOf(provider(), given);
        expect(linked).toMatchObject({ id: made.id, username: "Chosen", role: "MEMBER", oauth2UserId: "00u1" });
        expect((await accountOf(provider({ email: "new@example.com" }), given)).id).toBe(made.id);
      });

      test(`finds its owner at the first sign-in with a directory, ${mode}`, async () => {
        const made = await create({ authMethod: "LDAP", username: "Chosen" });
        expect(await accountOf(directory(), given)).toMatchObject({ id: made.id, ldapUniqueId: "5d4c" });
        expect(await refusalOf(directory({ uniqueId: "6e5d" }), given)).toBe("email_of_other_identity");
      });
    }

    test("with the ids of the person is found by them, with the client's alone by the address", async () => {
      const ids = await create({ authMethod: "OAUTH2", oauth2ClientId: "spanlight", oauth2UserId: "00u1" });
      expect((await accountOf(provider({ email: "other@example.com" }))).id).toBe(ids.id);
      const client = { authMethod: "OAUTH2", email: "bob@example.com", oauth2ClientId: "spanlight" } as const;
      const half = await create({ ...client, username: "Bob" });
      expect((await accountOf(provider({ email: "bob@example.com", subject: "00u2" }))).id).toBe(half.id);
    });

    test("is not given to an address that the provider says is unverified", async () => {
      await create({ authMethod: "OAUTH2" });
      for (const given of [rules, knownOnly]) {
        expect(await refusalOf(provider({ isEmailVerified: false }), given)).toBe("email_unverified");
      }
      // Somebody known signs in all the same.
      const known = await accountOf(provider());
      expect((await accountOf(provider({ isEmailVerified: false }))).id).toBe(known.id);
    });

    test("of another method stays that", async () => {
      await create({ authMethod: "LOCAL", password: "abcd" });
      await create({ authMethod: "LDAP", email: "dir@example.com", username: "Dir" });
      await create({ authMethod: "OAUTH2", email: "idp@example.com", username: "Idp" });
      for (const given of [rules, knownOnly]) {
        expect(await refusalOf(provider(), given)).toBe("email_of_other_method");
        expect(await refusalOf(directory(), given)).toBe("email_of_other_method");
        expect(await refusalOf(provider({ email: "dir@example.com" }), given)).toBe("email_of_other_method");
        expect(await refusalOf(directory({ email: "idp@example.com" }), given)).toBe("email_of_other_method");
      }
    });

    test("is linked to one of two persons who come at once with its address", async () => {
      await create({ authMethod: "OAUTH2" });
      const outcomes = await Promise.all(["00u1", "00u2"].map((subject) => refusalOf(provider({ subject }))));
      expect(outcomes.filter((reason) => reason === null).length).toBe(1);
      expect(outcomes).toContain("email_of_other_identity");
    });
  });

  describe("a directory", () => {
    test("without unique ids is matched by the address", async () => {
      const made = await accountOf(directory({ uniqueId: null }));
      expect((await accountOf(directory({ uniqueId: null }), knownOnly)).id).toBe(made.id);
      // Once ids are configured, the account takes its own.
      expect(await accountOf(directory(), knownOnly)).toMatchObject({ id: made.id, ldapUniqueId: "5d4c" });
    });

    test("without addresses is matched by the unique id, and takes no address away", async () => {
      const made = await accountOf(directory());
      expect(await accountOf(directory({ email: null }))).toMatchObject({ id: made.id, email: "ann@example.com" });
    });

    test("an id stored in another letter case is the same, and is stored again", async () => {
      const made = await accountOf(directory());
      await stored.storage.handle
        .write(stored.context())
        .updateTable("users")
        .set({ ldap_unique_id: "5D4C" })
        .where("id", "=", made.id)
        .execute();
      expect(await accountOf(directory())).toMatchObject({ id: made.id, ldapUniqueId: "5d4c" });
    });
  });

  test("the log has ids alone", async () => {
    await accountOf(provider());
    await accountOf(provider({ email: "ann2@example.com" }), { ...rules, role: "ADMIN" });
    const text = accounts.lines.join("\n");
    expect(text).toContain("user created at the first sign-in with an identity provider");
    expect(text).toContain("role of a user changed to ADMIN by an identity provider");
    for (const hidden of ["ann", "Ann", "00u1"]) expect(text).not.toContain(hidden);
  });
});
