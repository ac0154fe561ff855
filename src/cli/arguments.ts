// The command line, read into a command and nothing else: no side effect, no setting of the environment. Mistakes become a
// `mistake`, which the caller prints with the usage and ends with status 2.
import type { CommandLineSettings } from "../config/load.ts";

export type Command =
  | { readonly kind: "serve"; readonly settings: CommandLineSettings; readonly warnings: readonly string[] }
  | { readonly kind: "migrate"; readonly settings: CommandLineSettings }
  | { readonly kind: "healthcheck"; readonly settings: CommandLineSettings }
  | { readonly kind: "verify"; readonly settings: CommandLineSettings }
  | { readonly kind: "backup"; readonly settings: CommandLineSettings; readonly to: string | null }
  | { readonly kind: "restore"; readonly settings: CommandLineSettings; readonly from: string }
  | {
      readonly kind: "demo";
      readonly settings: CommandLineSettings;
      readonly url: string | null;
      readonly remove: boolean;
    }
  | { readonly kind: "doctor"; readonly settings: CommandLineSettings; readonly mailTo: string | null }
  | { readonly kind: "doctor oidc"; readonly settings: CommandLineSettings; readonly provider: string }
  | { readonly kind: "doctor ldap"; readonly settings: CommandLineSettings; readonly username: string }
  | {
      readonly kind: "users";
      readonly action: UsersAction;
      readonly settings: CommandLineSettings;
      readonly account: AccountOptions;
    }
  | { readonly kind: "licenses" }
  | { readonly kind: "version" }
  | { readonly kind: "help"; readonly usage: string }
  | { readonly kind: "mistake"; readonly message: string; readonly usage: string };

type UsersAction = "list" | "create-admin" | "reset-password" | "unlock";

/** Which account a command is about. */
export interface AccountOptions {
  readonly email: string | null;
  readonly username: string | null;
  /** File that holds a password. */
  readonly passwordFile: string | null;
}

/** Status of a mistake on the command line. */
export const MISTAKE_EXIT_STATUS = 2;

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };
type Draft = Mutable<CommandLineSettings> & {
  /** The file of a backup. */
  to?: string;
  /** The service that gets the example project. */
  url?: string;
  /** The example project goes. */
  remove?: boolean;
  /** Who gets the doctor's test mail. */
  mailTo?: string;
  email?: string;
  username?: string;
  passwordFile?: string;
};

interface Option {
  readonly name: string;
  /** How the usage writes the value; absent for a flag. */
  readonly value?: string;
  readonly meaning: string;
  /** Takes the value into the draft; answers what is wrong with it, or null. */
  readonly apply?: (draft: Draft, value: string) => string | null;
  /** Accepted for the sake of older scripts; the text says why it does nothing. */
  readonly ineffective?: string;
}

const LARGEST_PORT = 65_535;

function portOption(name: string, key: "port" | "grpcPort", meaning: string): Option {
  return {
    name,
    value: "<port>",
    meaning,
    apply: (draft, value) => {
      if (!/^\d+$/.test(value) || Number(value) > LARGEST_PORT)
        return `${name} must be a port between 1 and ${LARGEST_PORT}`;
      // 0 counts as not given.
      draft[key] = Number(value) || null;
      return null;
    },
  };
}

function textOption(name: string, value: string, key: "host" | "databaseUrl", meaning: string): Option {
  return {
    name,
    value,
    meaning,
    apply: (draft, text) => {
      if (text === "") return `${name} must not be empty`;
      draft[key] = text;
      return null;
    },
  };
}

function flag(name: string, key: "readOnly" | "debug" | "noWebPage", meaning: string): Option {
  return {
    name,
    meaning,
    apply: (draft) => {
      draft[key] = true;
      return null;
    },
  };
}

const databaseUrl = textOption("--database-url", "<url>", "databaseUrl", "database, instead of the environment's");
const host = textOption("--host", "<address>", "host", "address to listen on, instead of SERVICE_HOST");
const port = portOption("--port", "port", "HTTP port, instead of SERVICE_PORT");
const to: Option = {
  name: "--to",
  value: "<file>",
  meaning: "file of the copy, instead of one beside the database",
  apply: (draft, text) => {
    if (text === "") return "--to must not be empty";
    draft.to = text;
    return null;
  },
};
const url: Option = {
  name: "--url",
  value: "<address>",
  meaning: "the service, instead of the one of the settings",
  apply: (draft, text) => {
    if (!/^https?:\/\/./.test(text)) return "--url must begin with http:// or https://";
    draft.url = text;
    return null;
  },
};
const remove: Option = {
  name: "--remove",
  meaning: "delete the example project",
  apply: (draft) => {
    draft.remove = true;
    return null;
  },
};
const mailTo: Option = {
  name: "--mail-to",
  value: "<address>",
  meaning: "also send a test mail there",
  apply: (draft, text) => {
    if (!text.includes("@")) return "--mail-to must be an e-mail address";
    draft.mailTo = text;
    return null;
  },
};
function accountOption(
  name: string,
  value: string,
  key: "email" | "username" | "passwordFile",
  meaning: string,
): Option {
  return {
    name,
    value,
    meaning,
    apply: (draft, text) => {
      if (text.trim() === "") return `${name} must not be empty`;
      draft[key] = text;
      return null;
    },
  };
}

