// Every row of tests/vectors/settings.json: values that were tried on the reference server, and what ours makes of them.
import { describe, expect, test } from "bun:test";
import { settingGroupsWith } from "../../src/config/catalogue.ts";
import type { Variables } from "../../src/config/environment.ts";
import type { LoadOptions } from "../../src/config/load.ts";
import { featureSettings } from "../../src/server/features.ts";
import { selfSignedCertificate } from "../support/certificate.ts";
import { loadSettings, refusalOf, warningsOf } from "../support/load-settings.ts";
import { memoryFiles } from "../support/memory-files.ts";
import vectors from "../vectors/settings.json";

interface Row {
  readonly setting: string;
  readonly valid: readonly string[];
  readonly invalid: readonly { readonly value: string; readonly reason: string }[];
}

const { certificate, key } = selfSignedCertificate();
const files = memoryFiles({
  "/etc/tls/cert.pem": certificate,
  "/etc/tls/key.pem": key,
  "/etc/tls/ca.pem": certificate,
  "/etc/tls/empty.pem": "",
  "/etc/ssl/ca.pem": certificate,
});
const options: LoadOptions = { files };

const postgres = {
  SERVICE_POSTGRES_HOST: "h",
  SERVICE_POSTGRES_USER: "u",
  SERVICE_POSTGRES_PASSWORD: "p",
  SERVICE_POSTGRES_DB: "d",
};
const tls = {
  SERVICE_TLS_ENABLED: "true",
  SERVICE_TLS_VERIFY_CLIENT: "true",
  SERVICE_TLS_CERT_FILE: "/etc/tls/cert.pem",
  SERVICE_TLS_KEY_FILE: "/etc/tls/key.pem",
  SERVICE_TLS_CA_FILE: "/etc/tls/ca.pem",
};

const SECRET = "abcdefghij0123456789abcdefghij01";
const authentication = { SERVICE_SECRET: SECRET };
const mail = {
  SERVICE_SMTP_HOSTNAME: "mail.example",
  SERVICE_SMTP_USERNAME: "u",
  SERVICE_SMTP_PASSWORD: "p",
  SERVICE_SMTP_MAIL_FROM: "no-reply@example.com",
};

/** Stands for the name of a provider in the rows. */
const IDP = "CORP";
const provider = {
  SERVICE_OAUTH2_CORP_CLIENT_ID: "c",
  SERVICE_OAUTH2_CORP_CLIENT_SECRET: "s",
  SERVICE_OAUTH2_CORP_OIDC_CONFIG_URL: "https://idp.example/.well-known/openid-configuration",
};
const providerGroups = {
  ...provider,
  SERVICE_OAUTH2_CORP_GROUPS_ATTRIBUTE_PATH: "groups",
  SERVICE_OAUTH2_CORP_ALLOWED_GROUPS: "eng",
};
const providerRole = { ...provider, SERVICE_OAUTH2_CORP_ROLE_ATTRIBUTE_PATH: "role" };
/** A directory with all that it needs. */
const ldap = {
  SERVICE_LDAP_HOST: "ldap.example.com",
  SERVICE_LDAP_USER_SEARCH_BASE_DNS: '["dc=example,dc=com"]',
  SERVICE_LDAP_ATTR_EMAIL: "mail",
  SERVICE_LDAP_GROUP_ROLE_MAPPINGS: '[{"group_dn":"*","role":"VIEWER"}]',
};
const ldapGroups = { ...ldap, SERVICE_LDAP_GROUP_SEARCH_BASE_DNS: '["ou=groups,dc=example,dc=com"]' };
const ldapClient = {
  ...ldap,
  SERVICE_LDAP_TLS_CLIENT_CERT_FILE: "/etc/tls/cert.pem",
  SERVICE_LDAP_TLS_CLIENT_KEY_FILE: "/etc/tls/key.pem",
};

