// Settings of a directory together: defaults, what needs what, warnings, secrets.
import { describe, expect, test } from "bun:test";
import type { Variables } from "../../src/config/environment.ts";
import { canonicalName } from "../../src/kernel/distinguished-name.ts";
import { selfSignedCertificate } from "../support/certificate.ts";
import { loadSettings, refusalOf, warningsOf } from "../support/load-settings.ts";
import { memoryFiles } from "../support/memory-files.ts";

const least: Variables = {
  SERVICE_LDAP_HOST: "ldap.example.com",
  SERVICE_LDAP_USER_SEARCH_BASE_DNS: '["ou=people,dc=example,dc=com"]',
  SERVICE_LDAP_ATTR_EMAIL: "mail",
  SERVICE_LDAP_GROUP_ROLE_MAPPINGS: '[{"group_dn":"*","role":"viewer"}]',
};
const own = selfSignedCertificate();
const other = selfSignedCertificate();
const files = memoryFiles({
  "/own.pem": own.certificate,
  "/own.key": own.key,
  "/other.key": other.key,
  "/text.pem": "text",
});
const ldapOf = (variables: Variables = {}) => {
  const { ldap } = loadSettings({ ...least, ...variables }, { files }).config;
  if (ldap === null) throw new Error("No directory");
  return ldap;
};
const problemsOf = (variables: Variables) => refusalOf({ ...least, ...variables }, { files }).problems;

