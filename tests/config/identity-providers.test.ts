// Settings of identity providers beyond the rows of the vectors: several at once, what they mean together, and what is never shown.
import { describe, expect, test } from "bun:test";
import { loadSettings, refusalOf, warningsOf } from "../support/load-settings.ts";
import { memoryFiles } from "../support/memory-files.ts";

const URL_OF = "https://idp.example/.well-known/openid-configuration";
const provider = (name: string, more: Record<string, string | undefined> = {}) =>
  Object.fromEntries(
    Object.entries({ CLIENT_ID: "c", CLIENT_SECRET: "s", OIDC_CONFIG_URL: URL_OF, ...more }).map(([suffix, value]) => [
      `SERVICE_OAUTH2_${name}_${suffix}`,
      value,
    ]),
  );
const trusted = { SERVICE_CSRF_TRUSTED_ORIGINS: "https://spanlight.example" };
const read = (variables: Record<string, string | undefined>) => loadSettings(variables).config.identityProviders;
const only = (more: Record<string, string | undefined>) => read(provider("CORP", more))[0]!;

describe("providers", () => {
  test("are any number, by name, each with its own settings", () => {
    const providers = read({
      ...provider("ZETA"),
      ...provider("MY_IDP", { CLIENT_ID: "mine" }),
      ...provider("AWS_COGNITO"),
      ...provider("MICROSOFT_ENTRA_ID", { DISPLAY_NAME: "Work" }),
      ...provider("X2"),
    });
    expect(providers.map(({ id, displayName, clientId }) => [id, displayName, clientId])).toEqual([
      ["aws_cognito", "AWS Cognito", "c"],
      ["microsoft_entra_id", "Work", "c"],
      ["my_idp", "My Idp", "mine"],
      ["x2", "X2", "c"],
      ["zeta", "Zeta", "c"],
    ]);
    expect(read(provider("MICROSOFT_ENTRA_ID"))[0]!.displayName).toBe("Microsoft Entra ID");
  });

  test("have the documented defaults", () => {
    expect(only({})).toMatchObject({
      clientAuthentication: "client_secret_basic",
      configUrl: URL_OF,
      usesPkce: false,
      scopes: ["openid", "email", "profile"],
      allowsSignUp: true,
      autoLogin: false,
      emailPath: { text: "email" },
      groups: null,
      role: null,
      assertionFile: null,
    });
    expect(only({}).emailPath.search({ email: "a@b.c" })).toBe("a@b.c");
    expect(only({}).emailPath.search({})).toBeNull();
  });

  test("are read with the secret of a file, extra scopes, groups and roles", () => {
    const files = memoryFiles({ "/run/secret": "from a file\n" });
    const [given] = loadSettings(
      {
        ...provider("CORP", {
          CLIENT_SECRET: undefined,
          CLIENT_SECRET_FILE: "/run/secret",
          SCOPES: " groups  email offline_access ",
          GROUPS_ATTRIBUTE_PATH: '"cognito:groups"',
          ALLOWED_GROUPS: "eng, ops,,eng",
          ROLE_ATTRIBUTE_PATH: "a.b",
          ROLE_MAPPING: "x:y:ADMIN , Dev:member,,Owner: Admin ",
          ROLE_ATTRIBUTE_STRICT: "TRUE",
          ROLE_RESYNC: "false",
        }),
        SERVICE_OAUTH2_CORP_ROLE_MAPPING: "Owner: Admin ,Dev:member,,",
      },
      { files },
    ).config.identityProviders;
    expect(given?.clientSecret).toBe("from a file");
    expect(given?.scopes).toEqual(["openid", "email", "profile", "groups", "offline_access"]);
    expect([...given!.groups!.allowed]).toEqual(["eng", "ops"]);
    expect(given!.groups!.path.search({ "cognito:groups": ["eng"] })).toEqual(["eng"]);
    expect([...given!.role!.mapping!]).toEqual([
      ["Owner", "ADMIN"],
      ["Dev", "MEMBER"],
    ]);
    expect(given!.role).toMatchObject({ strict: true, resynchronised: false });
  });

  test("one stray setting declares one, and every problem is reported at once", () => {
    expect(
      refusalOf({
        SERVICE_OAUTH2_ONE_AUTO_LOGIN: "maybe",
        ...provider("TWO", { OIDC_CONFIG_URL: "http://idp.example/", ROLE_MAPPING: "x" }),
        ...provider("TOKEN"),
        ...provider("CONSENT"),
      }).problems,
    ).toEqual([
      "SERVICE_OAUTH2_CONSENT_…: OAuth2 identity provider names cannot use reserved authorization server paths: consent, token. Reserved names: authorize, consent, register, revoke, token",
      "SERVICE_OAUTH2_ONE_AUTO_LOGIN: SERVICE_OAUTH2_ONE_AUTO_LOGIN must be set to TRUE or FALSE (case-insensitive). Got: maybe",
      "SERVICE_OAUTH2_ONE_CLIENT_ID: Client ID must be set for the one OAuth2 IDP via the SERVICE_OAUTH2_ONE_CLIENT_ID environment variable",
      "SERVICE_OAUTH2_ONE_CLIENT_SECRET: Client secret must be set for the one OAuth2 IDP via the SERVICE_OAUTH2_ONE_CLIENT_SECRET environment variable",
      "SERVICE_OAUTH2_ONE_OIDC_CONFIG_URL: OpenID Connect configuration URL must be set for the one OAuth2 IDP via the SERVICE_OAUTH2_ONE_OIDC_CONFIG_URL environment variable",
      "SERVICE_OAUTH2_TWO_OIDC_CONFIG_URL: OIDC configuration URL for two OAuth2 IDP must use HTTPS (except for localhost)",
      "SERVICE_OAUTH2_TWO_ROLE_MAPPING: Invalid ROLE_MAPPING format for two: 'x'. Expected format: 'idp_role:ROLE', comma-separated",
    ]);
  });

  test("no problem and no warning holds a secret, nor a path that another variable gave", () => {
    const secret = "swordfish";
    const { problems, warnings } = refusalOf({
      ...provider("CORP", { CLIENT_ID: "", CLIENT_SECRET: secret, CLIENT_SECRET_FILE: `/run/${secret}` }),
      ...provider("OTHER", {
        TOKEN_ENDPOINT_AUTH_METHOD: "client_assertion_jwt",
        CLIENT_SECRET: undefined,
        CLIENT_ASSERTION_FILE_ENV_VAR: "TOKEN_FILE",
      }),
      TOKEN_FILE: "swordfish/relative",
    });
    expect(problems.length).toBe(3);
    expect([...problems, ...warnings].join("\n")).not.toContain(secret);
  });
});