/** What must stand beside a setting for its rows to mean anything. */
const companions: Readonly<Record<string, Variables>> = {
  ...Object.fromEntries(
    vectors.settings.filter(({ setting }) => setting.startsWith("SERVICE_LDAP_")).map(({ setting }) => [setting, ldap]),
  ),
  SERVICE_LDAP_BIND_DN: { ...ldap, SERVICE_LDAP_BIND_PASSWORD: "p" },
  SERVICE_LDAP_BIND_PASSWORD: { ...ldap, SERVICE_LDAP_BIND_DN: "cn=search,dc=example,dc=com" },
  SERVICE_LDAP_ATTR_EMAIL: { ...ldap, SERVICE_LDAP_ATTR_UNIQUE_ID: "entryUUID" },
  SERVICE_LDAP_GROUP_SEARCH_FILTER: ldapGroups,
  SERVICE_LDAP_GROUP_SEARCH_FILTER_USER_ATTR: { ...ldapGroups, SERVICE_LDAP_GROUP_SEARCH_FILTER: "(member=%s)" },
  SERVICE_ENABLE_AUTH: authentication,
  SERVICE_ADMIN_SECRET: authentication,
  SERVICE_SMTP_HOSTNAME: mail,
  SERVICE_SMTP_PORT: mail,
  SERVICE_SMTP_USERNAME: mail,
  SERVICE_SMTP_PASSWORD: mail,
  SERVICE_SMTP_VALIDATE_CERTS: mail,
  SERVICE_POSTGRES_HOST: postgres,
  SERVICE_POSTGRES_USER: postgres,
  SERVICE_POSTGRES_PASSWORD: postgres,
  SERVICE_POSTGRES_DB: postgres,
  SERVICE_SQL_DATABASE_SCHEMA: postgres,
  SERVICE_SQL_DATABASE_READ_REPLICA_URL: postgres,
  SERVICE_TLS_ENABLED: tls,
  SERVICE_TLS_ENABLED_FOR_HTTP: tls,
  SERVICE_TLS_ENABLED_FOR_GRPC: tls,
  SERVICE_TLS_VERIFY_CLIENT: tls,
  SERVICE_TLS_CERT_FILE: tls,
  SERVICE_TLS_KEY_FILE: tls,
  SERVICE_TLS_CA_FILE: tls,
  SERVICE_OAUTH2_CORP_CLIENT_ID: provider,
  SERVICE_OAUTH2_CORP_CLIENT_SECRET: provider,
  SERVICE_OAUTH2_CORP_OIDC_CONFIG_URL: provider,
  SERVICE_OAUTH2_CORP_DISPLAY_NAME: provider,
  SERVICE_OAUTH2_CORP_ALLOW_SIGN_UP: provider,
  SERVICE_OAUTH2_CORP_AUTO_LOGIN: provider,
  SERVICE_OAUTH2_CORP_USE_PKCE: provider,
  SERVICE_OAUTH2_CORP_TOKEN_ENDPOINT_AUTH_METHOD: provider,
  SERVICE_OAUTH2_CORP_SCOPES: provider,
  SERVICE_OAUTH2_CORP_EMAIL_ATTRIBUTE_PATH: provider,
  SERVICE_OAUTH2_CORP_GROUPS_ATTRIBUTE_PATH: providerGroups,
  SERVICE_OAUTH2_CORP_ALLOWED_GROUPS: providerGroups,
  SERVICE_OAUTH2_CORP_ROLE_ATTRIBUTE_PATH: provider,
  SERVICE_OAUTH2_CORP_ROLE_MAPPING: providerRole,
  SERVICE_OAUTH2_CORP_ROLE_ATTRIBUTE_STRICT: providerRole,
  SERVICE_OAUTH2_CORP_ROLE_RESYNC: providerRole,
};

