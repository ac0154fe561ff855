// The directory that people sign in from: its settings together. Without a host none of them has an effect; with one, all are
// checked, with authentication off, too.
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import type { DirectoryFilter } from "../kernel/directory-filter.ts";
import { messageOf } from "../kernel/failure.ts";
import { authenticationSettings } from "./authentication.ts";
import type { Environment } from "./environment.ts";
import { type LdapTlsMode, ldapSettings, mappingsMissing, type RoleMapping } from "./ldap-settings.ts";
import type { Setting, Values } from "./setting.ts";

export interface LdapConfig {
  /** At least one; names or addresses. */
  readonly hosts: readonly string[];
  readonly port: number;
  readonly tls: LdapTls;
  /** Who searches; null searches without a name. */
  readonly searchAccount: { readonly name: string; readonly password: string } | null;
  /** In the order of looking; at least one. */
  readonly userBases: readonly string[];
  readonly userFilter: DirectoryFilter;
  /** Attributes of a person's entry; null where none is asked for. Without an address there is always a unique id. */
  readonly attributes: {
    readonly email: string | null;
    readonly displayName: string | null;
    readonly memberOf: string | null;
    readonly uniqueId: string | null;
  };
  /** Null: groups are those of the person's entry. */
  readonly groupSearch: LdapGroupSearch | null;
  /** At least one; the first that fits decides. */
  readonly roleMappings: readonly RoleMapping[];
  readonly allowSignUp: boolean;
}

interface LdapTls {
  readonly mode: LdapTlsMode;
  readonly verify: boolean;
  /** PEM; null for the well-known ones alone. */
  readonly authorities: string | null;
  /** PEM, shown to the directory; null for none. */
  readonly client: { readonly certificate: string; readonly key: string } | null;
}

interface LdapGroupSearch {
  readonly bases: readonly string[];
  readonly filter: DirectoryFilter;
  /** Whose value stands in the filter; null for the name that was typed. */
  readonly userAttribute: string | null;
}

const { host, tlsMode, tlsVerify, authoritiesFile, clientCertificateFile, clientKeyFile } = ldapSettings;
const { searchName, searchPassword, userBases, emailAttribute, uniqueIdAttribute } = ldapSettings;
const { groupBases, groupFilter, groupUserAttribute, roleMappings, allowSignUp } = ldapSettings;

/** Null without a directory. */
export function readLdap(environment: Environment): LdapConfig | null {
  const { findings } = environment;
  if (!environment.has(host)) {
    for (const unused of Object.values(ldapSettings)) {
      if (environment.has(unused)) findings.warning(unused.name, `has no effect without ${host.name}.`);
    }
    return null;
  }
  const values = environment.readAll(ldapSettings);
  const { tlsMode: mode } = values;
  requireTogether(environment);
  requireEmailMode(environment, values);
  const tls: LdapTls = {
    mode,
    verify: values.tlsVerify,
    authorities: readAuthorities(environment, values.authoritiesFile),
    client: readClient(environment, values.clientCertificateFile, values.clientKeyFile),
  };
  if (mode === "none") {
    findings.warning(tlsMode.name, "is none: every password of the directory travels in clear text.");
  } else if (!values.tlsVerify) {
    findings.warning(tlsVerify.name, "is false: a machine in between could pose as the directory.");
  }
  return {
    hosts: values.host,
    port: values.port ?? (mode === "ldaps" ? 636 : 389),
    tls,
    searchAccount:
      values.searchName === null || values.searchPassword === null
        ? null
        : { name: values.searchName, password: values.searchPassword },
    userBases: values.userBases,
    userFilter: values.userFilter,
    attributes: {
      email: values.emailAttribute,
      displayName: values.displayNameAttribute,
      memberOf: values.memberOfAttribute,
      uniqueId: values.uniqueIdAttribute,
    },
    groupSearch:
      values.groupFilter === null
        ? null
        : { bases: values.groupBases, filter: values.groupFilter, userAttribute: values.groupUserAttribute },
    roleMappings: values.roleMappings,
    allowSignUp: values.allowSignUp,
  };
}

