// The conversation with a directory, message by message, against servers that answer what the test says.
import { describe, expect, test } from "bun:test";
import type { Variables } from "../../../../../src/config/environment.ts";
import {
  ada,
  askDirectory as ask,
  ordinary,
  RIGHT,
  startedForTest as start,
  USER,
} from "../../../../support/directory-questions.ts";
import type { Script, ScriptedEntry } from "../../../../support/scripted-directory.ts";
import { until } from "../../../../support/until.ts";

const known = {
  kind: "known",
  person: { email: "ada@corp.example", uniqueId: null, displayName: "Ada", role: "ADMIN" },
};
const refused = (reason: string) => ({ kind: "refused", reason });

describe("the conversation", () => {
  test("is bind, search in each base until one has the person, and the password on a connection of its own", async () => {
    const directory = await start({
      ...ordinary,
      search: (request) => ({ entries: request.base.startsWith("OU=Guests") ? [ada] : [] }),
    });
    const account = { SERVICE_LDAP_BIND_DN: "cn=search,dc=corp", SERVICE_LDAP_BIND_PASSWORD: RIGHT };
    expect((await ask(directory, { variables: account })).answer as unknown).toEqual(known);
    const filter = "(&(objectclass=user)(samaccountname=ada))";
    const search = { kind: "search", filter, attributes: ["mail", "displayName", "memberOf"], sizeLimit: 2 };
    expect(directory.received.filter(({ kind }) => kind !== "unbind")).toMatchObject([
      { kind: "bind", name: "cn=search,dc=corp", password: RIGHT, connection: 1 },
      { ...search, base: "OU=People,DC=corp,DC=example", connection: 1 },
      { ...search, base: "OU=Guests,DC=corp,DC=example", connection: 1 },
      { kind: "bind", name: USER, password: RIGHT, connection: 2 },
    ]);
    await until(() => directory.open === 0);
  });

  test("does not look in later bases once one has the person", async () => {
    const directory = await start(ordinary);
    await ask(directory);
    expect(directory.received.filter(({ kind }) => kind === "search").length).toBe(1);
  });

  test("asks for the person without a name where no account searches", async () => {
    const directory = await start(ordinary);
    expect((await ask(directory)).answer as unknown).toEqual(known);
    expect(directory.received.map(({ kind }) => kind).slice(0, 2)).toEqual(["search", "bind"]);
  });

  test("asks for every attribute of the settings by name, that of the group filter too", async () => {
    const directory = await start(ordinary);
    const variables = {
      SERVICE_LDAP_ATTR_DISPLAY_NAME: "cn",
      SERVICE_LDAP_ATTR_MEMBER_OF: "",
      SERVICE_LDAP_ATTR_UNIQUE_ID: "objectGUID",
      SERVICE_LDAP_GROUP_SEARCH_BASE_DNS: '["OU=Groups,DC=corp"]',
      SERVICE_LDAP_GROUP_SEARCH_FILTER: "(member=%s)",
      SERVICE_LDAP_GROUP_SEARCH_FILTER_USER_ATTR: "mail",
    };
    await ask(directory, { variables });
    expect(directory.received[0]).toMatchObject({ attributes: ["mail", "cn", "objectGUID"] });
  });

  test("sends the filter as it was written, and a name as nothing but a value", async () => {
    const directory = await start({ ...ordinary, search: () => ({}) });
    const SERVICE_LDAP_USER_SEARCH_FILTER = "(|(uid=%s)(mail=%s@x)(!(cn=*%s*))(memberOf:1.2.840.113556.1.4.1941:=%s))";
    await ask(directory, { username: "*)(uid=\\\0a", variables: { SERVICE_LDAP_USER_SEARCH_FILTER } });
    const name = "\\2a\\29\\28uid=\\5c\\00a";
    expect(directory.received[0]).toMatchObject({
      filter: `(|(uid=${name})(mail=${name}@x)(!(cn=*${name}*))(memberOf:1.2.840.113556.1.4.1941:=${name}))`,
    });
  });

  test("takes as many messages for an unknown name as for a wrong password", async () => {
    const messages = async (username: string) => {
      const directory = await start({
        ...ordinary,
        search: ({ filter, base }) => ({
          entries: filter.includes("=ada)") && base.startsWith("OU=Guests") ? [ada] : [],
        }),
      });
      const { answer } = await ask(directory, { username, password: "wrong" });
      const last = directory.received.findLast(({ kind }) => kind === "bind");
      return { answer, last, kinds: directory.received.map(({ kind, connection }) => `${kind} ${connection}`) };
    };
    const wrong = await messages("ada");
    const nobody = await messages("nobody");
    expect(wrong.answer).toMatchObject(refused("wrong_password"));
    expect(nobody.answer).toMatchObject(refused("not_found"));
    expect(nobody.kinds).toEqual(wrong.kinds);
    expect(nobody.last).toMatchObject({
      name: expect.stringMatching(/^cn=dummy-[0-9a-f]{16},dc=invalid,dc=local$/),
      password: "wrong",
    });
  });

  test("for the doctor ends before the password", async () => {
    const directory = await start(ordinary);
    expect((await ask(directory, { password: null })).answer as unknown).toEqual(known);
    expect((await ask(directory, { password: null, username: "nobody" })).answer).toMatchObject(refused("not_found"));
    expect(directory.received.filter(({ kind }) => kind === "bind")).toEqual([]);
  });
});

