// Settings of authentication and mail: how they go together, what is refused, and that no secret is ever shown.
import { describe, expect, test } from "bun:test";
import { isDeliverableEmail, isEmail } from "../../src/config/email.ts";
import { selfSignedCertificate } from "../support/certificate.ts";
import { loadSettings, refusalOf, warningsOf } from "../support/load-settings.ts";
import { memoryFiles } from "../support/memory-files.ts";

const SECRET = "abcdefghij0123456789abcdefghij01";
const OTHER_SECRET = "zyxwvutsrq0123456789zyxwvutsrq01";
const mail = { SERVICE_SMTP_HOSTNAME: "mail.example", SERVICE_SMTP_MAIL_FROM: "no-reply@example.com" };
const trusted = { SERVICE_CSRF_TRUSTED_ORIGINS: "https://h.example" };

describe("authentication", () => {
  test("without any setting it is off and has the documented defaults", () => {
    expect(loadSettings().config.authentication).toEqual({
      enabled: false,
      secret: null,
      adminSecret: null,
      initialAdminPassword: null,
      admins: [],
      basicAuthDisabled: false,
      adminMethod: "LOCAL",
      strongPasswords: false,
      lockOutDisabled: false,
      maxFailedLogins: 5,
      rateLimitDisabled: false,
      accessTokenMinutes: 10,
      refreshTokenMinutes: 10_080,
      loginMinutes: 43_200,
      passwordResetTokenMinutes: 15,
      secureCookies: false,
      cookiesPath: "/",
      managementUrl: null,
    });
  });

  test("cookies are for https only where the port has TLS, unless set otherwise", () => {
    const { certificate, key } = selfSignedCertificate();
    const files = memoryFiles({ "/c": certificate, "/k": key });
    const tls = { SERVICE_TLS_CERT_FILE: "/c", SERVICE_TLS_KEY_FILE: "/k" };
    const secure = (variables: Record<string, string>) =>
      loadSettings({ ...tls, ...variables }, { files }).config.authentication.secureCookies;
    expect(secure({ SERVICE_TLS_ENABLED: "true" })).toBeTrue();
    expect(secure({ SERVICE_TLS_ENABLED_FOR_GRPC: "true" })).toBeFalse();
    expect(secure({ SERVICE_TLS_ENABLED: "true", SERVICE_USE_SECURE_COOKIES: "false" })).toBeFalse();
    expect(secure({ SERVICE_USE_SECURE_COOKIES: "true" })).toBeTrue();
  });

  test("switched on it needs a secret", () => {
    expect(refusalOf({ SERVICE_ENABLE_AUTH: "true" }).problems).toEqual([
      "SERVICE_SECRET: `SERVICE_SECRET` must be set when auth is enabled with `SERVICE_ENABLE_AUTH`",
    ]);
    const { authentication } = loadSettings({
      SERVICE_ENABLE_AUTH: "TRUE",
      SERVICE_SECRET: SECRET,
    }).config;
    expect(authentication).toMatchObject({ enabled: true, secret: SECRET });
  });

  test("secrets of too little variety are warned of, and not shown", () => {
    const warned = (SERVICE_SECRET: string, SERVICE_ADMIN_SECRET = OTHER_SECRET) =>
      warningsOf({ SERVICE_SECRET, SERVICE_ADMIN_SECRET });
    const about = (name: string) => [
      `${name}: has too little variety to be safe from guessing: \`openssl rand -hex 32\` makes a good one.`,
    ];
    for (const poor of [
      `1${"a".repeat(40)}`,
      "abc123".repeat(6),
      "0123456789abcdef".repeat(2),
      `${"ab1".repeat(11)}x`,
    ]) {
      expect(warned(poor)).toEqual(about("SERVICE_SECRET"));
      expect(warned(SECRET, poor)).toEqual(about("SERVICE_ADMIN_SECRET"));
    }
    for (let count = 0; count < 100; count++) {
      const good = `a1${Buffer.from(crypto.getRandomValues(new Uint8Array(15))).toString("hex")}`;
      expect(warned(good)).toEqual([]);
    }
  });

  test("sign-in by password cannot be switched off while there is no other way in", () => {
    const variables = { SERVICE_ENABLE_AUTH: "true", SERVICE_SECRET: SECRET, SERVICE_DISABLE_BASIC_AUTH: "true" };
    expect(refusalOf(variables).problems).toEqual([
      "SERVICE_DISABLE_BASIC_AUTH: SERVICE_DISABLE_BASIC_AUTH is set, but no alternative authentication methods are configured. Please configure at least one of: OAuth2 (SERVICE_OAUTH2_*) or LDAP (SERVICE_LDAP_HOST).",
    ]);
    expect(loadSettings({ SERVICE_DISABLE_BASIC_AUTH: "true" }).config.authentication.basicAuthDisabled).toBeTrue();
  });

  test("both secrets come from files, too, and are never part of a problem", () => {
    const files = memoryFiles({ "/run/one": `${SECRET}\n`, "/run/two": `${OTHER_SECRET}\n`, "/run/empty": "\n" });
    const given = { SERVICE_SECRET_FILE: "/run/one", SERVICE_ADMIN_SECRET_FILE: "/run/two" };
    expect(loadSettings(given, { files }).config.authentication).toMatchObject({
      secret: SECRET,
      adminSecret: OTHER_SECRET,
    });
    expect(refusalOf({ SERVICE_SECRET_FILE: "/run/empty" }, { files }).problems).toEqual([
      "SERVICE_SECRET: Spanlight secret must be non-empty",
    ]);
    const weak = "swordfish swordfish swordfish swordfish 1";
    const { problems } = refusalOf({ SERVICE_SECRET: weak, SERVICE_ADMIN_SECRET: "swordfish" });
    expect(problems).toEqual([
      "SERVICE_SECRET: Spanlight secret must not contain whitespace characters",
      "SERVICE_ADMIN_SECRET: Spanlight secret must be at least 32 characters long, and at least one digit",
    ]);
  });

  test("administrators are read with the address lower-cased, the last sign dividing", () => {
    const { admins } = loadSettings({ SERVICE_ADMINS: " Ann = Ann@Example.com ;; B=C=bob@example.com;" }).config
      .authentication;
    expect(admins).toEqual([
      { username: "Ann", email: "ann@example.com" },
      { username: "B=C", email: "bob@example.com" },
    ]);
    expect(refusalOf({ SERVICE_ADMINS: " = ann@example.com" }).problems).toEqual([
      "SERVICE_ADMINS: Invalid format in SERVICE_ADMINS: '= ann@example.com'. Expected format: 'username=email'",
    ]);
  });

  test("an empty initial password or cookie path is the default; a path cannot add attributes", () => {
    const { authentication } = loadSettings({
      SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD: "",
      SERVICE_COOKIES_PATH: "",
    }).config;
    expect(authentication).toMatchObject({ initialAdminPassword: null, cookiesPath: "/" });
    for (const path of ["sub", "/a; Domain=example.com", "/a\tb"]) {
      expect(refusalOf({ SERVICE_COOKIES_PATH: path }).problems.length).toBe(1);
    }
  });

  test("a refresh token that ends before the access token is warned of", () => {
    expect(warningsOf({ SERVICE_REFRESH_TOKEN_EXPIRY_MINUTES: "5" })).toEqual([
      "SERVICE_REFRESH_TOKEN_EXPIRY_MINUTES: is shorter than SERVICE_ACCESS_TOKEN_EXPIRY_MINUTES: sign-ins cannot be renewed after it.",
    ]);
    expect(warningsOf({ SERVICE_LOGIN_EXPIRY_MINUTES: "60" })).toEqual([
      "SERVICE_LOGIN_EXPIRY_MINUTES: is shorter than SERVICE_REFRESH_TOKEN_EXPIRY_MINUTES, which has no effect beyond it.",
    ]);
  });

  test("the management link leads to a web page and nowhere else", () => {
    for (const url of ["javascript:alert(1)", "ftp://h.example", "/path"]) {
      expect(refusalOf({ SERVICE_MANAGEMENT_URL: url }).problems.length).toBe(1);
    }
  });
});

