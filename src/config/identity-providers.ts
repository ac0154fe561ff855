// Providers of OpenID Connect: any number, each with the settings SERVICE_OAUTH2_<IDP>_…. One such variable declares the provider.
// All are checked with authentication off, too.
import { compileJmesPath, type JmesPath } from "../kernel/jmespath.ts";
import { type Environment, twinName, type Variables } from "./environment.ts";
import { type Findings, quoted } from "./findings.ts";
import {
  accepted,
  boolean,
  list,
  path,
  type Row,
  refused,
  type Setting,
  secret,
  setting,
  text,
  type Values,
} from "./setting.ts";

/** What a person can be made by a provider. */
const roles = ["ADMIN", "MEMBER", "VIEWER"] as const;
type MappedRole = (typeof roles)[number];

const clientAuthentications = ["client_assertion_jwt", "client_secret_basic", "client_secret_post", "none"] as const;
type ClientAuthentication = (typeof clientAuthentications)[number];

/** Where the assertion of a client lies; read again for every sign-in. */
interface AssertionFile {
  readonly path: string;
  /** False: the path came from another variable and is not shown. */
  readonly mayBeShown: boolean;
}

interface RoleRules {
  readonly path: JmesPath;
  /** Role by value of the provider; null: the value is the role. */
  readonly mapping: ReadonlyMap<string, MappedRole> | null;
  /** True: a sign-in without a role is refused; false: the role is VIEWER. */
  readonly strict: boolean;
  /** False: only new accounts get it. */
  readonly resynchronised: boolean;
}

export interface IdentityProviderConfig {
  /** Lower case; part of addresses. */
  readonly id: string;
  readonly displayName: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly clientAuthentication: ClientAuthentication;
  readonly assertionFile: AssertionFile | null;
  /** Address of its metadata. */
  readonly configUrl: string;
  readonly usesPkce: boolean;
  /** All that are asked for. */
  readonly scopes: readonly string[];
  readonly allowsSignUp: boolean;
  readonly autoLogin: boolean;
  readonly emailPath: JmesPath;
  /** Who is let in; null for everybody. */
  readonly groups: { readonly path: JmesPath; readonly allowed: ReadonlySet<string> } | null;
  /** Null where roles are not taken from the provider. */
  readonly role: RoleRules | null;
}

const PREFIX = "SERVICE_OAUTH2_";
const ALWAYS_ASKED = ["openid", "email", "profile"];
/** Paths of an authorization server, which this service may become one day. */
const RESERVED = ["authorize", "consent", "register", "revoke", "token"];
const knownNames: ReadonlyMap<string, string> = new Map([
  ["aws_cognito", "AWS Cognito"],
  ["microsoft_entra_id", "Microsoft Entra ID"],
]);

/** The rows of one provider. `prefix` is what its variables begin with. */
function rowsOf(prefix: string, id: string) {
  const name = (suffix: string) => `${prefix}${suffix}`;
  return {
    clientId: text({ name: name("CLIENT_ID"), default: null, meaning: "Client id at the provider; required." }),
    clientSecret: secret({
      name: name("CLIENT_SECRET"),
      default: null,
      meaning:
        "Client secret at the provider; required unless the client authenticates with none or with an assertion.",
    }),
    configUrl: configUrl(name("OIDC_CONFIG_URL"), id),
    displayName: text({
      name: name("DISPLAY_NAME"),
      default: null,
      defaultText: "from the name of the provider",
      meaning: "Name on the button of the login page.",
    }),
    allowsSignUp: boolean({
      name: name("ALLOW_SIGN_UP"),
      default: true,
      meaning: "Whether people without an account get one; else only those that an administrator made sign in.",
    }),
    autoLogin: boolean({
      name: name("AUTO_LOGIN"),
      default: false,
      meaning: "Whether the login page leads straight to this provider; `/login?manual` shows it all the same.",
    }),
    usesPkce: boolean({ name: name("USE_PKCE"), default: false, meaning: "Whether PKCE (S256) is used as well." }),
    clientAuthentication: clientAuthentication(name("TOKEN_ENDPOINT_AUTH_METHOD"), id),
    assertionFile: path({
      name: name("CLIENT_ASSERTION_FILE"),
      default: null,
      meaning:
        "Absolute path of the file with the client assertion, for `client_assertion_jwt`; read at every sign-in.",
    }),
    assertionFileVariable: text({
      name: name("CLIENT_ASSERTION_FILE_ENV_VAR"),
      default: null,
      meaning: "Variable that holds that path, instead of the path.",
    }),
    scopes: setting<readonly string[]>(
      {
        name: name("SCOPES"),
        default: [],
        defaultText: "",
        meaning: "Scopes to ask for besides `openid email profile`, separated by blanks.",
      },
      "list",
      (value) => accepted(value.split(/\s+/).filter((scope) => scope !== "")),
    ),
    emailPath: attributePath(prefix, "EMAIL_ATTRIBUTE_PATH", {
      defaultText: "email",
      meaning: "JMESPath of the e-mail address in the claims.",
    }),
    groupsPath: attributePath(prefix, "GROUPS_ATTRIBUTE_PATH", {
      meaning: "JMESPath of the groups in the claims; needs the allowed groups.",
    }),
    allowedGroups: list({
      name: name("ALLOWED_GROUPS"),
      default: [],
      meaning: "Groups whose members are let in, compared exactly; needs the path of the groups.",
    }),
    rolePath: attributePath(prefix, "ROLE_ATTRIBUTE_PATH", {
      meaning: "JMESPath of the role in the claims; the role then follows the provider at every sign-in.",
    }),
    roleMapping: roleMapping(name("ROLE_MAPPING"), id),
    roleStrict: boolean({
      name: name("ROLE_ATTRIBUTE_STRICT"),
      default: false,
      meaning: "Whether people without a valid role are refused; else they are viewers.",
    }),
    roleResynchronised: boolean({
      name: name("ROLE_RESYNC"),
      default: true,
      meaning: "Whether people who have an account get the role of the provider, too.",
    }),
  } as const;
}