/** Rows whose value is written in words: the variables they stand for. */
const combinations: Readonly<Record<string, Variables>> = {
  "SERVICE_POSTGRES_HOST=h (without POSTGRES_USER)": { SERVICE_POSTGRES_HOST: "h" },
  "SERVICE_POSTGRES_USER=u (with host, without POSTGRES_PASSWORD)": {
    SERVICE_POSTGRES_HOST: "h",
    SERVICE_POSTGRES_USER: "u",
    SERVICE_POSTGRES_DB: "d",
  },
  "SERVICE_POSTGRES_PASSWORD=p (with POSTGRES_USE_AWS_IAM_AUTH or POSTGRES_USE_AZURE_MANAGED_IDENTITY true)": {
    ...postgres,
    SERVICE_POSTGRES_USE_AWS_IAM_AUTH: "true",
  },
  "SERVICE_POSTGRES_DB=unset with host and user": { ...postgres, SERVICE_POSTGRES_DB: undefined },
  "SERVICE_ADMIN_SECRET=any value without SERVICE_SECRET": { SERVICE_ADMIN_SECRET: SECRET },
  "SERVICE_ADMIN_SECRET=equal to SERVICE_SECRET": { SERVICE_SECRET: SECRET, SERVICE_ADMIN_SECRET: SECRET },
  "SERVICE_SMTP_PASSWORD=empty with host and username": { ...mail, SERVICE_SMTP_PASSWORD: "" },
  "SERVICE_TLS_CERT_FILE=unset with TLS on": { ...tls, SERVICE_TLS_CERT_FILE: undefined },
  "SERVICE_TLS_CERT_FILE=an empty file": { ...tls, SERVICE_TLS_CERT_FILE: "/etc/tls/empty.pem" },
  "SERVICE_TLS_KEY_FILE=unset with TLS on": { ...tls, SERVICE_TLS_KEY_FILE: undefined },
  "SERVICE_TLS_CA_FILE=unset with TLS_VERIFY_CLIENT=true": { ...tls, SERVICE_TLS_CA_FILE: undefined },
  "SERVICE_OAUTH2_CORP_CLIENT_ID=unset while any other setting of the provider is set": {
    ...provider,
    SERVICE_OAUTH2_CORP_CLIENT_ID: undefined,
  },
  "SERVICE_OAUTH2_CORP_CLIENT_SECRET=unset with client_secret_basic or client_secret_post": {
    ...provider,
    SERVICE_OAUTH2_CORP_CLIENT_SECRET: undefined,
  },
  "SERVICE_OAUTH2_CORP_OIDC_CONFIG_URL=unset": { ...provider, SERVICE_OAUTH2_CORP_OIDC_CONFIG_URL: undefined },
  "SERVICE_OAUTH2_CORP_GROUPS_ATTRIBUTE_PATH=groups without ALLOWED_GROUPS": {
    ...providerGroups,
    SERVICE_OAUTH2_CORP_ALLOWED_GROUPS: undefined,
  },
  "SERVICE_OAUTH2_CORP_ALLOWED_GROUPS=a without GROUPS_ATTRIBUTE_PATH": {
    ...providerGroups,
    SERVICE_OAUTH2_CORP_GROUPS_ATTRIBUTE_PATH: undefined,
  },
  "SERVICE_LDAP_TLS_CLIENT_CERT_FILE=both set": ldapClient,
  "SERVICE_LDAP_TLS_CLIENT_KEY_FILE=both set": ldapClient,
  "SERVICE_LDAP_TLS_CLIENT_CERT_FILE=without TLS_CLIENT_KEY_FILE": {
    ...ldapClient,
    SERVICE_LDAP_TLS_CLIENT_KEY_FILE: undefined,
  },
  "SERVICE_LDAP_TLS_CLIENT_KEY_FILE=without TLS_CLIENT_CERT_FILE": {
    ...ldapClient,
    SERVICE_LDAP_TLS_CLIENT_CERT_FILE: undefined,
  },
  "SERVICE_LDAP_BIND_DN=without BIND_PASSWORD": { ...ldap, SERVICE_LDAP_BIND_DN: "cn=search,dc=example,dc=com" },
  "SERVICE_LDAP_BIND_PASSWORD=without BIND_DN": { ...ldap, SERVICE_LDAP_BIND_PASSWORD: "p" },
  "SERVICE_LDAP_USER_SEARCH_BASE_DNS=unset": { ...ldap, SERVICE_LDAP_USER_SEARCH_BASE_DNS: undefined },
  "SERVICE_LDAP_ATTR_EMAIL=unset": { ...ldap, SERVICE_LDAP_ATTR_EMAIL: undefined },
  "SERVICE_LDAP_ATTR_EMAIL=null without ATTR_UNIQUE_ID": { ...ldap, SERVICE_LDAP_ATTR_EMAIL: "null" },
  "SERVICE_LDAP_ATTR_EMAIL=null with ALLOW_SIGN_UP=false": {
    ...ldap,
    SERVICE_LDAP_ATTR_EMAIL: "null",
    SERVICE_LDAP_ATTR_UNIQUE_ID: "entryUUID",
    SERVICE_LDAP_ALLOW_SIGN_UP: "false",
  },
  "SERVICE_LDAP_ATTR_EMAIL=null with SERVICE_ADMINS": {
    ...ldap,
    SERVICE_LDAP_ATTR_EMAIL: "null",
    SERVICE_LDAP_ATTR_UNIQUE_ID: "entryUUID",
    SERVICE_ADMINS: "a=a@example.com",
  },
  "SERVICE_LDAP_GROUP_SEARCH_FILTER=(member=%s) without GROUP_SEARCH_BASE_DNS": {
    ...ldap,
    SERVICE_LDAP_GROUP_SEARCH_FILTER: "(member=%s)",
  },
  "SERVICE_LDAP_GROUP_SEARCH_FILTER_USER_ATTR=uid without GROUP_SEARCH_FILTER": {
    ...ldap,
    SERVICE_LDAP_GROUP_SEARCH_FILTER_USER_ATTR: "uid",
  },
  "SERVICE_LDAP_GROUP_ROLE_MAPPINGS=unset": { ...ldap, SERVICE_LDAP_GROUP_ROLE_MAPPINGS: undefined },
};

