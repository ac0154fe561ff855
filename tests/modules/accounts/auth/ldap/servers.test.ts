// Servers of a directory that are away, slow, broken or not who they say: which trouble leads to the next one, and that no password
// is sent to a server that did not prove itself.
import { describe, expect, test } from "bun:test";
import { connectDirectory } from "../../../../../src/modules/accounts/auth/ldap/directory-client.service.ts";
import { selfSignedCertificate } from "../../../../support/certificate.ts";
import {
  ada,
  askDirectory as ask,
  certificate,
  limits,
  ordinary,
  startedForTest as start,
} from "../../../../support/directory-questions.ts";
import type { Script, ScriptedDirectory } from "../../../../support/scripted-directory.ts";
import { until } from "../../../../support/until.ts";

const starttls = { SERVICE_LDAP_TLS_MODE: "starttls" };
const encrypted: Script = { ...ordinary, certificate };

/** Secrets that a server received. */
const secrets = ({ received }: ScriptedDirectory) =>
  received.filter(({ kind }) => kind === "bind" || kind === "search");

describe("the next server", () => {
  /** The first host of the list is always asked first: it is the scripted one at 127.0.0.1, the second the same port at 127.0.0.2. */
  const hosts = { SERVICE_LDAP_HOST: "127.0.0.1,127.0.0.2" };

  /** Whether a second server was asked after this one. */
  async function leadsOn(script: Script, asked: Parameters<typeof ask>[1] = {}) {
    const directory = await start(script);
    const { answer, troubles } = await ask(directory, { ...asked, variables: { ...hosts, ...asked.variables } });
    await until(() => directory.open === 0);
    return {
      kind: answer.kind,
      first: troubles[0],
      isAsked: troubles.some((line) => line.startsWith("127.0.0.2 connect")),
    };
  }

  test("is asked after trouble with this one", async () => {
    const cases: readonly (readonly [Script, string])[] = [
      [{ search: () => ({ code: 51 }) }, "person: Busy (51)"],
      [{ search: () => ({ code: 52 }) }, "person: Unavailable (52)"],
      [{ search: () => ({ code: 1 }) }, "person: Operations (1)"],
      [{ search: () => ({ code: 32 }) }, "person: NoSuchObject (32)"],
      [{ search: () => ({ code: 10 }) }, "person: UnknownStatusCode (10)"],
      [{ search: () => "close" }, "person: connection lost"],
      [{ search: () => "silence" }, "person: no answer in time"],
      [{ search: () => Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n") }, "person: no answer in time"],
      [{ search: () => Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff, 0x02]) }, "person: no answer in time"],
      [{ ...ordinary, bind: () => "silence" }, "password: no answer in time"],
      [{ ...ordinary, bind: () => "close" }, "password: connection lost"],
      [{ ...ordinary, bind: () => ({ code: 14 }) }, "password: SaslBindInProgress (14)"],
    ];
    for (const [script, trouble] of cases) {
      const { first, isAsked } = await leadsOn(script);
      expect(first).toBe(`127.0.0.1 ${trouble}`);
      expect(`${trouble}: ${isAsked}`).toBe(`${trouble}: true`);
    }
  });

  test("is asked when the account that searches is refused, and answers then", async () => {
    const account = { SERVICE_LDAP_BIND_DN: "cn=search,dc=corp", SERVICE_LDAP_BIND_PASSWORD: "old" };
    expect(await leadsOn(ordinary, { variables: account })).toMatchObject({
      kind: "unavailable",
      first: "127.0.0.1 search account: wrong password",
      isAsked: true,
    });
    const second = await start(ordinary);
    const away = { ...account, SERVICE_LDAP_BIND_PASSWORD: "right password", SERVICE_LDAP_HOST: "127.0.0.9,127.0.0.1" };
    const { answer, troubles } = await ask(second, { variables: away });
    expect(answer.kind).toBe("known");
    expect(troubles).toEqual(["127.0.0.9 connect: ECONNREFUSED"]);
  });

  test("is not asked once this one has answered about the person", async () => {
    const twice: Script = { ...ordinary, search: () => ({ entries: [ada, ada] }) };
    const cases: readonly (readonly [Script, string, string])[] = [
      [ordinary, "ada", "right password"],
      [ordinary, "ada", "wrong"],
      [ordinary, "nobody", "wrong"],
      [twice, "ada", "right password"],
    ];
    for (const [script, username, password] of cases) {
      expect((await leadsOn(script, { username, password })).isAsked).toBeFalse();
    }
    const { answer } = await ask(await start({ ...ordinary, bind: () => "close" }), { username: "nobody" });
    expect(answer).toMatchObject({ kind: "refused", reason: "not_found" });
  });

  test("is not asked when the time of the sign-in is over, and every connection is closed then", async () => {
    const directory = await start({ search: () => "silence" });
    const { answer, troubles } = await ask(directory, { variables: hosts, totalMs: 100 });
    expect(answer).toEqual({ kind: "unavailable" });
    expect(troubles).toEqual(["127.0.0.1 person: connection lost"]);
    await until(() => directory.open === 0);
  });

  test("is drawn again for every sign-in", async () => {
    const names = { SERVICE_LDAP_HOST: "127.0.0.1,127.0.0.2,127.0.0.3" };
    const firsts = new Set<string>();
    const nobody = { port: 1 };
    for (let asked = 0; asked < 60; asked++)
      firsts.add((await ask(nobody, { variables: names, isDrawn: true })).troubles[0]!);
    expect(firsts.size).toBe(3);
  });
});