/** The rows as the documentation shows them. */
export const identityProviderSettings: readonly Setting<unknown>[] = Object.values(rowsOf(`${PREFIX}<IDP>_`, "<idp>"));

const suffixes = identityProviderSettings
  .flatMap(({ name, secret }) => (secret ? [name, twinName(name)] : [name]))
  .map((name) => name.slice(`${PREFIX}<IDP>_`.length));
const DECLARATION = new RegExp(`^${PREFIX}([A-Z0-9_]+)_(?:${suffixes.join("|")})$`);

/** Whether the variable is a setting of some provider. */
export function isIdentityProviderSetting(name: string): boolean {
  return DECLARATION.test(name);
}

/** Whether there is to be a provider, rightly set or not. */
export function declaresIdentityProvider(variables: Variables): boolean {
  return namesIn(variables).length > 0;
}

/** All providers by name. Problems are gathered; a provider that has one is left out. */
export function readIdentityProviders(environment: Environment): readonly IdentityProviderConfig[] {
  const { findings } = environment;
  const names = namesIn(environment.variables);
  const reserved = names.filter((name) => RESERVED.includes(name.toLowerCase()));
  if (reserved.length > 0) {
    const found = reserved.map((name) => name.toLowerCase()).join(", ");
    findings.problem(
      `${PREFIX}${reserved[0]}_…`,
      `OAuth2 identity provider names cannot use reserved authorization server paths: ${found}. Reserved names: ${RESERVED.join(", ")}`,
    );
  }
  const providers = names
    .filter((name) => !reserved.includes(name))
    .map((name) => readProvider(environment, name))
    .filter((provider) => provider !== null);
  const straight = providers.filter(({ autoLogin }) => autoLogin);
  for (const { id } of straight.slice(1)) {
    findings.warning(
      `${prefixOf(id)}AUTO_LOGIN`,
      `has no effect: only one auto-login client is allowed, and ${straight[0]!.id} comes first.`,
    );
  }
  return providers;
}

const prefixOf = (id: string) => `${PREFIX}${id.toUpperCase()}_`;

/** In upper case, by name. */
function namesIn(variables: Variables): string[] {
  const names = Object.keys(variables)
    .filter((name) => variables[name] !== undefined)
    .map((name) => DECLARATION.exec(name)?.[1])
    .filter((name) => name !== undefined);
  return [...new Set(names)].sort();
}