/** Problems that are reported under another name than the row's. */
const toldUnder: Readonly<Record<string, string>> = {
  "SERVICE_POSTGRES_USER=u (with host, without POSTGRES_PASSWORD)": "SERVICE_POSTGRES_PASSWORD",
  "SERVICE_POSTGRES_PASSWORD=p (with POSTGRES_USE_AWS_IAM_AUTH or POSTGRES_USE_AZURE_MANAGED_IDENTITY true)":
    "SERVICE_POSTGRES_USE_AWS_IAM_AUTH",
  "SERVICE_OAUTH2_CORP_GROUPS_ATTRIBUTE_PATH=groups without ALLOWED_GROUPS": "SERVICE_OAUTH2_CORP_ALLOWED_GROUPS",
  "SERVICE_OAUTH2_CORP_ALLOWED_GROUPS=a without GROUPS_ATTRIBUTE_PATH": "SERVICE_OAUTH2_CORP_GROUPS_ATTRIBUTE_PATH",
  "SERVICE_LDAP_ATTR_EMAIL=null without ATTR_UNIQUE_ID": "SERVICE_LDAP_ATTR_UNIQUE_ID",
  "SERVICE_LDAP_ATTR_EMAIL=null with ALLOW_SIGN_UP=false": "SERVICE_LDAP_ALLOW_SIGN_UP",
  "SERVICE_LDAP_ATTR_EMAIL=null with SERVICE_ADMINS": "SERVICE_ADMINS",
};

/** Refused by the reference server alone: a relay may need no login. */
const ours = new Set(["SERVICE_SMTP_USERNAME=empty with host"]);