describe("mail", () => {
  test("without a host there is none, whatever else is set", () => {
    expect(loadSettings({ SERVICE_SMTP_USERNAME: "u" }).config.mail).toBeNull();
  });

  test("a login is whole or absent", () => {
    expect(loadSettings({ ...mail, ...trusted }).config.mail).toEqual({
      host: "mail.example",
      port: 587,
      login: null,
      from: "no-reply@example.com",
      validateCertificates: true,
    });
    expect(refusalOf({ ...mail, SERVICE_SMTP_PASSWORD: "p" }).problems).toEqual([
      "SERVICE_SMTP_USERNAME: SMTP username is required Hint: leave SERVICE_SMTP_PASSWORD out for a relay without login.",
    ]);
    const files = memoryFiles({ "/run/mail": "p\n" });
    const login = { SERVICE_SMTP_USERNAME: "u", SERVICE_SMTP_PASSWORD_FILE: "/run/mail" };
    expect(loadSettings({ ...mail, ...trusted, ...login }, { files }).config.mail?.login).toEqual({
      username: "u",
      password: "p",
    });
  });

  test("a sender that is not set is the user of the mail server, else of this service", () => {
    const senderOf = (variables: Record<string, string>) => {
      const given = { SERVICE_SMTP_HOSTNAME: "mail.example", ...trusted, SERVICE_SMTP_PASSWORD: "p", ...variables };
      return loadSettings(given).config.mail?.from;
    };
    const named = { SERVICE_ROOT_URL: "https://Traces.example.org:8443/sub" };
    expect(senderOf({ ...named, SERVICE_SMTP_USERNAME: "mailer@example.com" })).toBe("mailer@example.com");
    expect(senderOf({ ...named, SERVICE_SMTP_USERNAME: "apikey" })).toBe("spanlight@traces.example.org");
    expect(senderOf({ SERVICE_SMTP_USERNAME: "u", SERVICE_HOST: "0.0.0.0" })).toBe("spanlight@[127.0.0.1]");
    expect(senderOf({ SERVICE_SMTP_USERNAME: "u", SERVICE_HOST: "localhost" })).toBe("spanlight@localhost");
    expect(senderOf({ ...mail, SERVICE_SMTP_USERNAME: "mailer@example.com" })).toBe("no-reply@example.com");
    const withoutLogin = { SERVICE_SMTP_HOSTNAME: "mail.example", ...trusted, ...named };
    expect(loadSettings(withoutLogin).config.mail).toMatchObject({ login: null, from: "spanlight@traces.example.org" });
  });

  test("the sender is one address, with or without a name, and cannot add a header", () => {
    const from = (text: string) => ({ ...mail, ...trusted, SERVICE_SMTP_MAIL_FROM: text });
    for (const text of ["a@b", "Spanlight <a@b.example>", "<a@b>"]) {
      expect(loadSettings(from(text)).config.mail?.from).toBe(text);
    }
    for (const text of ["a", "a@", "a@b\r\nBcc: c@d", "a@b, c@d", "<a@b> <c@d>"]) {
      expect(refusalOf(from(text)).problems.length).toBe(1);
    }
  });

  test("mail without trusted origins is warned of", () => {
    expect(warningsOf(mail)).toEqual([
      "SERVICE_CSRF_TRUSTED_ORIGINS: is not set although mail is configured: requests for reading that other sites make browsers send are not refused.",
    ]);
  });
});

describe("addresses", () => {
  test("have a local part and a dotted host", () => {
    for (const good of [
      "a@b.co",
      "first.last+tag@sub.example.com",
      "a@b.xn--p1ai",
      "jörg@müller.example",
      "и@пример.рф",
    ])
      expect(isEmail(good)).toBeTrue();
    const long = `${"a".repeat(65)}@b.co`;
    for (const bad of [
      "",
      "@b.co",
      "a@b",
      "a b@c.de",
      ".a@b.co",
      "a..b@c.de",
      "a@b..co",
      "a@-b.co",
      "a@b.co\n",
      "a@b.1",
      "a@b.c",
      long,
    ]) {
      expect(isEmail(bad)).toBeFalse();
    }
  });

  test("under names of special use nobody is reached", () => {
    for (const host of ["x.localhost", "x.local", "x.TEST", "x.invalid", "x.onion", "1.arpa"]) {
      expect(isDeliverableEmail(`a@${host}`)).toBeFalse();
    }
    expect(isDeliverableEmail("a@contest.example.com")).toBeTrue();
  });
});