function readProvider(environment: Environment, name: string): IdentityProviderConfig | null {
  const { findings } = environment;
  const id = name.toLowerCase();
  const rows = rowsOf(prefixOf(id), id);
  const before = findings.problems.length;
  const values = environment.readAll(rows);
  requireClient(findings, id, rows, values);
  const assertionFile = readAssertionFile(environment, id, rows, values);
  const groups = readGroups(findings, id, rows, values);
  const role = readRole(findings, rows, values);
  if (values.clientAuthentication === "none" && !values.usesPkce) {
    findings.warning(rows.usesPkce.name, "is not true: a client without a secret is safe with PKCE only.");
  }
  const { clientId, configUrl } = values;
  if (findings.problems.length > before || clientId === null || configUrl === null) return null;
  return {
    id,
    displayName: values.displayName ?? displayNameOf(id),
    clientId,
    clientSecret: values.clientSecret,
    clientAuthentication: values.clientAuthentication,
    assertionFile,
    configUrl,
    usesPkce: values.usesPkce,
    scopes: [...new Set([...ALWAYS_ASKED, ...values.scopes])],
    allowsSignUp: values.allowsSignUp,
    autoLogin: values.autoLogin,
    emailPath: values.emailPath ?? EMAIL,
    groups,
    role,
  };
}

type Rows = ReturnType<typeof rowsOf>;
type ProviderValues = Values<Rows>;

function requireClient(findings: Findings, id: string, rows: Rows, values: ProviderValues): void {
  const require = (what: string, { name }: Setting<unknown>) => {
    // An unreadable file is reported already.
    if (findings.problems.some(({ setting }) => setting === name || setting === twinName(name))) return;
    findings.problem(name, `${what} must be set for the ${id} OAuth2 IDP via the ${name} environment variable`);
  };
  const needsSecret = values.clientAuthentication.startsWith("client_secret");
  if (values.clientId === null) require("Client ID", rows.clientId);
  if (needsSecret && values.clientSecret === null) require("Client secret", rows.clientSecret);
  if (values.configUrl === null) require("OpenID Connect configuration URL", rows.configUrl);
}

/** Null for a client that authenticates in another way. */
function readAssertionFile(
  { variables, findings, files }: Environment,
  id: string,
  rows: Rows,
  { clientAuthentication, assertionFile, assertionFileVariable }: ProviderValues,
): AssertionFile | null {
  const { name } = rows.assertionFile;
  const variableName = rows.assertionFileVariable.name;
  if (clientAuthentication !== "client_assertion_jwt") {
    for (const [given, setting] of [
      [assertionFile, name],
      [assertionFileVariable, variableName],
    ] as const) {
      if (given !== null)
        findings.warning(setting, "has no effect: the client does not authenticate with an assertion.");
    }
    return null;
  }
  if (assertionFile !== null && assertionFileVariable !== null) {
    findings.problem(name, `${name} and ${variableName} are mutually exclusive`);
    return null;
  }
  if (assertionFile === null && assertionFileVariable === null) {
    findings.problem(name, `${name} or ${variableName} must be set for ${id} with client_assertion_jwt`);
    return null;
  }
  const indirect = assertionFileVariable === null ? undefined : variables[assertionFileVariable]?.trim();
  const given = assertionFile ?? indirect ?? "";
  if (given === "") findings.problem(variableName, `the variable ${quoted(assertionFileVariable ?? "")} is not set`);
  else if (!given.startsWith("/")) {
    findings.problem(assertionFile === null ? variableName : name, "the path of the client assertion must be absolute");
  } else if (!files.isFile(given)) {
    findings.warning(assertionFile === null ? variableName : name, "names a file that is not there yet.");
  }
  return { path: given, mayBeShown: assertionFile !== null };
}

function readGroups(
  findings: Findings,
  id: string,
  rows: Rows,
  { groupsPath, allowedGroups }: ProviderValues,
): IdentityProviderConfig["groups"] {
  const pathWasRead = !findings.problems.some(({ setting }) => setting === rows.groupsPath.name);
  if (groupsPath !== null && allowedGroups.length === 0) {
    findings.problem(
      rows.allowedGroups.name,
      `GROUPS_ATTRIBUTE_PATH is set for ${id} but ALLOWED_GROUPS is not. Set both, or neither.`,
    );
  }
  if (groupsPath === null && allowedGroups.length > 0 && pathWasRead) {
    findings.problem(
      rows.groupsPath.name,
      `ALLOWED_GROUPS is set for ${id} but GROUPS_ATTRIBUTE_PATH is not. Set both, or neither.`,
    );
  }
  return groupsPath === null ? null : { path: groupsPath, allowed: new Set(allowedGroups) };
}