/** A word of each reason that our text must hold, where the reason has a wording of its own. */
const expectedText: readonly (readonly [reason: RegExp, text: RegExp])[] = [
  [/must be an integer/, /Value must be an integer/],
  [/must be a number/, /Value must be a number/],
  [
    /shorter than 32/,
    /Spanlight secret must be at least 32 characters long, and at least one lowercase letter|Spanlight secret must be at least 32 characters long$/,
  ],
  [/must be non-empty/, /Spanlight secret must be non-empty$/],
  [/^no digit/, /Spanlight secret at least one digit$/],
  [/^no lower-case/, /Spanlight secret at least one lowercase letter$/],
  [/^white space/, /Spanlight secret must not contain whitespace characters$/],
  [/^not ASCII/, /Spanlight secret must contain only ASCII characters$/],
  [/must not be set without/, /`SERVICE_ADMIN_SECRET` must be not be set without setting `SERVICE_SECRET`\.$/],
  [/^must be different/, /`SERVICE_ADMIN_SECRET` must be different from `SERVICE_SECRET`$/],
  [/no "="|empty username/, /Invalid format in SERVICE_ADMINS: '.+'\. Expected format: 'username=email'$/],
  [/^invalid e-mail$|special-use/, /Invalid email in SERVICE_\w+: '.+'$/],
  [/duplicate username/, /Duplicate username in SERVICE_ADMINS: 'a'$/],
  [/duplicate e-mail/, /Duplicate email in SERVICE_ADMINS: 'a@example\.com'$/],
  [/^must be > 0/, /Value must be a (positive )?number\.$/],
  [/at least 1$/, /Value must be a positive integer\.$/],
  [/positive integer/, /Value must be a positive integer\./],
  [/positive number/, /Value must be a positive number\./],
  [/between 0 and 100/, /Value must be a percentage between 0 and 100\./],
  [
    /TRUE or FALSE/,
    /must be set to TRUE or FALSE \(case-insensitive\)\. Got: |'TRUE' and 'FALSE' \(case-insensitive\)/,
  ],
  [/non-negative/, /must be non-negative/],
  [/Kubernetes/, /Kubernetes/],
  [/start with/, /Value must start with '\/'/],
  [/cannot end/, /Value cannot end with '\/'/],
  [/supported dialect/, /`mysql` is not a supported SQL backend\/dialect\./],
  [/no database name|without database name/, /Failed to parse database from connection string/],
  [/client id must be set/, /Client ID must be set for the corp OAuth2 IDP via the SERVICE_OAUTH2_CORP_CLIENT_ID /],
  [
    /client secret must be set/,
    /Client secret must be set for the corp OAuth2 IDP via the SERVICE_OAUTH2_CORP_CLIENT_S/,
  ],
  [/^must be set$/, / must be set( for the corp OAuth2 IDP via the | when |\. Example: )/],
  [/invalid URL/, /Invalid OIDC configuration URL for corp OAuth2 IDP: nope$/],
  [/must use HTTPS/, /OIDC configuration URL for corp OAuth2 IDP must use HTTPS \(except for localhost\)$/],
  [/one of the methods/, /Allowed: client_assertion_jwt, client_secret_basic, client_secret_post, none$/],
  [/invalid JMESPath|not quoted/, /Invalid JMESPath expression in [A-Z_]+: '.+'\. Error: .+ Hint: .+double quotes/],
  [
    /each requires the other/,
    /is set for corp but [A-Z_]+ is not\.|_FILE requires SERVICE_LDAP_TLS_CLIENT_(CERT|KEY)_FILE to also be set$/,
  ],
  [/SYSTEM cannot/, /SYSTEM role cannot be assigned via OAuth2/],
  [/unknown role/, /'FOO' is not a valid Spanlight role\. Valid roles are: ADMIN, MEMBER, VIEWER$/],
  [/no colon/, /Invalid ROLE_MAPPING format for corp: 'a'\. Expected format: /],
  [/empty provider role/, /IDP role cannot be empty in ':ADMIN'$/],
  [/(?<!is )not a file/, /certificate path is not a file: \/(nope|etc)$/],
  [/file is empty/, /certificate file is empty: /],
  [/^no non-empty host/, /must contain at least one non-empty host\. Example: /],
  [/not one of the modes/, /must be 'none', 'starttls', or 'ldaps'\. Got: '(foo)?'$/],
  [/does not exist/, /SERVICE_LDAP_TLS_CA_CERT_FILE='\/nope' does not exist or is not a file$/],
  [/^invalid DN/, /has invalid LDAP DN syntax: 'zzz'\. /],
  [/^password missing/, /is set but SERVICE_LDAP_BIND_PASSWORD is missing\. /],
  [/^DN missing/, /is set but SERVICE_LDAP_BIND_DN is missing\. /],
  [/^at least one$/, /must contain at least one base DN\. /],
  [/^not valid JSON/, / is not valid JSON: /],
  [/^not an array/, / must be a JSON array\. /],
  [/^element not a string/, /\[0\] must be a string$/],
  [/^no %s/, /must contain '%s' placeholder/],
  [/ours: required/, /SERVICE_LDAP_ATTR_EMAIL must be set\./],
  [/contains spaces/, /contains spaces\. LDAP attribute names do not contain spaces\. Did you mean '\w+'\?$/],
  [/^unique id required/, /is required when SERVICE_LDAP_ATTR_EMAIL is 'null'\. /],
  [/^sign-up must be on/, /must be True when SERVICE_LDAP_ATTR_EMAIL is 'null'/],
  [/^not supported together/, /is not supported when SERVICE_LDAP_ATTR_EMAIL is 'null'\.$/],
  [/^base DNs missing/, /is set but SERVICE_LDAP_GROUP_SEARCH_BASE_DNS is missing\. /],
  [/^filter missing/, /is set but SERVICE_LDAP_GROUP_SEARCH_FILTER is not\. /],
  [/^at least one mapping/, /must contain at least one mapping\. Example: /],
  [/^not an object/, /\[0\] must be an object\. Got: string$/],
  [/^group_dn missing/, /\[0\] missing required field 'group_dn'$/],
  [/^role missing/, /\[0\] missing required field 'role'$/],
  [/^group_dn empty/, /\[0\]\.group_dn must be a non-empty string$/],
  [/^role not/, /\[0\]: role must be one of ADMIN, MEMBER, VIEWER \(case-insensitive\)\. Got: 'SYSTEM'$/],
];