const email = accountOption("--email", "<address>", "email", "e-mail address of the account");
const passwordFile = accountOption(
  "--password-file",
  "<file>",
  "passwordFile",
  "file with the password; without it one is made up and told",
);
const demonstration = "spanlight demo sends an example project instead";
const development = "the page is not developed through this service";

const serveOptions: readonly Option[] = [
  databaseUrl,
  host,
  port,
  portOption("--grpc-port", "grpcPort", "gRPC port, instead of SERVICE_GRPC_PORT"),
  flag("--read-only", "readOnly", "store and change nothing"),
  flag("--debug", "debug", "log in detail"),
  flag("--no-ui", "noWebPage", "serve no web page"),
  { name: "--no-internet", meaning: "accepted; the service never calls out", apply: () => null },
  { name: "--dev", meaning: "", ineffective: development },
  { name: "--dev-vite-port", value: "<port>", meaning: "", ineffective: development },
  { name: "--with-trace-fixtures", value: "<names>", meaning: "", ineffective: demonstration },
  { name: "--with-projects", value: "<names>", meaning: "", ineffective: demonstration },
  { name: "--force-fixture-ingestion", meaning: "", ineffective: demonstration },
  { name: "--scaffold-datasets", meaning: "", ineffective: demonstration },
];

type Subcommand =
  | "serve"
  | "migrate"
  | "healthcheck"
  | "verify"
  | "backup"
  | "restore"
  | "doctor"
  | "doctor oidc"
  | "doctor ldap"
  | "demo"
  | "licenses"
  | `users ${UsersAction}`;

interface SubcommandRow {
  readonly meaning: string;
  readonly options: readonly Option[];
  /** The one word that must stand behind the subcommand, as the usage writes it. */
  readonly operand?: string;
}

const subcommands: Readonly<Record<Subcommand, SubcommandRow>> = {
  serve: { meaning: "run the service", options: serveOptions },
  migrate: { meaning: "bring the database up to date and exit (also: db migrate)", options: [databaseUrl] },
  healthcheck: { meaning: "ask a running service whether it is ready", options: [host, port] },
  verify: {
    meaning: "recompute sums, counts and links, look at payloads, and name each difference",
    options: [databaseUrl],
  },
  backup: { meaning: "copy the SQLite file, also while the service runs", options: [databaseUrl, to] },
  restore: {
    meaning: "put a copy in the place of the SQLite file, while the service does not run",
    operand: "<file>",
    options: [databaseUrl],
  },
  doctor: {
    meaning: "look at settings, database, address, mail and certificates, and say what is wrong",
    options: [databaseUrl, host, port, mailTo],
  },
  "doctor oidc": {
    meaning: "look at an identity provider, step by step",
    operand: "<provider>",
    options: [],
  },
  "doctor ldap": {
    meaning: "try every step of a sign-in by the directory, but the password",
    operand: "<username>",
    options: [],
  },
  demo: {
    meaning: "send an example project to a running service, or remove it again",
    options: [url, remove, host, port],
  },
  licenses: { meaning: "print the licences of everything that the program is made of", options: [] },
  "users list": { meaning: "list the accounts", options: [databaseUrl] },
  "users create-admin": {
    meaning: "make an administrator",
    options: [
      email,
      accountOption("--username", "<name>", "username", "name of the account, instead of the address"),
      passwordFile,
      databaseUrl,
    ],
  },
  "users reset-password": {
    meaning: "give an account a new password and end its sign-ins",
    options: [email, passwordFile, databaseUrl],
  },
  "users unlock": { meaning: "let an account sign in again that was locked", options: [email, databaseUrl] },
};
/** Column of the meanings. */
const NAME_WIDTH = 22;

/** The usage text, of one subcommand or of all. */
function usageOf(subcommand: Subcommand | null): string {
  if (subcommand === null) {
    const rows = Object.entries(subcommands).map(([name, { meaning }]) => `  ${name.padEnd(NAME_WIDTH)}${meaning}`);
    return [
      "usage: spanlight <subcommand> [options]",
      "       spanlight --version | --help",
      "",
      ...rows,
      "",
      "spanlight <subcommand> --help tells its options.",
    ].join("\n");
  }
  const { operand } = subcommands[subcommand];
  const shown = subcommands[subcommand].options.filter(({ ineffective }) => ineffective === undefined);
  const rows = shown.map(({ name, value, meaning }) => {
    const form = value === undefined ? name : `${name} ${value}`;
    return `  ${form.padEnd(26)}${meaning}`;
  });
  const tail = operand ?? "[options]";
  return [`usage: spanlight ${subcommand} ${tail}`, "", ...rows].join("\n").trimEnd();
}