function readRole(findings: Findings, rows: Rows, values: ProviderValues): RoleRules | null {
  if (values.rolePath !== null) {
    return {
      path: values.rolePath,
      mapping: values.roleMapping,
      strict: values.roleStrict,
      resynchronised: values.roleResynchronised,
    };
  }
  const ineffective = [
    ...(values.roleMapping === null ? [] : [rows.roleMapping]),
    ...(values.roleStrict ? [rows.roleStrict] : []),
    ...(values.roleResynchronised ? [] : [rows.roleResynchronised]),
  ];
  for (const { name } of ineffective) findings.warning(name, `has no effect: ${rows.rolePath.name} is not set.`);
  return null;
}

function displayNameOf(id: string): string {
  const words = id.split("_").filter((word) => word !== "");
  return knownNames.get(id) ?? words.map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`).join(" ");
}

/** Hosts of this machine, whose metadata may come without encryption. */
const LOCAL_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

function configUrl(name: string, id: string): Setting<string | null> {
  const meaning = "Address of the provider's metadata, such as `https://idp.example/.well-known/openid-configuration`.";
  return setting<string | null>({ name, default: null, meaning }, "url", (value) => {
    const url = URL.parse(value);
    if (url === null || !/^https?:\/\//i.test(value) || url.hostname === "") {
      return refused(`Invalid OIDC configuration URL for ${id} OAuth2 IDP: ${quoted(value)}`);
    }
    if (url.protocol === "http:" && !LOCAL_HOSTS.has(url.hostname)) {
      return refused(`OIDC configuration URL for ${id} OAuth2 IDP must use HTTPS (except for localhost)`);
    }
    return accepted(url.href);
  });
}

function clientAuthentication(name: string, id: string): Setting<ClientAuthentication> {
  const row: Row<ClientAuthentication> = {
    name,
    default: "client_secret_basic",
    meaning:
      "How the client authenticates: `client_secret_basic`, `client_secret_post`, `none` or `client_assertion_jwt`.",
  };
  return setting(row, "choice", (value) => {
    const chosen = clientAuthentications.find((each) => each === value.toLowerCase());
    if (chosen !== undefined) return accepted(chosen);
    return refused(`Invalid TOKEN_ENDPOINT_AUTH_METHOD for ${id}. Allowed: ${clientAuthentications.join(", ")}`);
  });
}

/** Needs no library. */
const EMAIL: JmesPath = { text: "email", search: (claims) => (claims as { readonly email?: unknown }).email ?? null };
const QUOTES = "a key with other characters than letters, digits and underscores stands in double quotes";

function attributePath(
  prefix: string,
  suffix: string,
  row: Pick<Row<null>, "meaning" | "defaultText">,
): Setting<JmesPath | null> {
  return setting<JmesPath | null>({ ...row, name: `${prefix}${suffix}`, default: null }, "text", (value) => {
    const compiled = compileJmesPath(value);
    if (compiled.ok) return accepted(compiled.path);
    return refused(
      `Invalid JMESPath expression in ${suffix}: '${quoted(value)}'. Error: ${quoted(compiled.problem)}`,
      `${QUOTES}: "cognito:groups".`,
    );
  });
}

function roleMapping(name: string, id: string): Setting<ReadonlyMap<string, MappedRole> | null> {
  const row = {
    name,
    default: null,
    meaning: "Roles by value of the provider: `Owner:ADMIN,Developer:MEMBER`. Without it the value is the role.",
  };
  return setting<ReadonlyMap<string, MappedRole> | null>(row, "list", (value) => {
    const mapping = new Map<string, MappedRole>();
    for (const pair of value.split(",").map((piece) => piece.trim())) {
      if (pair === "") continue;
      const colon = pair.indexOf(":");
      const invalid = `Invalid ROLE_MAPPING for ${id}:`;
      if (colon === -1) {
        return refused(
          `Invalid ROLE_MAPPING format for ${id}: '${quoted(pair)}'. Expected format: 'idp_role:ROLE', comma-separated`,
        );
      }
      const from = pair.slice(0, colon).trim();
      const to = pair.slice(colon + 1).trim();
      if (from === "") return refused(`${invalid} IDP role cannot be empty in '${quoted(pair)}'`);
      if (to.toUpperCase() === "SYSTEM") {
        return refused(`${invalid} SYSTEM role cannot be assigned via OAuth2. Valid roles are: ${roles.join(", ")}`);
      }
      const role = roles.find((each) => each === to.toUpperCase());
      if (role === undefined) {
        return refused(
          `${invalid} '${quoted(to)}' is not a valid Spanlight role. Valid roles are: ${roles.join(", ")}`,
        );
      }
      mapping.set(from, role);
    }
    return accepted(mapping.size === 0 ? null : mapping);
  });
}