const named = (setting: string) => setting.replace("<IDP>", IDP);
const built = new Set(
  settingGroupsWith(featureSettings).flatMap(({ settings }) => settings.map(({ name }) => named(name))),
);

function isBuilt({ setting }: Row): boolean {
  return built.has(setting);
}

function variablesOf(row: Row, value: string): Variables {
  const id = `${row.setting}=${value}`;
  return combinations[id] ?? { ...companions[row.setting], [row.setting]: value };
}

/** Accepted with any value, because it never has an effect. */
const neverEffective = [
  "SERVICE_TELEMETRY_ENABLED",
  "SERVICE_ALLOW_EXTERNAL_RESOURCES",
  "SERVICE_ENABLE_WEBSOCKETS",
  "SERVICE_POSTGRES_AWS_IAM_TOKEN_LIFETIME_SECONDS",
];

const rows: readonly Row[] = vectors.settings
  // Stands for names that providers must not have; it is no variable.
  .filter(({ setting }) => !setting.includes("…"))
  .map((row) => ({ ...row, setting: named(row.setting) }));
const builtRows = rows.filter(isBuilt);
const otherRows = rows.filter((row) => !isBuilt(row));

describe("settings that are built", () => {
  for (const row of builtRows) {
    for (const value of row.valid) {
      test(`${row.setting}=${JSON.stringify(value)} is accepted`, () => {
        expect(() => loadSettings(variablesOf(row, value), options)).not.toThrow();
      });
    }
    for (const { value, reason } of row.invalid) {
      if (ours.has(`${row.setting}=${value}`)) continue;
      test(`${row.setting}=${JSON.stringify(value)} is refused: ${reason}`, () => {
        const { problems } = refusalOf(variablesOf(row, value), options);
        const id = `${row.setting}=${value}`;
        expect(problems.length).toBe(1);
        expect(problems[0]).toStartWith(`${toldUnder[id] ?? row.setting}: `);
        for (const [pattern, text] of expectedText) if (pattern.test(reason)) expect(problems[0]).toMatch(text);
      });
    }
  }
});

describe("settings without effect", () => {
  test("are exactly those listed", () => {
    const unlisted = otherRows.filter(({ setting }) => !neverEffective.includes(setting));
    expect(unlisted.map(({ setting }) => setting)).toEqual([]);
  });

  for (const row of otherRows) {
    const name = row.setting;
    for (const value of row.valid) {
      test(`${name}=${JSON.stringify(value)} warns and does not fail`, () => {
        const warnings = warningsOf({ [name]: value }, options);
        expect(warnings.length).toBe(1);
        expect(warnings[0]).toStartWith(`${name}: has no effect: `);
      });
    }
  }
});