describe("a client", () => {
  test("without a secret is public, and PKCE is recommended", () => {
    const open = provider("CORP", { CLIENT_SECRET: undefined, TOKEN_ENDPOINT_AUTH_METHOD: "None" });
    expect(read(open)[0]).toMatchObject({ clientAuthentication: "none", clientSecret: null });
    expect(warningsOf({ ...open, ...trusted })).toEqual([
      "SERVICE_OAUTH2_CORP_USE_PKCE: is not true: a client without a secret is safe with PKCE only.",
    ]);
    expect(warningsOf({ ...open, SERVICE_OAUTH2_CORP_USE_PKCE: "true", ...trusted })).toEqual([]);
  });

  test("with an assertion names exactly one file, by an absolute path", () => {
    const files = memoryFiles({ "/run/token": "jwt" });
    const asserting = (more: Record<string, string>) => ({
      ...provider("CORP", { CLIENT_SECRET: undefined, TOKEN_ENDPOINT_AUTH_METHOD: "client_assertion_jwt" }),
      ...more,
      ...trusted,
    });
    const FILE = "SERVICE_OAUTH2_CORP_CLIENT_ASSERTION_FILE";
    const direct = loadSettings(asserting({ [FILE]: "/run/token" }), { files });
    expect(direct.config.identityProviders[0]!.assertionFile).toEqual({ path: "/run/token", mayBeShown: true });
    const indirect = loadSettings(asserting({ [`${FILE}_ENV_VAR`]: "TOKEN", TOKEN: "/run/token" }), { files });
    expect(indirect.config.identityProviders[0]!.assertionFile).toEqual({ path: "/run/token", mayBeShown: false });
    expect(indirect.warnings).toEqual([]);
    expect(warningsOf(asserting({ [FILE]: "/run/later" }), { files })).toEqual([
      `${FILE}: names a file that is not there yet.`,
    ]);
    const refused = (more: Record<string, string>) => refusalOf(asserting(more), { files }).problems;
    expect(refused({})).toEqual([`${FILE}: ${FILE} or ${FILE}_ENV_VAR must be set for corp with client_assertion_jwt`]);
    expect(refused({ [FILE]: "/run/token", [`${FILE}_ENV_VAR`]: "TOKEN" })).toEqual([
      `${FILE}: ${FILE} and ${FILE}_ENV_VAR are mutually exclusive`,
    ]);
    expect(refused({ [FILE]: "token" })).toEqual([`${FILE}: the path of the client assertion must be absolute`]);
    expect(refused({ [`${FILE}_ENV_VAR`]: "TOKEN" })).toEqual([`${FILE}_ENV_VAR: the variable TOKEN is not set`]);
    expect(warningsOf({ ...provider("CORP", { CLIENT_ASSERTION_FILE: "/run/token" }), ...trusted }, { files })).toEqual(
      [`${FILE}: has no effect: the client does not authenticate with an assertion.`],
    );
  });
});