describe("a person", () => {
  test("of whom there are two in one base is nobody", async () => {
    const directory = await start({
      ...ordinary,
      search: () => ({ entries: [ada, { ...ada, name: "CN=Other,DC=corp" }] }),
    });
    expect((await ask(directory)).answer).toMatchObject(refused("ambiguous"));
    expect(directory.received.filter(({ kind }) => kind === "bind")).toMatchObject([
      { name: expect.stringMatching(/^cn=dummy-/) },
    ]);
  });

  test("without a name of their own is nobody: binding with it would prove nothing", async () => {
    for (const name of ["", "EXTERNAL", "PLAIN", "no name"]) {
      const directory = await start({ bind: () => ({}), search: () => ({ entries: [{ ...ada, name }] }) });
      expect((await ask(directory)).answer).toMatchObject(refused("entry_unusable"));
    }
  });

  test("needs an address and a unique id where the settings name them; which ones came is told by name", async () => {
    const of = async (attributes: ScriptedEntry["attributes"], variables: Variables = {}) => {
      const directory = await start({
        ...ordinary,
        search: () => ({ entries: [{ name: USER, ...(attributes && { attributes }) }] }),
      });
      return (await ask(directory, { variables })).answer;
    };
    expect(await of({ mail: ["", "  "], displayName: ["Ada"] })).toMatchObject({
      ...refused("email_missing"),
      facts: { attributes: "displayname,mail" },
    });
    expect(await of({ mail: [Uint8Array.of(0xff, 0xfe)] })).toMatchObject(refused("email_missing"));
    expect(await of({ mail: ["a@b.co"], objectGUID: [] }, { SERVICE_LDAP_ATTR_UNIQUE_ID: "objectGUID" })).toMatchObject(
      refused("unique_id_missing"),
    );
    expect(await of({ MAIL: [" Ada@Corp.Example ", "second@corp.example"] })).toMatchObject({
      person: { email: "Ada@Corp.Example", displayName: null },
    });
  });

  test("of Active Directory has a GUID in bytes, whatever the letter case of the setting", async () => {
    const objectGUID = [Buffer.from("33221100554477668899aabbccddeeff", "hex")];
    const directory = await start({
      ...ordinary,
      search: () => ({ entries: [{ name: USER, attributes: { ...ada.attributes, objectGUID } }] }),
    });
    for (const SERVICE_LDAP_ATTR_UNIQUE_ID of ["objectGUID", "OBJECTguid"]) {
      expect((await ask(directory, { variables: { SERVICE_LDAP_ATTR_UNIQUE_ID } })).answer).toMatchObject({
        person: { uniqueId: "00112233-4455-6677-8899-aabbccddeeff" },
      });
    }
    // Bytes that begin as texts with a mark do, which readers of texts leave out.
    const marked = [Buffer.from("efbbbf61626364656667686970717273", "hex")];
    const other = await start({
      ...ordinary,
      search: () => ({ entries: [{ name: USER, attributes: { ...ada.attributes, objectGUID: marked } }] }),
    });
    expect((await ask(other, { variables: { SERVICE_LDAP_ATTR_UNIQUE_ID: "objectguid" } })).answer).toMatchObject({
      person: { uniqueId: "61bfbbef-6362-6564-6667-686970717273" },
    });
  });

  test("has the groups that Active Directory gives in parts, as far as they come", async () => {
    const attributes = {
      mail: ["a@b.co"],
      memberOf: [],
      "memberOf;range=0-1": ["CN=X,DC=corp", "CN=Admins,DC=corp,DC=example"],
    };
    const directory = await start({ ...ordinary, search: () => ({ entries: [{ name: USER, attributes }] }) });
    expect((await ask(directory)).answer).toMatchObject({ person: { role: "ADMIN" } });
  });

  test("with thousands of groups is read whole", async () => {
    const memberOf = Array.from({ length: 20_000 }, (_, index) => `CN=Group ${index},OU=Groups,DC=corp,DC=example`);
    memberOf.push("CN=Admins,DC=corp,DC=example");
    const directory = await start({
      ...ordinary,
      search: () => ({ entries: [{ name: USER, attributes: { mail: ["a@b.co"], memberOf } }] }),
    });
    expect((await ask(directory)).answer).toMatchObject({ person: { role: "ADMIN" } });
  });

  test("whom the directory locks out is told from a wrong password by its number", async () => {
    const message = "80090308: LdapErr: DSID-0C0903A9, comment: AcceptSecurityContext error, data 775, v1db1";
    const directory = await start({ ...ordinary, bind: () => ({ code: 49, message }) });
    expect((await ask(directory)).answer).toMatchObject({
      ...refused("wrong_password"),
      facts: { windows_code: "775" },
    });
  });

  test("whose password no server checks is refused like one with a wrong one", async () => {
    const directory = await start({ ...ordinary, bind: () => ({ code: 53, message: "secret words" }) });
    const { answer, troubles } = await ask(directory);
    expect(answer).toMatchObject(refused("password_unchecked"));
    expect(troubles).toEqual(["127.0.0.1 password: UnwillingToPerform (53)"]);
  });
});

