// Settings of a service whose people are in the test directory, and what a sign-in by it answers.
import { ADMINS, CONTRACTORS, MEMBERS, PEOPLE } from "./directory-tree.ts";
import type { SignInServer } from "./sign-in.ts";
import type { RunningSlapd } from "./slapd.ts";

/** Where the settings have the certificate of the directory. */
export const AUTHORITIES = "/authorities.pem";

/** STARTTLS, both branches, groups from the entries of people. */
export function ldapVariables({ port }: Pick<RunningSlapd, "port">): Record<string, string> {
  return {
    SERVICE_LDAP_HOST: "127.0.0.1",
    SERVICE_LDAP_PORT: String(port),
    SERVICE_LDAP_TLS_CA_CERT_FILE: AUTHORITIES,
    SERVICE_LDAP_USER_SEARCH_BASE_DNS: JSON.stringify([PEOPLE, CONTRACTORS]),
    SERVICE_LDAP_USER_SEARCH_FILTER: "(&(objectClass=inetOrgPerson)(uid=%s))",
    SERVICE_LDAP_ATTR_EMAIL: "mail",
    SERVICE_LDAP_GROUP_ROLE_MAPPINGS: JSON.stringify([
      { group_dn: ADMINS.toUpperCase(), role: "admin" },
      { group_dn: MEMBERS, role: "MEMBER" },
    ]),
  };
}

export function ldapLogin(server: SignInServer, username: unknown, password: unknown): Promise<Response> {
  return server.send("POST /auth/ldap/login", { json: { username, password } });
}