describe("a directory", () => {
  test("needs four settings; the others have their documented defaults", () => {
    expect(ldapOf()).toEqual({
      hosts: ["ldap.example.com"],
      port: 389,
      tls: { mode: "starttls", verify: true, authorities: null, client: null },
      searchAccount: null,
      userBases: ["ou=people,dc=example,dc=com"],
      userFilter: {
        kind: "and",
        filters: [
          { kind: "equal", attribute: "objectClass", value: "user" },
          { kind: "equal", attribute: "sAMAccountName", value: "%s" },
        ],
      },
      attributes: { email: "mail", displayName: "displayName", memberOf: "memberOf", uniqueId: null },
      groupSearch: null,
      roleMappings: [{ group: null, role: "VIEWER" }],
      allowSignUp: true,
    });
  });

  test("has none of the settings without a host, which is said", () => {
    expect(loadSettings({ ...least, SERVICE_LDAP_HOST: "" }, { files }).config.ldap).toBeNull();
    expect(warningsOf({ SERVICE_LDAP_ATTR_EMAIL: "e mail", SERVICE_LDAP_BIND_PASSWORD: "p" })).toEqual([
      "SERVICE_LDAP_BIND_PASSWORD: has no effect without SERVICE_LDAP_HOST.",
      "SERVICE_LDAP_ATTR_EMAIL: has no effect without SERVICE_LDAP_HOST.",
    ]);
  });

  test("lists servers in any form of a host; a port or scheme there is refused with the setting to use", () => {
    const hosts = " dc1.example.com ,, 10.0.0.1,[::1],fe80::1,dc1.example.com, dc2 ";
    expect(ldapOf({ SERVICE_LDAP_HOST: hosts }).hosts).toEqual([
      "dc1.example.com",
      "10.0.0.1",
      "::1",
      "fe80::1",
      "dc2",
    ]);
    for (const entry of ["ldap://dc1", "dc1:389", "dc 1", "dc1/x", "user@dc1", "-x", "[dc1"]) {
      expect(problemsOf({ SERVICE_LDAP_HOST: `dc1,${entry}` })).toEqual([
        `SERVICE_LDAP_HOST: SERVICE_LDAP_HOST has an entry that is no host name and no address: '${entry}'. Hint: the port is SERVICE_LDAP_PORT, and the scheme SERVICE_LDAP_TLS_MODE`,
      ]);
    }
  });

  test("is asked at the port of its encryption unless another is set", () => {
    expect(ldapOf({ SERVICE_LDAP_TLS_MODE: "LDAPS" }).port).toBe(636);
    expect(ldapOf({ SERVICE_LDAP_TLS_MODE: "none" }).port).toBe(389);
    expect(ldapOf({ SERVICE_LDAP_TLS_MODE: "ldaps", SERVICE_LDAP_PORT: "1636" }).port).toBe(1636);
    for (const port of ["0", "65536", "-1"]) expect(problemsOf({ SERVICE_LDAP_PORT: port }).length).toBe(1);
  });

  test("in clear text, or not checked, is warned of", () => {
    expect(warningsOf({ ...least, SERVICE_LDAP_TLS_MODE: "none" })).toEqual([
      "SERVICE_LDAP_TLS_MODE: is none: every password of the directory travels in clear text.",
    ]);
    expect(warningsOf({ ...least, SERVICE_LDAP_TLS_VERIFY: "false" })).toEqual([
      "SERVICE_LDAP_TLS_VERIFY: is false: a machine in between could pose as the directory.",
    ]);
    expect(warningsOf(least)).toEqual([]);
  });

  test("has an account that searches, whose password may come from a file", () => {
    const SERVICE_LDAP_BIND_DN = "cn=search,dc=example,dc=com";
    const account = { name: SERVICE_LDAP_BIND_DN, password: "secret" };
    expect(ldapOf({ SERVICE_LDAP_BIND_DN, SERVICE_LDAP_BIND_PASSWORD: "secret" }).searchAccount).toEqual(account);
    const withFile = { ...least, SERVICE_LDAP_BIND_DN, SERVICE_LDAP_BIND_PASSWORD_FILE: "/secret" };
    const read = loadSettings(withFile, { files: memoryFiles({ "/secret": "secret\n" }) });
    expect(read.config.ldap?.searchAccount).toEqual(account);
  });

  test("is told apart from an impostor by the operator's authorities, and shown a certificate", () => {
    const tls = {
      SERVICE_LDAP_TLS_CA_CERT_FILE: "/own.pem",
      SERVICE_LDAP_TLS_CLIENT_CERT_FILE: "/own.pem",
      SERVICE_LDAP_TLS_CLIENT_KEY_FILE: "/own.key",
    };
    expect(ldapOf(tls).tls).toMatchObject({
      authorities: own.certificate,
      client: { certificate: own.certificate, key: own.key },
    });
    expect(problemsOf({ ...tls, SERVICE_LDAP_TLS_CLIENT_KEY_FILE: "/other.key" })).toEqual([
      "SERVICE_LDAP_TLS_CLIENT_KEY_FILE: The private key does not belong to the certificate of SERVICE_LDAP_TLS_CLIENT_CERT_FILE.",
    ]);
    const text = "/text.pem";
    expect(problemsOf({ ...tls, SERVICE_LDAP_TLS_CA_CERT_FILE: text, SERVICE_LDAP_TLS_CLIENT_KEY_FILE: text })).toEqual(
      [
        "SERVICE_LDAP_TLS_CA_CERT_FILE: The file holds no PEM certificate.",
        "SERVICE_LDAP_TLS_CLIENT_KEY_FILE: The file holds no PEM private key that is not encrypted.",
      ],
    );
  });

  test("gives no attribute where the empty text says so, and groups by a search of their own", () => {
    const none = { email: "mail", displayName: null, memberOf: null, uniqueId: null };
    const empty = {
      SERVICE_LDAP_ATTR_DISPLAY_NAME: "",
      SERVICE_LDAP_ATTR_MEMBER_OF: "",
      SERVICE_LDAP_ATTR_UNIQUE_ID: "",
    };
    expect(ldapOf(empty).attributes).toEqual(none);
    expect(
      ldapOf({
        SERVICE_LDAP_GROUP_SEARCH_BASE_DNS: '["ou=groups,dc=example,dc=com"]',
        SERVICE_LDAP_GROUP_SEARCH_FILTER: "(memberUid=%s)",
        SERVICE_LDAP_GROUP_SEARCH_FILTER_USER_ATTR: "uid",
      }).groupSearch,
    ).toEqual({
      bases: ["ou=groups,dc=example,dc=com"],
      filter: { kind: "equal", attribute: "memberUid", value: "%s" },
      userAttribute: "uid",
    });
  });

  test("without addresses is one where the unique id tells people apart", () => {
    for (const SERVICE_LDAP_ATTR_EMAIL of ["null", "NULL", ""]) {
      expect(ldapOf({ SERVICE_LDAP_ATTR_EMAIL, SERVICE_LDAP_ATTR_UNIQUE_ID: "entryUUID" }).attributes.email).toBeNull();
    }
    const wrong = {
      SERVICE_LDAP_ATTR_EMAIL: "",
      SERVICE_LDAP_ALLOW_SIGN_UP: "false",
      SERVICE_ADMINS: "a=a@example.com",
    };
    expect(problemsOf(wrong).map((line) => line.split(":")[0]!)).toEqual([
      "SERVICE_LDAP_ATTR_UNIQUE_ID",
      "SERVICE_LDAP_ALLOW_SIGN_UP",
      "SERVICE_ADMINS",
    ]);
  });

  test("maps groups in the order of the setting, by name in any spelling", () => {
    const mappings = JSON.stringify([
      { group_dn: "CN=Admins, OU=Groups", role: "Admin", note: "any" },
      { group_dn: " * ", role: "MEMBER" },
    ]);
    expect(ldapOf({ SERVICE_LDAP_GROUP_ROLE_MAPPINGS: mappings }).roleMappings).toEqual([
      { group: canonicalName("cn=admins,ou=groups")!, role: "ADMIN" },
      { group: null, role: "MEMBER" },
    ]);
  });

  test("has all of its problems reported at once, and with authentication off, too", () => {
    const problems = problemsOf({
      SERVICE_LDAP_TLS_MODE: "ssl",
      SERVICE_LDAP_USER_SEARCH_BASE_DNS: "[]",
      SERVICE_LDAP_USER_SEARCH_FILTER: "((uid=%s)",
      SERVICE_LDAP_ATTR_EMAIL: "e mail",
      SERVICE_LDAP_BIND_DN: "zzz",
      SERVICE_LDAP_GROUP_ROLE_MAPPINGS: "x",
    });
    expect(problems.map((line) => line.split(":")[0]!)).toEqual([
      "SERVICE_LDAP_TLS_MODE",
      "SERVICE_LDAP_BIND_DN",
      "SERVICE_LDAP_USER_SEARCH_BASE_DNS",
      "SERVICE_LDAP_USER_SEARCH_FILTER",
      "SERVICE_LDAP_ATTR_EMAIL",
      "SERVICE_LDAP_GROUP_ROLE_MAPPINGS",
      "SERVICE_LDAP_BIND_DN",
    ]);
    expect(problems[3]).toBe(
      "SERVICE_LDAP_USER_SEARCH_FILTER: SERVICE_LDAP_USER_SEARCH_FILTER is no LDAP filter: this is no comparison: ((uid=%s).",
    );
  });

  test("is another way in, so that passwords of ours may be switched off", () => {
    const secret = "abcdefghij0123456789abcdefghij01";
    const off = { SERVICE_ENABLE_AUTH: "true", SERVICE_SECRET: secret, SERVICE_DISABLE_BASIC_AUTH: "true" };
    expect(loadSettings({ ...least, ...off }).config.authentication).toMatchObject({
      basicAuthDisabled: true,
      adminMethod: "LDAP",
    });
    expect(loadSettings(least).config.authentication.adminMethod).toBe("LOCAL");
    expect(refusalOf(off).problems.length).toBe(1);
  });
});