describe("together", () => {
  test("role settings without a role path warn and do not fail", () => {
    const given = provider("CORP", { ROLE_MAPPING: "a:ADMIN", ROLE_ATTRIBUTE_STRICT: "true", ROLE_RESYNC: "false" });
    const about = (suffix: string) =>
      `SERVICE_OAUTH2_CORP_${suffix}: has no effect: SERVICE_OAUTH2_CORP_ROLE_ATTRIBUTE_PATH is not set.`;
    expect(warningsOf({ ...given, ...trusted })).toEqual(
      ["ROLE_MAPPING", "ROLE_ATTRIBUTE_STRICT", "ROLE_RESYNC"].map(about),
    );
    expect(read(given)[0]!.role).toBeNull();
    expect(
      warningsOf({ ...provider("CORP", { ROLE_ATTRIBUTE_STRICT: "false", ROLE_RESYNC: "true" }), ...trusted }),
    ).toEqual([]);
  });

  test("of two with auto-login the first wins, with a warning", () => {
    const both = { ...provider("B", { AUTO_LOGIN: "true" }), ...provider("A", { AUTO_LOGIN: "true" }), ...trusted };
    expect(warningsOf(both)).toEqual([
      "SERVICE_OAUTH2_B_AUTO_LOGIN: has no effect: only one auto-login client is allowed, and a comes first.",
    ]);
  });

  test("a provider without trusted origins warns, and is another way in when passwords are off", () => {
    expect(warningsOf(provider("CORP"))).toEqual([
      "SERVICE_CSRF_TRUSTED_ORIGINS: is not set although an identity provider is configured: requests for reading that other sites make browsers send are not refused.",
    ]);
    const off = {
      SERVICE_ENABLE_AUTH: "true",
      SERVICE_SECRET: "abcdefghij0123456789abcdefghij01",
      SERVICE_DISABLE_BASIC_AUTH: "true",
    };
    expect(read({ ...off, ...provider("CORP") }).length).toBe(1);
    // The error of the provider is reported, not its absence.
    const { problems } = refusalOf({ ...off, ...provider("CORP", { CLIENT_ID: undefined }) });
    expect(problems.map((line) => line.split(":", 1)[0])).toEqual(["SERVICE_OAUTH2_CORP_CLIENT_ID"]);
  });

  test("an expression that is wrong only when it runs is accepted: it counts as a claim that is absent", () => {
    const { emailPath } = only({ EMAIL_ATTRIBUTE_PATH: "contains(groups[*], 'x') && nosuch(a)" });
    expect(() => emailPath.search({})).toThrow();
    expect(
      only({ EMAIL_ATTRIBUTE_PATH: "mail || emails[0].value" }).emailPath.search({ emails: [{ value: "x" }] }),
    ).toBe("x");
    expect(only({ EMAIL_ATTRIBUTE_PATH: "constructor.name" }).emailPath.search({})).toBeNull();
    expect(refusalOf(provider("CORP", { EMAIL_ATTRIBUTE_PATH: "a.".repeat(1500) })).problems[0]).toContain(
      "longer than",
    );
  });
});
