// Settings of accounts, sign-ins and API keys. All are checked with authentication off, too: an
// operator who switches it on later has no surprise.
import { credentialProblem } from "../kernel/credential-rules.ts";
import { type ConfiguredAdmin, configuredAdmins } from "./configured-admins.ts";
import type { Environment } from "./environment.ts";
import { quoted } from "./findings.ts";
import {
  accepted,
  boolean,
  integer,
  minutes,
  positiveInteger,
  refused,
  type Setting,
  secret,
  setting,
  type Values,
} from "./setting.ts";

const enabled = boolean({
  name: "SERVICE_ENABLE_AUTH",
  default: false,
  meaning: "Whether every call needs a credential; needs `SERVICE_SECRET`.",
});
const signingSecret = credential("SERVICE_SECRET", "Signs tokens and encrypts stored secrets; 32 characters or more.");
const adminSecret = credential("SERVICE_ADMIN_SECRET", "Bearer token that acts as an administrator, for automation.");
const basicAuthDisabled = boolean({
  name: "SERVICE_DISABLE_BASIC_AUTH",
  default: false,
  meaning: "No sign-in by password, no local accounts, no password reset.",
});
const accessTokenMinutes = minutes({
  name: "SERVICE_ACCESS_TOKEN_EXPIRY_MINUTES",
  default: 10,
  meaning: "Life of an access token and its cookie.",
});
const refreshTokenMinutes = minutes({
  name: "SERVICE_REFRESH_TOKEN_EXPIRY_MINUTES",
  default: 10_080,
  meaning: "Life of a refresh token and its cookie: who is away longer signs in again.",
});
const loginMinutes = minutes({
  name: "SERVICE_LOGIN_EXPIRY_MINUTES",
  default: 43_200,
  meaning: "Life of a sign-in, however often it is renewed: then everybody signs in again.",
});

export const authenticationSettings = {
  enabled,
  secret: signingSecret,
  adminSecret,
  /** Null: the documented password, which the server makes its owner change. */
  initialAdminPassword: secret({
    name: "SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD",
    default: null,
    defaultText: "`admin`, to be changed at the first sign-in",
    meaning: "Password of the first administrator, read only by the first start with authentication on.",
  }),
  admins: configuredAdmins({
    name: "SERVICE_ADMINS",
    default: [],
    defaultText: "",
    meaning: "Administrators made at start when missing: `username=email;username2=email2`.",
  }),
  basicAuthDisabled,
  strongPasswords: boolean({
    name: "SERVICE_ENABLE_STRONG_PASSWORD_POLICY",
    default: false,
    meaning: "New passwords need 12 characters with a digit, both letter cases and one of `!@#$%^&*()_+`, not just 4.",
  }),
  lockOutDisabled: boolean({
    name: "SERVICE_DISABLE_BRUTE_FORCE_LOGIN_PROTECTION",
    default: false,
    meaning: "No lock-out after failed sign-ins.",
  }),
  maxFailedLogins: integer({
    name: "SERVICE_BRUTE_FORCE_LOGIN_PROTECTION_MAX_ATTEMPTS",
    default: 5,
    check: positiveInteger,
    meaning: "Failed sign-ins in a row after which an account is locked for five minutes.",
  }),
  rateLimitDisabled: boolean({
    name: "SERVICE_DISABLE_RATE_LIMIT",
    default: false,
    meaning: "No limit of sign-in requests, and of errors that pages report, by client address.",
  }),
  accessTokenMinutes,
  refreshTokenMinutes,
  loginMinutes,
  passwordResetTokenMinutes: minutes({
    name: "SERVICE_PASSWORD_RESET_TOKEN_EXPIRY_MINUTES",
    default: 15,
    meaning: "Life of the link in a password reset mail.",
  }),
  secureCookies: boolean({
    name: "SERVICE_USE_SECURE_COOKIES",
    default: null,
    defaultText: "`true` where the HTTP port has TLS, else `false`",
    meaning: "Cookies only over https. Set it behind an https proxy; with plain http nobody can sign in.",
  }),
  cookiesPath: setting(
    { name: "SERVICE_COOKIES_PATH", default: "/", meaning: "Path of the cookies, for several instances on one host." },
    "path",
    (value) => {
      const invalid = `Invalid value for environment variable SERVICE_COOKIES_PATH: ${quoted(value)}.`;
      if (!value.startsWith("/")) return refused(`${invalid} Value must start with '/'`);
      return COOKIE_PATH.test(value) ? accepted(value) : refused(`${invalid} Value must be a plain path such as /a/b`);
    },
  ),
  managementUrl: setting<string | null>(
    {
      name: "SERVICE_MANAGEMENT_URL",
      default: null,
      meaning: "Address of a page of yours, linked for the people in `SERVICE_ADMINS`.",
    },
    "url",
    (value) => {
      const url = URL.parse(value);
      if (url?.protocol === "https:" || url?.protocol === "http:") return accepted(value);
      return refused(
        "The environment variable `SERVICE_MANAGEMENT_URL` must be an http or https URL.",
        "example: https://host/path",
      );
    },
  ),
} as const;