describe("roles", () => {
  const roleOf = async (memberOf: readonly string[], mappings: readonly (readonly [string, string])[]) => {
    const directory = await start({
      ...ordinary,
      search: () => ({ entries: [{ name: USER, attributes: { mail: ["a@b.co"], memberOf } }] }),
    });
    const SERVICE_LDAP_GROUP_ROLE_MAPPINGS = JSON.stringify(mappings.map(([group_dn, role]) => ({ group_dn, role })));
    const { answer } = await ask(directory, { variables: { SERVICE_LDAP_GROUP_ROLE_MAPPINGS } });
    return answer.kind === "known" ? answer.person.role : null;
  };

  test("are those of the first mapping that fits, not of the highest", async () => {
    const groups = ["CN=A,DC=x", "CN=B,DC=x"];
    expect(
      await roleOf(groups, [
        ["cn=b,dc=x", "VIEWER"],
        ["cn=a,dc=x", "ADMIN"],
      ]),
    ).toBe("VIEWER");
    expect(
      await roleOf(groups, [
        ["*", "MEMBER"],
        ["cn=a,dc=x", "ADMIN"],
      ]),
    ).toBe("MEMBER");
    expect(
      await roleOf(
        [],
        [
          ["cn=a,dc=x", "ADMIN"],
          ["*", "VIEWER"],
        ],
      ),
    ).toBe("VIEWER");
    expect(await roleOf(groups, [["cn=c,dc=x", "ADMIN"]])).toBeNull();
  });

  test("compare groups as names, and ignore invalid ones", async () => {
    expect(await roleOf(["*", "x", "CN=R\\26D\\2C all , DC=X"], [["cn=r&d\\, all,dc=x", "MEMBER"]])).toBe("MEMBER");
    expect(await roleOf(["*"], [["cn=a,dc=x", "ADMIN"]])).toBeNull();
    expect(
      await roleOf(
        ["CN=Admins,OU=Evil,DC=x"],
        [
          ["cn=admins", "ADMIN"],
          ["dc=x", "ADMIN"],
        ],
      ),
    ).toBeNull();
  });

  const groupSearch = {
    SERVICE_LDAP_GROUP_SEARCH_BASE_DNS: '["OU=One,DC=corp","OU=Two,DC=corp"]',
    SERVICE_LDAP_GROUP_SEARCH_FILTER: "(|(member=%s)(memberUid=%s))",
  };
  const groupsOf = (answer: (base: string) => { code?: number; entries?: ScriptedEntry[] }): Script => ({
    ...ordinary,
    search: ({ base, filter }) =>
      base.startsWith("OU=People")
        ? ordinary.search!({ kind: "search", base, filter, attributes: [], sizeLimit: 0 }, 1)
        : answer(base),
  });
  const admins = { name: "CN=Admins,DC=corp,DC=example" };

  test("come from a search below each base, whose errors pass over that base alone", async () => {
    const directory = await start(
      groupsOf((base) => (base.startsWith("OU=One") ? { code: 32 } : { entries: [admins] })),
    );
    const { answer, troubles } = await ask(directory, { variables: groupSearch });
    expect(answer).toMatchObject({ person: { role: "ADMIN" } });
    expect(troubles).toEqual(["127.0.0.1 groups: NoSuchObject (32)"]);
    expect(directory.received.filter(({ kind }) => kind === "search").slice(1)).toMatchObject([
      { base: "OU=One,DC=corp", filter: "(|(member=ada)(memberuid=ada))", attributes: ["1.1"], connection: 1 },
      { base: "OU=Two,DC=corp" },
    ]);
  });

  test("by an attribute of the person, whose characters mean nothing in the filter", async () => {
    const directory = await start({
      ...ordinary,
      search: ({ base }) =>
        base.startsWith("OU=People")
          ? { entries: [{ name: USER, attributes: { mail: ["a@b.co"], uid: ["a*)(x"] } }] }
          : { entries: [admins] },
    });
    const variables = { ...groupSearch, SERVICE_LDAP_GROUP_SEARCH_FILTER_USER_ATTR: "uid" };
    expect((await ask(directory, { variables })).answer).toMatchObject({ person: { role: "ADMIN" } });
    expect(directory.received.at(-2)).toMatchObject({ filter: "(|(member=a\\2a\\29\\28x)(memberuid=a\\2a\\29\\28x))" });
    const without = await start(groupsOf(() => ({ entries: [admins] })));
    const { answer, troubles } = await ask(without, { variables });
    expect(answer).toMatchObject({ person: { role: "VIEWER" } });
    expect(troubles).toEqual(["127.0.0.1 groups: the person has no attribute uid"]);
  });

  test("count as far as a list goes that the server cuts short, which is reported", async () => {
    const directory = await start(
      groupsOf((base) => (base.startsWith("OU=One") ? { code: 4, entries: [admins] } : {})),
    );
    const { answer, troubles } = await ask(directory, { variables: groupSearch });
    expect(answer).toMatchObject({ person: { role: "ADMIN" } });
    expect(troubles).toEqual(["127.0.0.1 groups: the server gave only the first 1"]);
  });
});
