// The settings of a directory that people sign in from, and how the text of each is read. ldap.ts checks how they go together.
import { isIP } from "node:net";
import { type DirectoryFilter, hasNamePlaceholder, readDirectoryFilter } from "../kernel/directory-filter.ts";
import { canonicalName, isDistinguishedName } from "../kernel/distinguished-name.ts";
import { messageOf } from "../kernel/failure.ts";
import { quoted } from "./findings.ts";
import { accepted, boolean, type Parsed, path, port, refused, type Setting, secret, setting } from "./setting.ts";

const TLS_MODES = ["starttls", "ldaps", "none"] as const;
export type LdapTlsMode = (typeof TLS_MODES)[number];

/** What people can become by a group. */
const MAPPED_ROLES = ["ADMIN", "MEMBER", "VIEWER"] as const;

/** The role that members of a group have. */
export interface RoleMapping {
  /** In the form of `canonicalName`; null for everybody. */
  readonly group: string | null;
  readonly role: (typeof MAPPED_ROLES)[number];
}

const MAPPING_EXAMPLE = '[{"group_dn":"cn=admins,dc=example,dc=com","role":"ADMIN"},{"group_dn":"*","role":"VIEWER"}]';

export const ldapSettings = {
  host: setting<readonly string[]>(
    {
      name: "SERVICE_LDAP_HOST",
      default: [],
      meaning: "Directory servers that people sign in from, separated by commas: while one is away, another is asked.",
    },
    "list",
    (text) => readHosts("SERVICE_LDAP_HOST", text),
  ),
  port: setting<number | null>(
    {
      name: "SERVICE_LDAP_PORT",
      default: null,
      defaultText: "636 for `ldaps`, else 389",
      meaning: "Port of every host.",
      emptyIsUnset: false,
    },
    "port",
    port({ name: "SERVICE_LDAP_PORT", default: 389, meaning: "" }).parse,
  ),
  tlsMode: setting<LdapTlsMode>(
    {
      name: "SERVICE_LDAP_TLS_MODE",
      default: "starttls",
      meaning:
        "`starttls`: encrypted before a password is sent; `ldaps`: encrypted from the start; `none`: in clear text.",
      emptyIsUnset: false,
    },
    "choice",
    (text) => {
      const mode = TLS_MODES.find((known) => known === text.toLowerCase());
      if (mode !== undefined) return accepted(mode);
      return refused(`SERVICE_LDAP_TLS_MODE must be 'none', 'starttls', or 'ldaps'. Got: '${quoted(text)}'`);
    },
  ),
  tlsVerify: boolean({
    name: "SERVICE_LDAP_TLS_VERIFY",
    default: true,
    meaning: "Whether the directory's certificate must be valid. Encrypted it is either way.",
  }),
  authoritiesFile: path({
    name: "SERVICE_LDAP_TLS_CA_CERT_FILE",
    default: null,
    meaning: "PEM file with authorities of the directory's certificate, beside the well-known ones.",
  }),
  clientCertificateFile: path({
    name: "SERVICE_LDAP_TLS_CLIENT_CERT_FILE",
    default: null,
    meaning: "PEM file with a certificate that is shown to the directory.",
  }),
  clientKeyFile: path({
    name: "SERVICE_LDAP_TLS_CLIENT_KEY_FILE",
    default: null,
    meaning: "PEM file with the key of that certificate, not encrypted.",
  }),
  searchName: setting<string | null>(
    {
      name: "SERVICE_LDAP_BIND_DN",
      default: null,
      meaning: "Account that searches the directory; without it the search is anonymous.",
    },
    "text",
    (text) => (isDistinguishedName(text) ? accepted(text) : notAName("SERVICE_LDAP_BIND_DN", text)),
  ),
  searchPassword: secret({
    name: "SERVICE_LDAP_BIND_PASSWORD",
    default: null,
    meaning: "Password of the account that searches.",
  }),
  userBases: bases(
    "SERVICE_LDAP_USER_SEARCH_BASE_DNS",
    'Where people are, in the order of looking: a JSON array such as `["ou=people,dc=example,dc=com"]`. Needed with a host.',
    (found) => found.length > 0,
  ),
  userFilter: filter({
    name: "SERVICE_LDAP_USER_SEARCH_FILTER",
    default: filterOf("(&(objectClass=user)(sAMAccountName=%s))"),
    defaultText: "`(&(objectClass=user)(sAMAccountName=%s))`",
    meaning: "Finds a person; `%s` stands for the name that was typed.",
    placeholder: "placeholder for username",
  }),
  emailAttribute: attribute({
    name: "SERVICE_LDAP_ATTR_EMAIL",
    default: null,
    defaultText: "",
    meaning:
      "Attribute with the e-mail address, such as `mail`. `null`: people have none, and the unique id tells them apart. Needed with a host.",
    emptyIsUnset: false,
  }),
  displayNameAttribute: attribute({
    name: "SERVICE_LDAP_ATTR_DISPLAY_NAME",
    default: "displayName",
    meaning: "Attribute that names a new account. Empty: the name that was typed.",
    emptyIsUnset: false,
  }),
  memberOfAttribute: attribute({
    name: "SERVICE_LDAP_ATTR_MEMBER_OF",
    default: "memberOf",
    meaning: "Attribute of a person with the names of the groups. Empty: none are read.",
    emptyIsUnset: false,
  }),
  uniqueIdAttribute: attribute({
    name: "SERVICE_LDAP_ATTR_UNIQUE_ID",
    default: null,
    meaning: "Attribute that never changes, such as `entryUUID` or `objectGUID`: accounts then outlive a new address.",
  }),
  groupBases: bases(
    "SERVICE_LDAP_GROUP_SEARCH_BASE_DNS",
    "Where groups are: a JSON array. Needed with a group filter.",
    () => true,
  ),
  groupFilter: filter({
    name: "SERVICE_LDAP_GROUP_SEARCH_FILTER",
    default: null,
    meaning:
      "Finds the groups of a person, such as `(memberUid=%s)`. Without it they are read from the person's entry.",
    placeholder: "placeholder",
  }),
  groupUserAttribute: attribute({
    name: "SERVICE_LDAP_GROUP_SEARCH_FILTER_USER_ATTR",
    default: null,
    meaning: "Attribute of the person that `%s` of the group filter stands for. Without it: the name that was typed.",
  }),
  roleMappings: setting<readonly RoleMapping[]>(
    {
      name: "SERVICE_LDAP_GROUP_ROLE_MAPPINGS",
      default: [],
      defaultText: "",
      meaning: `Role by group, the first that fits: \`${MAPPING_EXAMPLE}\`. The group \`*\` is everybody. Needed with a host.`,
      emptyIsUnset: false,
    },
    "list",
    (text) => readRoleMappings("SERVICE_LDAP_GROUP_ROLE_MAPPINGS", text),
  ),
  allowSignUp: boolean({
    name: "SERVICE_LDAP_ALLOW_SIGN_UP",
    default: true,
    meaning: "Whether a person without an account gets one; else an administrator makes it first.",
  }),
} as const;