export interface AuthenticationConfig extends Omit<Values<typeof authenticationSettings>, "admins" | "secureCookies"> {
  readonly admins: readonly ConfiguredAdmin[];
  readonly secureCookies: boolean;
  /** How the accounts of SERVICE_ADMINS that are made here sign in. */
  readonly adminMethod: "LOCAL" | OutsideMethod;
}

/** Ways of signing in without a password of ours. */
type OutsideMethod = "OAUTH2" | "LDAP";

// What a cookie attribute can hold: no semicolon, no blank, no control character.
const COOKIE_PATH = /^\/[A-Za-z0-9._~%@:+,=!$&'*()/-]*$/;

interface Surroundings {
  /** Whether the HTTP port has TLS. */
  readonly tlsForHttp: boolean;
  /** What is set up. */
  readonly outsideMethods: readonly OutsideMethod[];
}

/** Reads the group and checks how its settings go together (docs/protocol/configuration.md#combinations). */
export function readAuthentication(
  environment: Environment,
  { tlsForHttp, outsideMethods }: Surroundings,
): AuthenticationConfig {
  const values = environment.readAll(authenticationSettings);
  const { findings } = environment;
  const hasSecret = environment.has(signingSecret);
  if (values.enabled && !hasSecret) {
    findings.problem(
      signingSecret.name,
      `\`${signingSecret.name}\` must be set when auth is enabled with \`${enabled.name}\``,
    );
  }
  if (environment.has(adminSecret) && !hasSecret) {
    findings.problem(
      adminSecret.name,
      `\`${adminSecret.name}\` must be not be set without setting \`${signingSecret.name}\`.`,
    );
  }
  for (const [{ name }, text] of [
    [signingSecret, values.secret],
    [adminSecret, values.adminSecret],
  ] as const) {
    if (text !== null && isMonotonous(text)) {
      findings.warning(
        name,
        "has too little variety to be safe from guessing: `openssl rand -hex 32` makes a good one.",
      );
    }
  }
  if (values.secret !== null && values.secret === values.adminSecret) {
    findings.problem(adminSecret.name, `\`${adminSecret.name}\` must be different from \`${signingSecret.name}\``);
  }
  if (values.enabled && values.basicAuthDisabled && outsideMethods.length === 0) {
    findings.problem(
      basicAuthDisabled.name,
      `${basicAuthDisabled.name} is set, but no alternative authentication methods are configured. Please configure at least one of: OAuth2 (SERVICE_OAUTH2_*) or LDAP (SERVICE_LDAP_HOST).`,
    );
  }
  if (values.refreshTokenMinutes < values.accessTokenMinutes) {
    findings.warning(
      refreshTokenMinutes.name,
      `is shorter than ${accessTokenMinutes.name}: sign-ins cannot be renewed after it.`,
    );
  }
  if (values.loginMinutes < values.refreshTokenMinutes) {
    findings.warning(loginMinutes.name, `is shorter than ${refreshTokenMinutes.name}, which has no effect beyond it.`);
  }
  const outside = outsideMethods.includes("OAUTH2") ? "OAUTH2" : (outsideMethods[0] ?? "OAUTH2");
  return {
    ...values,
    secureCookies: values.secureCookies ?? tlsForHttp,
    adminMethod: values.basicAuthDisabled ? outside : "LOCAL",
  };
}

/** A random secret of the least length has more different characters, but for one in a million. */
const FEW_CHARACTERS = 8;

/** Whether a secret is made of few characters, or of one piece again and again. */
function isMonotonous(text: string): boolean {
  return new Set(text).size < FEW_CHARACTERS || /^(.+?)\1+$/s.test(text);
}

const SECRET_RULES = { minimumLength: 32, classes: ["digit", "lower"] } as const;

/** A secret that must not be guessed. Set but empty is a mistake, not unset. */
function credential(name: string, meaning: string): Setting<string | null> {
  return setting<string | null>({ name, default: null, meaning, emptyIsUnset: false }, "secret", (text) => {
    const problem = credentialProblem("Spanlight secret", text, SECRET_RULES);
    return problem === null ? accepted(text) : refused(problem);
  });
}
