// What to set where a sign-in by the directory fails, by the step and its message.
import type { DirectoryRefusal, DirectoryStep } from "../../modules/accounts/auth/ldap/directory.schema.ts";

const UNREACHABLE = "check SERVICE_LDAP_HOST, SERVICE_LDAP_PORT and the firewall";

/** By the words of a system or of OpenSSL, at connecting and encrypting. */
const connectionAdvice: readonly (readonly [RegExp, string])[] = [
  [/ALTNAME/, "use a name in SERVICE_LDAP_HOST that is in the server's certificate"],
  [/HAS_EXPIRED/, "renew the server's certificate"],
  [
    /SELF_SIGNED|UNABLE_TO|ISSUER|UNTRUSTED/,
    "set SERVICE_LDAP_TLS_CA_CERT_FILE to the authority of the server's certificate",
  ],
  [/refused with result code/, "set up TLS at the server, or set SERVICE_LDAP_TLS_MODE=ldaps and its port"],
  [/CERTIFICATE_REQUIRED|HANDSHAKE/, "set SERVICE_LDAP_TLS_CLIENT_CERT_FILE and SERVICE_LDAP_TLS_CLIENT_KEY_FILE"],
  [/ECONNRESET|connection closed|unexpected/, "check that SERVICE_LDAP_TLS_MODE goes with the port"],
];

export function adviceForTrouble(step: DirectoryStep, reason: string): string {
  switch (step) {
    case "connect":
    case "starttls":
      return connectionAdvice.find(([pattern]) => pattern.test(reason))?.[1] ?? UNREACHABLE;
    case "search account":
      return "check SERVICE_LDAP_BIND_DN and SERVICE_LDAP_BIND_PASSWORD";
    case "person":
      if (/^NoSuchObject/.test(reason)) return "check SERVICE_LDAP_USER_SEARCH_BASE_DNS";
      if (/^(?:Operations|UnwillingToPerform|StrongAuthRequired|InsufficientAccess|InappropriateAuth)/.test(reason)) {
        return "let an account search: SERVICE_LDAP_BIND_DN and SERVICE_LDAP_BIND_PASSWORD";
      }
      return "look at the log of the directory";
    case "groups":
      return "check SERVICE_LDAP_GROUP_SEARCH_BASE_DNS and what the account that searches may read";
    default:
      return "look at the log of the directory";
  }
}

const refusals: Readonly<Record<DirectoryRefusal, { readonly refusal: string; readonly advice: string }>> = {
  not_found: {
    refusal: "no entry has this name",
    advice: "check SERVICE_LDAP_USER_SEARCH_FILTER, SERVICE_LDAP_USER_SEARCH_BASE_DNS and what the account may read",
  },
  ambiguous: {
    refusal: "more than one entry has this name",
    advice: "narrow SERVICE_LDAP_USER_SEARCH_FILTER, or the base in SERVICE_LDAP_USER_SEARCH_BASE_DNS",
  },
  entry_unusable: { refusal: "the entry has no distinguished name", advice: "check SERVICE_LDAP_USER_SEARCH_FILTER" },
  wrong_password: { refusal: "the password is wrong", advice: "type another one" },
  password_unchecked: { refusal: "the password could not be checked", advice: "look at the log of the directory" },
  email_missing: {
    refusal: "the entry has no address",
    advice: "set SERVICE_LDAP_ATTR_EMAIL to an attribute that people have, or to null",
  },
  unique_id_missing: {
    refusal: "the entry has no unique id",
    advice: "set SERVICE_LDAP_ATTR_UNIQUE_ID to an attribute that every person has and the account may read",
  },
  no_role: {
    refusal: "no group of the person has a role",
    advice: "add one of the groups, or * for everybody, to SERVICE_LDAP_GROUP_ROLE_MAPPINGS",
  },
};

export function adviceForRefusal(reason: DirectoryRefusal) {
  return refusals[reason];
}