/** The warning for `SERVICE_LDAP_GROUP_ROLE_MAPPINGS` without an entry. */
export const mappingsMissing = `SERVICE_LDAP_GROUP_ROLE_MAPPINGS must contain at least one mapping. Example: ${MAPPING_EXAMPLE}`;

const HOST_NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?$/;

function readHosts(name: string, text: string): Parsed<readonly string[]> {
  const hosts = text.split(",").map((entry) => entry.trim().replace(/^\[(.*)\]$/, "$1"));
  const named = [...new Set(hosts.filter((entry) => entry !== ""))];
  if (named.length === 0) {
    return refused(`${name} must contain at least one non-empty host. Example: ldap1.example.com,ldap2.example.com`);
  }
  for (const entry of named) {
    if (isIP(entry) !== 0 || HOST_NAME.test(entry)) continue;
    return refused(
      `${name} has an entry that is no host name and no address: '${quoted(entry)}'.`,
      "the port is SERVICE_LDAP_PORT, and the scheme SERVICE_LDAP_TLS_MODE",
    );
  }
  return accepted(named);
}

/** Null where the empty text, or the word `null`, asks for none. */
function attribute<Default extends string | null>(row: {
  readonly name: string;
  readonly default: Default;
  readonly defaultText?: string;
  readonly meaning: string;
  readonly emptyIsUnset?: boolean;
}): Setting<string | null> {
  return setting<string | null>(row, "text", (text) => {
    if (text === "" || text.toLowerCase() === "null") return accepted(null);
    if (/\s/.test(text)) {
      const joined = text.replace(/\s+/g, "");
      return refused(
        `${row.name}='${quoted(text)}' contains spaces. LDAP attribute names do not contain spaces. Did you mean '${quoted(joined)}'?`,
      );
    }
    if (ATTRIBUTE.test(text)) return accepted(text);
    return refused(`${row.name}='${quoted(text)}' is no LDAP attribute name.`, "examples: mail, displayName");
  });
}

