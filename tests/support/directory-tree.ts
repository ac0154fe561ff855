// The entries of the test directory: two branches with people, and groups of three kinds.

export const SUFFIX = "dc=example,dc=com";
export const PEOPLE = `ou=people,${SUFFIX}`;
export const CONTRACTORS = `ou=contractors,${SUFFIX}`;
const GROUPS = `ou=groups,${SUFFIX}`;
/** Of posixGroup, which name people by their uid. */
export const UNIX_GROUPS = `ou=unix,${SUFFIX}`;
/** The account that searches. */
export const SEARCH_NAME = `cn=search,${SUFFIX}`;
export const SEARCH_PASSWORD = "search-password";
/** Unix groups of the person `many`, beyond what a server gives at once. */
const MANY_GROUPS = 1200;

export interface DirectoryUser {
  readonly uid: string;
  readonly name: string;
  readonly password: string;
}

/** The name of an entry of the people, escaped. */
const person = (uid: string, branch = PEOPLE) => `uid=${uid.replace(/[,+"\\<>;=#]/g, "\\$&")},${branch}`;

export const passwordOf = (uid: string) => `password of ${uid}`;

interface Person {
  readonly uid: string;
  readonly branch?: string;
  readonly mail?: string | null;
  readonly displayName?: string | null;
}

const people: readonly Person[] = [
  { uid: "ada", displayName: "Ada Lovelace", mail: "Ada@Example.com" },
  { uid: "bob", branch: CONTRACTORS, displayName: "Bob", mail: "bob@example.com" },
  { uid: "cleo", displayName: "Cleo", mail: "cleo@example.com" },
  // In no group.
  { uid: "dan", displayName: null, mail: "dan@example.com" },
  // Without an address.
  { uid: "eve", displayName: "Eve", mail: null },
  // Twice in one branch, and a second time in the other.
  { uid: "twin", branch: `ou=left,${PEOPLE}`, mail: "twin1@example.com" },
  { uid: "twin", branch: `ou=right,${PEOPLE}`, mail: "twin2@example.com" },
  { uid: "both", displayName: "First", mail: "first@example.com" },
  { uid: "both", branch: CONTRACTORS, displayName: "Second", mail: "second@example.com" },
  // Names that mean something in a filter or in a distinguished name.
  { uid: "a*(b)\\", mail: "star@example.com" },
  { uid: "Lovelace, Ada+x", mail: "comma@example.com" },
  { uid: "zoë", displayName: "Zoë", mail: "zoe@example.com" },
  { uid: "many", mail: "many@example.com" },
];

export const ADMINS = `cn=admins,${GROUPS}`;
export const MEMBERS = `cn=Members\\, all of them,${GROUPS}`;

export const groups: readonly { readonly name: string; readonly members: readonly string[] }[] = [
  { name: ADMINS, members: [person("ada")] },
  {
    name: MEMBERS,
    members: [person("ada"), person("bob", CONTRACTORS), person("cleo"), person("Lovelace, Ada+x"), person("zoë")],
  },
];

/** LDIF; values in Base64, so that any may stand there. */
export function treeOf(): string {
  const entry = (name: string, attributes: Readonly<Record<string, readonly string[]>>) =>
    [
      line("dn", name),
      ...Object.entries(attributes).flatMap(([attribute, values]) => values.map((value) => line(attribute, value))),
      "",
    ].join("\n");
  const unit = (name: string) => entry(name, { objectClass: ["organizationalUnit"] });
  return [
    entry(SUFFIX, { objectClass: ["dcObject", "organization"], o: ["Example"] }),
    ...[PEOPLE, CONTRACTORS, `ou=left,${PEOPLE}`, `ou=right,${PEOPLE}`, GROUPS, UNIX_GROUPS].map(unit),
    entry(SEARCH_NAME, {
      objectClass: ["organizationalRole", "simpleSecurityObject"],
      userPassword: [SEARCH_PASSWORD],
    }),
    ...people.map(({ uid, branch, mail = null, displayName = null }) =>
      entry(person(uid, branch), {
        objectClass: ["inetOrgPerson"],
        cn: [uid],
        sn: [uid],
        userPassword: [passwordOf(uid)],
        ...(mail === null ? {} : { mail: [mail, "second@elsewhere.example"] }),
        ...(displayName === null ? {} : { displayName: [displayName] }),
      }),
    ),
    unixGroup("developers", 1, ["ada", "cleo"]),
    ...Array.from({ length: MANY_GROUPS }, (_, index) => unixGroup(`team${index}`, index + 2, ["many"])),
  ].join("\n");

  function unixGroup(name: string, number: number, members: readonly string[]): string {
    return entry(`cn=${name},${UNIX_GROUPS}`, {
      objectClass: ["posixGroup"],
      gidNumber: [String(number)],
      memberUid: members,
    });
  }
}

function line(attribute: string, value: string): string {
  return `${attribute}:: ${Buffer.from(value).toString("base64")}`;
}