/** Settings that are needed, and those that need another. */
function requireTogether(environment: Environment): void {
  const { findings } = environment;
  if (!environment.has(userBases)) {
    findings.problem(userBases.name, `${userBases.name} must be set. Example: ["ou=people,dc=example,dc=com"]`);
  }
  if (!environment.has(roleMappings)) findings.problem(roleMappings.name, mappingsMissing);
  const needs = (one: Setting<unknown>, other: Setting<unknown>, message: string) => {
    if (environment.has(one) && !environment.has(other)) findings.problem(one.name, `${one.name} ${message}`);
  };
  const search = "Set both, or neither to search without a name.";
  needs(searchName, searchPassword, `is set but ${searchPassword.name} is missing. ${search}`);
  needs(searchPassword, searchName, `is set but ${searchName.name} is missing. ${search}`);
  needs(groupFilter, groupBases, `is set but ${groupBases.name} is missing. Set it to where the groups are.`);
  needs(groupUserAttribute, groupFilter, `is set but ${groupFilter.name} is not. It has no effect without it.`);
  needs(clientCertificateFile, clientKeyFile, `requires ${clientKeyFile.name} to also be set`);
  needs(clientKeyFile, clientCertificateFile, `requires ${clientCertificateFile.name} to also be set`);
}

/** Without addresses only the unique id tells people apart, and no account can be created or named beforehand. */
function requireEmailMode(environment: Environment, values: Values<typeof ldapSettings>): void {
  const { findings } = environment;
  if (!environment.has(emailAttribute)) {
    findings.problem(
      emailAttribute.name,
      `${emailAttribute.name} must be set.`,
      "example: mail; null where people have no address",
    );
    return;
  }
  // Refused on its own, with an error of its own.
  const given = environment.variables[emailAttribute.name]?.trim().toLowerCase();
  if (values.emailAttribute !== null || (given !== "" && given !== "null")) return;
  const when = `when ${emailAttribute.name} is 'null'`;
  if (!environment.has(uniqueIdAttribute)) {
    findings.problem(
      uniqueIdAttribute.name,
      `${uniqueIdAttribute.name} is required ${when}. Set it to an attribute that never changes, such as entryUUID or objectGUID.`,
    );
  }
  if (!values.allowSignUp) {
    findings.problem(
      allowSignUp.name,
      `${allowSignUp.name} must be True ${when}: accounts without an address cannot be made beforehand.`,
    );
  }
  const { admins } = authenticationSettings;
  if (environment.has(admins)) findings.problem(admins.name, `${admins.name} is not supported ${when}.`);
}

function readFileOf(environment: Environment, { name }: Setting<unknown>, file: string | null): string | null {
  if (file === null) return null;
  if (!environment.files.isFile(file)) {
    environment.findings.problem(name, `${name}='${file}' does not exist or is not a file`);
    return null;
  }
  try {
    return environment.files.readText(file);
  } catch (error) {
    environment.findings.problem(name, `${name}='${file}' is not readable (${messageOf(error)})`);
    return null;
  }
}

function readAuthorities(environment: Environment, file: string | null): string | null {
  const pem = readFileOf(environment, authoritiesFile, file);
  return pem === null || parse(environment, authoritiesFile, () => new X509Certificate(pem)) === null ? null : pem;
}

function readClient(
  environment: Environment,
  certificateFile: string | null,
  keyFile: string | null,
): LdapTls["client"] {
  const certificate = readFileOf(environment, clientCertificateFile, certificateFile);
  const key = readFileOf(environment, clientKeyFile, keyFile);
  if (certificate === null || key === null) return null;
  const shown = parse(environment, clientCertificateFile, () => new X509Certificate(certificate));
  const owned = parse<KeyObject>(environment, clientKeyFile, () => createPrivateKey(key));
  if (shown === null || owned === null) return null;
  if (!shown.checkPrivateKey(owned)) {
    environment.findings.problem(
      clientKeyFile.name,
      `The private key does not belong to the certificate of ${clientCertificateFile.name}.`,
    );
  }
  return { certificate, key };
}

function parse<Parsed>(environment: Environment, { name }: Setting<unknown>, read: () => Parsed): Parsed | null {
  try {
    return read();
  } catch {
    const what = name === clientKeyFile.name ? "private key that is not encrypted" : "certificate";
    environment.findings.problem(name, `The file holds no PEM ${what}.`);
    return null;
  }
}