describe("a connection", () => {
  test("that the server has ended is not opened again", async () => {
    const directory = await start({ bind: () => ({ isLast: true }) });
    const tls = { mode: "none", verify: true, authorities: null, client: null } as const;
    const place = { port: directory.port, tls };
    const client = await connectDirectory(place, "127.0.0.1", limits, AbortSignal.timeout(20_000));
    expect(await client.bind("search account", "cn=search,dc=corp", "p")).toEqual({ isRight: true });
    await until(() => directory.open === 0);
    const search = {
      base: "dc=corp",
      filter: { kind: "present", attribute: "cn" },
      attributes: ["cn"],
      bytes: null,
      most: 2,
    } as const;
    expect(await client.search("person", search).catch(String)).toContain("person: connection lost");
    expect(directory.received.map(({ kind, connection }) => `${kind} ${connection}`)).toEqual(["bind 1"]);
  });

  test("that brings more than any directory has is ended", async () => {
    const entry = { name: ada.name, attributes: { mail: ["x".repeat(9 * 1024 * 1024)] } };
    const directory = await start({ ...ordinary, search: () => ({ entries: [entry, entry] }) });
    const { answer, troubles } = await ask(directory, { operationMs: 30_000 });
    expect(answer).toEqual({ kind: "unavailable" });
    expect(troubles).toEqual(["127.0.0.1 person: connection lost"]);
  });
});

describe("referrals", () => {
  test("are not followed, whoever is named", async () => {
    const other = await start(ordinary);
    const references = [`ldap://127.0.0.1:${other.port}/DC=corp`];
    const directory = await start({ ...ordinary, search: () => ({ references }) });
    expect((await ask(directory)).answer).toMatchObject({ kind: "refused", reason: "not_found" });
    const beside = await start({ ...ordinary, search: () => ({ references, entries: [ada] }) });
    expect((await ask(beside)).answer.kind).toBe("known");
    expect(other.received).toEqual([]);
  });
});

describe("encryption", () => {
  test("by STARTTLS comes before everything, on both connections", async () => {
    const directory = await start(encrypted);
    const account = { SERVICE_LDAP_BIND_DN: "cn=search,dc=corp", SERVICE_LDAP_BIND_PASSWORD: "right password" };
    expect((await ask(directory, { variables: { ...starttls, ...account } })).answer.kind).toBe("known");
    expect(secrets(directory).map(({ kind, connection, isEncrypted }) => [kind, connection, isEncrypted])).toEqual([
      ["bind", 1, true],
      ["search", 1, true],
      ["bind", 2, true],
    ]);
  });

  test("that is refused, or answered with something else, is the end: nothing is sent in clear text", async () => {
    const silentAfter = { ...ordinary, startTls: () => ({}) };
    const success = Buffer.from("300c02010161070a010004000400", "hex");
    const cases: readonly (readonly [Script, string])[] = [
      [{ ...encrypted, startTls: () => ({ code: 2 }) }, "starttls: refused with result code 2"],
      [{ ...encrypted, startTls: () => "close" }, "starttls: connection closed"],
      [{ ...encrypted, startTls: () => "silence" }, "starttls: no answer in 1 s"],
      [{ ...encrypted, startTls: () => success }, "starttls: unexpected answer"],
      [{ ...encrypted, startTls: () => Buffer.from("HTTP/1.1 400 Bad Request\r\n") }, "starttls: unexpected answer"],
      // A successful bind that somebody put behind the agreement, for the library to find later.
      [{ ...encrypted, startTls: () => ({ behind: success.subarray(0, -1) }) }, "starttls: unexpected answer"],
      // Agrees, and never encrypts.
      [silentAfter, "starttls: no answer in 1 s"],
    ];
    for (const [script, trouble] of cases) {
      const directory = await start(script);
      const { answer, troubles } = await ask(directory, { variables: starttls });
      expect(answer).toEqual({ kind: "unavailable" });
      expect(troubles).toEqual([`127.0.0.1 ${trouble}`]);
      expect(secrets(directory)).toEqual([]);
      await until(() => directory.open === 0);
    }
  });

  test("with a certificate of another name or of nobody known is the end, unless it is not checked: then it is encrypted", async () => {
    const strange: Script = { ...ordinary, certificate: selfSignedCertificate(["127.0.0.1"]) };
    const named = { ...starttls, SERVICE_LDAP_HOST: "localhost" };
    for (const [script, variables] of [
      [strange, starttls],
      [encrypted, named],
    ] as const) {
      const directory = await start(script);
      expect((await ask(directory, { variables })).answer).toEqual({ kind: "unavailable" });
      expect(secrets(directory)).toEqual([]);
      const trusting = { ...variables, SERVICE_LDAP_TLS_VERIFY: "false" };
      expect((await ask(directory, { variables: trusting })).answer.kind).toBe("known");
      expect(secrets(directory).every(({ isEncrypted }) => isEncrypted)).toBeTrue();
    }
  });

  test("is never given up by a connection that is opened again: one that the server closes stays closed", async () => {
    const account = { SERVICE_LDAP_BIND_DN: "cn=search,dc=corp", SERVICE_LDAP_BIND_PASSWORD: "right password" };
    for (const script of [
      { ...encrypted, search: () => "close" },
      { ...encrypted, bind: () => ({ isLast: true }), search: () => "silence" },
    ] satisfies Script[]) {
      const directory = await start(script);
      const { answer, troubles } = await ask(directory, { variables: { ...starttls, ...account } });
      expect(answer).toEqual({ kind: "unavailable" });
      expect(troubles).toEqual(["127.0.0.1 person: connection lost"]);
      expect(secrets(directory).filter(({ isEncrypted }) => !isEncrypted)).toEqual([]);
      expect(directory.received.filter(({ kind }) => kind === "starttls").length).toBe(1);
    }
  });
});