/** Reads the arguments behind the program's name. */
export function parseArguments(words: readonly string[]): Command {
  const { subcommand, rest: behind } = findSubcommand(words);
  if (words.some((word) => word === "-h" || word === "--help")) return { kind: "help", usage: usageOf(subcommand) };
  if (words.length === 1 && words[0] === "--version") return { kind: "version" };
  if (subcommand === null) return mistake(null, mistakeOfFirst(words));

  const { operand: needed } = subcommands[subcommand];
  const [operand = "", ...rest] = needed === undefined ? ["", ...behind] : behind;
  if (needed !== undefined && (operand === "" || operand.startsWith("-")))
    return mistake(subcommand, `${needed} is needed`);
  const draft: Draft = {
    host: null,
    port: null,
    grpcPort: null,
    databaseUrl: null,
    readOnly: false,
    debug: false,
    noWebPage: false,
  };
  const warnings: string[] = [];
  for (let at = 0; at < rest.length; at++) {
    const { name, attached } = splitWord(rest[at]!);
    const option = subcommands[subcommand].options.find((known) => known.name === name);
    if (option === undefined) return mistake(subcommand, `unknown ${describe(name)}`);
    if (option.value === undefined && attached !== null) return mistake(subcommand, `${name} takes no value`);
    let value = attached ?? "";
    if (option.value !== undefined && attached === null) {
      const next = rest[at + 1];
      if (next === undefined || next.startsWith("-")) return mistake(subcommand, `${name} needs a value`);
      value = next;
      at++;
    }
    if (option.ineffective !== undefined) warnings.push(`${name} has no effect: ${option.ineffective}.`);
    const problem = option.apply?.(draft, value) ?? null;
    if (problem !== null) return mistake(subcommand, problem);
  }
  const { to: target = null, mailTo: address = null, url: service = null, remove: removes = false, ...more } = draft;
  const { email: sentEmail = null, username = null, passwordFile: file = null, ...settings } = more;
  const account = { email: sentEmail, username, passwordFile: file };
  switch (subcommand) {
    case "users list":
      return { kind: "users", action: "list", settings, account };
    case "users create-admin":
    case "users reset-password":
    case "users unlock":
      if (account.email === null) return mistake(subcommand, "--email is needed");
      return { kind: "users", action: actionOf(subcommand), settings, account };
    case "serve":
      return { kind: "serve", settings, warnings };
    case "backup":
      return { kind: "backup", settings, to: target };
    case "restore":
      return { kind: "restore", settings, from: operand };
    case "licenses":
      return { kind: "licenses" };
    case "demo":
      return { kind: "demo", settings, url: service, remove: removes };
    case "doctor":
      return { kind: "doctor", settings, mailTo: address };
    case "doctor oidc":
      return { kind: "doctor oidc", settings, provider: operand };
    case "doctor ldap":
      return { kind: "doctor ldap", settings, username: operand };
    default:
      return { kind: subcommand, settings };
  }
}

function findSubcommand(words: readonly string[]): { subcommand: Subcommand | null; rest: readonly string[] } {
  const [first, second] = words;
  if (first === "db" && second === "migrate") return { subcommand: "migrate", rest: words.slice(2) };
  const both = `${first} ${second}`;
  if (second !== undefined && isSubcommand(both)) return { subcommand: both, rest: words.slice(2) };
  if (first !== undefined && isSubcommand(first)) return { subcommand: first, rest: words.slice(1) };
  return { subcommand: null, rest: words };
}

function actionOf(subcommand: `users ${UsersAction}`): UsersAction {
  return subcommand.slice("users ".length) as UsersAction;
}

function isSubcommand(word: string): word is Subcommand {
  return Object.hasOwn(subcommands, word);
}

function mistakeOfFirst(words: readonly string[]): string {
  const first = words[0];
  if (first === undefined) return "a subcommand is needed";
  if (first === "db") return "db needs the subcommand migrate";
  if (first === "users") return "users needs one of: list, create-admin, reset-password, unlock";
  if (first.startsWith("-")) return `options come after the subcommand: ${splitWord(first).name}`;
  return `unknown ${describe(first)}`;
}

function splitWord(word: string): { name: string; attached: string | null } {
  const equals = word.startsWith("--") ? word.indexOf("=") : -1;
  return equals < 0
    ? { name: word, attached: null }
    : { name: word.slice(0, equals), attached: word.slice(equals + 1) };
}

/** A word of the command line for a message. A misplaced URL may hold a password and is not repeated. */
function describe(word: string): string {
  if (word.startsWith("-")) return `option ${word}`;
  return word.includes("://") ? "argument (a URL)" : `argument ${word}`;
}

function mistake(subcommand: Subcommand | null, message: string): Command {
  return { kind: "mistake", message, usage: usageOf(subcommand) };
}