const ATTRIBUTE = /^(?:[A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)+)(?:;[A-Za-z0-9-]+)*$/;

function filterOf(text: string): DirectoryFilter {
  const read = readDirectoryFilter(text);
  if (typeof read === "string") throw new Error(read);
  return read;
}

function filter<Default extends DirectoryFilter | null>(row: {
  readonly name: string;
  readonly default: Default;
  readonly defaultText?: string;
  readonly meaning: string;
  /** As the refusal calls `%s`. */
  readonly placeholder: string;
}): Setting<DirectoryFilter | Default> {
  return setting<DirectoryFilter | Default>(row, "text", (text) => {
    const read = readDirectoryFilter(text);
    const isFilter = typeof read !== "string";
    if (!(isFilter ? hasNamePlaceholder(read) : text.includes("%s"))) {
      return refused(`${row.name} must contain '%s' ${row.placeholder}. Got: '${quoted(text)}'`);
    }
    return isFilter ? accepted(read) : refused(`${row.name} is no LDAP filter: ${quoted(read)}.`);
  });
}

function notAName(what: string, text: string): Parsed<never> {
  return refused(
    `${what} has invalid LDAP DN syntax: '${quoted(text)}'. Expected a name such as ou=people,dc=example,dc=com`,
  );
}

/** JSON of a setting that must be an array. */
function readArray(name: string, text: string, example: string): Parsed<readonly unknown[]> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refused(`${name} is not valid JSON: ${messageOf(error)}`, `example: ${example}`);
  }
  return Array.isArray(value) ? accepted(value) : refused(`${name} must be a JSON array. Example: ${example}`);
}

function bases(
  name: string,
  meaning: string,
  isEnough: (found: readonly unknown[]) => boolean,
): Setting<readonly string[]> {
  return setting<readonly string[]>({ name, default: [], defaultText: "", meaning }, "list", (text) => {
    const example = '["ou=people,dc=example,dc=com"]';
    const array = readArray(name, text, example);
    if (!array.ok) return array;
    if (!isEnough(array.value)) return refused(`${name} must contain at least one base DN. Example: ${example}`);
    const found: string[] = [];
    for (const [index, base] of array.value.entries()) {
      if (typeof base !== "string") return refused(`${name}[${index}] must be a string`);
      if (!isDistinguishedName(base)) return notAName(`${name}[${index}]`, base);
      found.push(base);
    }
    return accepted(found);
  });
}

function readRoleMappings(name: string, text: string): Parsed<readonly RoleMapping[]> {
  const array = readArray(name, text, MAPPING_EXAMPLE);
  if (!array.ok) return array;
  if (array.value.length === 0) return refused(mappingsMissing);
  const mappings: RoleMapping[] = [];
  for (const [index, entry] of array.value.entries()) {
    const mapping = readRoleMapping(`${name}[${index}]`, entry);
    if (!mapping.ok) return mapping;
    mappings.push(mapping.value);
  }
  return accepted(mappings);
}

function readRoleMapping(place: string, entry: unknown): Parsed<RoleMapping> {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    const kind = entry === null ? "null" : Array.isArray(entry) ? "array" : typeof entry;
    return refused(`${place} must be an object. Got: ${kind}`);
  }
  const { group_dn: group, role } = entry as { group_dn?: unknown; role?: unknown };
  if (group === undefined) return refused(`${place} missing required field 'group_dn'`);
  if (role === undefined) return refused(`${place} missing required field 'role'`);
  if (typeof group !== "string" || group.trim() === "") {
    return refused(`${place}.group_dn must be a non-empty string`);
  }
  const canonical = canonicalName(group);
  const isEverybody = group.trim() === "*";
  if (!isEverybody && canonical === null) return notAName(`${place}.group_dn`, group);
  const known = MAPPED_ROLES.find((word) => typeof role === "string" && word === role.trim().toUpperCase());
  if (known === undefined) {
    const got = quoted(typeof role === "string" ? role : JSON.stringify(role));
    return refused(`${place}: role must be one of ${MAPPED_ROLES.join(", ")} (case-insensitive). Got: '${got}'`);
  }
  return accepted({ group: isEverybody ? null : canonical, role: known });
}
