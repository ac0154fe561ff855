// `spanlight doctor ldap <username>` as operators run it, against OpenLDAP: every step a line, with what to set where it fails, and no
// secret anywhere.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { SEARCH_NAME, SEARCH_PASSWORD } from "../support/directory-tree.ts";
import { ldapVariables } from "../support/ldap-sign-in.ts";
import { runCommand } from "../support/server.ts";
import { describeWithSlapd, type RunningSlapd, startSlapd } from "../support/slapd.ts";

describeWithSlapd("doctor ldap", () => {
  let slapd: RunningSlapd;
  const outputs: string[] = [];
  beforeAll(async () => {
    slapd = await startSlapd();
  });
  afterAll(async () => {
    await slapd.stop();
    expect(outputs.join("")).not.toContain(SEARCH_PASSWORD);
  });

  async function doctor(username: string, changes: Readonly<Record<string, string>> = {}) {
    const env = {
      ...ldapVariables(slapd),
      SERVICE_LDAP_TLS_CA_CERT_FILE: slapd.certificateFile,
      SERVICE_LDAP_BIND_DN: SEARCH_NAME,
      SERVICE_LDAP_BIND_PASSWORD: SEARCH_PASSWORD,
      SERVICE_LDAP_ATTR_UNIQUE_ID: "entryUUID",
      SERVICE_ENABLE_AUTH: "true",
      SERVICE_SECRET: "service-secret-0123456789-0123456789",
      ...changes,
    };
    const { exitCode, output } = await runCommand(["doctor", "ldap", username], { env });
    outputs.push(output);
    return { exitCode, lines: output.split("\n").filter((line) => line !== "") };
  }

  test("tells each step, what came, and the role", async () => {
    const { exitCode, lines } = await doctor("ada");
    const step = (text: string) => `ok       directory:       127.0.0.1: ${text}`;
    expect(lines.map((line) => line.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, "<id>"))).toEqual([
      "ok       settings:        read, none is wrong",
      step(`connected at port ${slapd.port}, encrypted by STARTTLS`),
      step(`searches as ${SEARCH_NAME}`),
      step("found the person: uid=ada,ou=people,dc=example,dc=com"),
      step("attributes that came: displayname, entryuuid, mail, memberof"),
      step("address: Ada@Example.com (mail)"),
      step("unique id: <id> (entryUUID)"),
      step("name: Ada Lovelace (displayName)"),
      step("groups: cn=admins,ou=groups,dc=example,dc=com | cn=Members\\2C all of them,ou=groups,dc=example,dc=com"),
      step("with the right password the person signs in as ADMIN"),
      "problems: 0, warnings: 0",
    ]);
    expect(exitCode).toBe(0);
  });

  test("says what is wrong and what to set, for each server of its own", async () => {
    const cases: readonly (readonly [string, Readonly<Record<string, string>>, string, string])[] = [
      ["nobody", {}, "no entry has this name", "check SERVICE_LDAP_USER_SEARCH_FILTER"],
      ["twin", {}, "more than one entry has this name", "narrow SERVICE_LDAP_USER_SEARCH_FILTER"],
      ["eve", {}, "the entry has no address", "set SERVICE_LDAP_ATTR_EMAIL"],
      ["dan", {}, "no group of the person has a role", "add one of the groups, or * for everybody"],
      ["ada", { SERVICE_LDAP_ATTR_UNIQUE_ID: "employeeNumber" }, "no unique id", "set SERVICE_LDAP_ATTR_UNIQUE_ID"],
      ["ada", { SERVICE_LDAP_BIND_PASSWORD: "wrong" }, "is refused: wrong password", "check SERVICE_LDAP_BIND_DN"],
      ["ada", { SERVICE_LDAP_PORT: "1" }, "no connection: ECONNREFUSED", "check SERVICE_LDAP_HOST"],
      ["ada", { SERVICE_LDAP_HOST: "localhost" }, "ERR_TLS_CERT_ALTNAME_INVALID", "use a name in SERVICE_LDAP_HOST"],
      ["ada", { SERVICE_LDAP_TLS_CA_CERT_FILE: "" }, "SELF_SIGNED", "set SERVICE_LDAP_TLS_CA_CERT_FILE"],
      [
        "ada",
        { SERVICE_LDAP_TLS_MODE: "ldaps", SERVICE_LDAP_PORT: String(slapd.port) },
        "ECONNRESET",
        "check that SERVICE_LDAP_TLS_MODE goes with the port",
      ],
      [
        "ada",
        { SERVICE_LDAP_USER_SEARCH_BASE_DNS: '["dc=none"]' },
        "NoSuchObject (32)",
        "check SERVICE_LDAP_USER_SEARCH_BASE_DNS",
      ],
      ["ada", { SERVICE_LDAP_HOST: "" }, "no directory is set", "set SERVICE_LDAP_HOST"],
    ];
    for (const [username, changes, said, advice] of cases) {
      const { exitCode, lines } = await doctor(username, changes);
      const wrong = lines.filter((line) => line.startsWith("problem "));
      expect(wrong.length).toBe(1);
      expect(wrong[0]).toContain(said);
      expect(wrong[0]).toContain(`Do: ${advice}`);
      expect(exitCode).toBe(1);
    }
    const both = await doctor("ada", { SERVICE_LDAP_HOST: "127.0.0.1,localhost" });
    expect(both.lines.filter((line) => line.includes("signs in as ADMIN")).length).toBe(1);
    expect(both.lines.filter((line) => line.startsWith("problem ")).length).toBe(1);
  });

  test("warns of groups that do not come, and of authentication that is off", async () => {
    const { exitCode, lines } = await doctor("ada", {
      SERVICE_ENABLE_AUTH: "false",
      SERVICE_LDAP_GROUP_SEARCH_BASE_DNS: '["ou=none,dc=example,dc=com","ou=groups,dc=example,dc=com"]',
      SERVICE_LDAP_GROUP_SEARCH_FILTER: "(member=uid=%s,ou=people,dc=example,dc=com)",
    });
    expect(lines.filter((line) => line.startsWith("warning")).map((line) => line.slice(0, 80))).toEqual([
      expect.stringContaining("nobody signs in"),
      expect.stringContaining("groups: NoSuchObject (32)"),
    ]);
    expect(exitCode).toBe(0);
  });
});
