// The conversation with OpenLDAP: every way of encryption, its certificates, its accounts, its groups of each kind.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Variables } from "../../../../../src/config/environment.ts";
import { createDirectoryService } from "../../../../../src/modules/accounts/auth/ldap/directory.service.ts";
import { passwordOf, SEARCH_NAME, SEARCH_PASSWORD, SUFFIX, UNIX_GROUPS } from "../../../../support/directory-tree.ts";
import { AUTHORITIES, ldapVariables } from "../../../../support/ldap-sign-in.ts";
import { loadSettings } from "../../../../support/load-settings.ts";
import { memoryFiles } from "../../../../support/memory-files.ts";
import { describeWithSlapd, type RunningSlapd, startSlapd } from "../../../../support/slapd.ts";

describeWithSlapd("OpenLDAP", () => {
  let open: RunningSlapd;
  let strict: RunningSlapd;
  let plain: RunningSlapd;
  beforeAll(async () => {
    open = await startSlapd();
    strict = await startSlapd({ wantsClientCertificate: true, anonymous: false });
    plain = await startSlapd({ tls: false });
  });
  afterAll(async () => {
    for (const slapd of [open, strict, plain]) await slapd.stop();
  });

  async function ask(slapd: RunningSlapd, variables: Variables = {}, uid = "ada", password = passwordOf(uid)) {
    const files = {
      [AUTHORITIES]: slapd.certificate.certificate,
      "/client.pem": readFileSync(slapd.client.certificateFile, "utf8"),
      "/client.key": readFileSync(slapd.client.keyFile, "utf8"),
    };
    const { config } = loadSettings({ ...ldapVariables(slapd), ...variables }, { files: memoryFiles(files) });
    const troubles: string[] = [];
    const answer = await createDirectoryService({ config: config.ldap! }).ask(
      { username: uid, password },
      { done: () => {}, trouble: (_server, { step, reason }) => troubles.push(`${step}: ${reason}`) },
      AbortSignal.timeout(30_000),
    );
    return { answer, troubles };
  }
  const known = (role: string) => ({ answer: { kind: "known", person: { role } }, troubles: [] as string[] });

  test("is asked by STARTTLS, by TLS from the start, and in clear text", async () => {
    expect(await ask(open)).toMatchObject(known("ADMIN"));
    const ldaps = { SERVICE_LDAP_TLS_MODE: "ldaps", SERVICE_LDAP_PORT: String(open.securePort) };
    expect(await ask(open, ldaps)).toMatchObject(known("ADMIN"));
    expect(await ask(open, { SERVICE_LDAP_TLS_MODE: "none" })).toMatchObject(known("ADMIN"));
  });

  test("that cannot encrypt is not asked, but where clear text is what the settings want", async () => {
    expect((await ask(plain)).troubles).toEqual(["starttls: refused with result code 2"]);
    expect(await ask(plain, { SERVICE_LDAP_TLS_MODE: "none" })).toMatchObject(known("ADMIN"));
  });

  test("must show a certificate of its name, from an authority that is known", async () => {
    const unknown = { SERVICE_LDAP_TLS_CA_CERT_FILE: undefined };
    const ldaps = { SERVICE_LDAP_TLS_MODE: "ldaps", SERVICE_LDAP_PORT: String(open.securePort) };
    const elsewhere = { SERVICE_LDAP_HOST: "localhost" };
    expect((await ask(open, unknown)).troubles).toEqual(["starttls: DEPTH_ZERO_SELF_SIGNED_CERT"]);
    expect((await ask(open, { ...unknown, ...ldaps })).troubles).toEqual(["connect: DEPTH_ZERO_SELF_SIGNED_CERT"]);
    expect((await ask(open, elsewhere)).troubles).toEqual(["starttls: ERR_TLS_CERT_ALTNAME_INVALID"]);
    expect((await ask(open, { ...elsewhere, ...ldaps })).troubles).toEqual(["connect: ERR_TLS_CERT_ALTNAME_INVALID"]);
    for (const variables of [unknown, elsewhere, { ...unknown, ...ldaps }]) {
      expect(await ask(open, { ...variables, SERVICE_LDAP_TLS_VERIFY: "false" })).toMatchObject(known("ADMIN"));
    }
  });

  test("that wants a certificate and an account to search gets both", async () => {
    const account = { SERVICE_LDAP_BIND_DN: SEARCH_NAME, SERVICE_LDAP_BIND_PASSWORD: SEARCH_PASSWORD };
    const shown = {
      SERVICE_LDAP_TLS_CLIENT_CERT_FILE: "/client.pem",
      SERVICE_LDAP_TLS_CLIENT_KEY_FILE: "/client.key",
    };
    const ldaps = { SERVICE_LDAP_TLS_MODE: "ldaps", SERVICE_LDAP_PORT: String(strict.securePort) };
    expect(await ask(strict, { ...account, ...shown })).toMatchObject(known("ADMIN"));
    expect(await ask(strict, { ...account, ...shown, ...ldaps })).toMatchObject(known("ADMIN"));
    expect((await ask(strict, account)).answer.kind).toBe("unavailable");
    expect((await ask(strict, shown)).troubles).toEqual(["person: UnwillingToPerform (53)"]);
    const wrong = { ...account, ...shown, SERVICE_LDAP_BIND_PASSWORD: "wrong" };
    expect((await ask(strict, wrong)).troubles).toEqual(["search account: wrong password"]);
  });

  test("finds people in each base, the first that has one decides, and the mapped role follows the entry", async () => {
    expect(await ask(open, {}, "bob")).toMatchObject(known("MEMBER"));
    expect(await ask(open, {}, "both", "any")).toMatchObject({ answer: { reason: "wrong_password" } });
    const everybody = { SERVICE_LDAP_GROUP_ROLE_MAPPINGS: '[{"group_dn":"*","role":"VIEWER"}]' };
    expect((await ask(open, everybody, "both")).answer).toMatchObject({ person: { email: "first@example.com" } });
    expect((await ask(open, {}, "bob", passwordOf("ada"))).answer).toMatchObject({ reason: "wrong_password" });
  });

  test("has groups that name people by their user id, more of them than it gives at once", async () => {
    const unix = {
      SERVICE_LDAP_GROUP_SEARCH_BASE_DNS: JSON.stringify([UNIX_GROUPS]),
      SERVICE_LDAP_GROUP_SEARCH_FILTER: "(&(objectClass=posixGroup)(memberUid=%s))",
      SERVICE_LDAP_GROUP_ROLE_MAPPINGS: JSON.stringify([
        { group_dn: `cn=developers,${UNIX_GROUPS}`, role: "MEMBER" },
        { group_dn: `cn=team0,${UNIX_GROUPS}`, role: "VIEWER" },
      ]),
    };
    expect(await ask(open, unix, "cleo")).toMatchObject(known("MEMBER"));
    expect(await ask(open, { ...unix, SERVICE_LDAP_GROUP_SEARCH_FILTER_USER_ATTR: "uid" }, "cleo")).toMatchObject(
      known("MEMBER"),
    );
    const byName = {
      SERVICE_LDAP_GROUP_SEARCH_BASE_DNS: JSON.stringify([SUFFIX]),
      SERVICE_LDAP_GROUP_SEARCH_FILTER: "(&(objectClass=groupOfNames)(member=%s))",
      SERVICE_LDAP_GROUP_SEARCH_FILTER_USER_ATTR: "entryDN",
    };
    expect(await ask(open, byName, "Lovelace, Ada+x")).toMatchObject(known("MEMBER"));
    expect((await ask(open, unix, "dan")).answer).toMatchObject({ reason: "no_role" });
    const many = await ask(open, unix, "many");
    expect(many.answer).toMatchObject({ kind: "known", person: { role: "VIEWER" } });
    expect(many.troubles).toEqual(["groups: the server gave only the first 500"]);
  });

  test("gives a unique id in text that stays the same, and the same in the bytes of its form", async () => {
    const byId = { SERVICE_LDAP_ATTR_UNIQUE_ID: "entryUUID" };
    const first = await ask(open, byId);
    expect(first.answer).toMatchObject({ person: { uniqueId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/) } });
    expect((await ask(open, { SERVICE_LDAP_ATTR_UNIQUE_ID: "ENTRYUUID" })).answer).toEqual(first.answer);
    expect((await ask(open, { SERVICE_LDAP_ATTR_UNIQUE_ID: "employeeNumber" })).answer).toMatchObject({
      reason: "unique_id_missing",
    });
  });
});
