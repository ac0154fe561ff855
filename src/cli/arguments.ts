// The command line, read into a command and nothing else: no side effect, no setting of the environment. Mistakes become a
// `mistake`, which the caller prints with the usage and ends with status 2.
import { parseArgs } from "node:util";
import type { CommandLineSettings } from "../config/load.ts";

export type Command =
  | { readonly kind: "serve"; readonly settings: CommandLineSettings; readonly warnings: readonly string[] }
  | { readonly kind: "migrate"; readonly settings: CommandLineSettings }
  | { readonly kind: "healthcheck"; readonly settings: CommandLineSettings }
  | { readonly kind: "verify"; readonly settings: CommandLineSettings }
  | { readonly kind: "backup"; readonly settings: CommandLineSettings; readonly to: string | null }
  | { readonly kind: "restore"; readonly settings: CommandLineSettings; readonly from: string }
  | { readonly kind: "transfer"; readonly settings: CommandLineSettings; readonly from: string; readonly to: string }
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

interface Option {
  /** How the usage writes the value; absent for a flag. */
  readonly value?: string;
  readonly meaning: string;
  /** What is wrong with a value, as the end of a sentence that begins with the option; null for a right one. */
  readonly problemOf?: (value: string) => string | null;
  /** Accepted for the sake of older scripts; the text says why it does nothing. */
  readonly ineffective?: string;
}

const LARGEST_PORT = 65_535;
const neverEmpty = (text: string) => (text.trim() === "" ? "must not be empty" : null);
const portOption = (meaning: string): Option => ({
  value: "<port>",
  meaning,
  problemOf: (text) =>
    /^\d+$/.test(text) && Number(text) <= LARGEST_PORT ? null : `must be a port between 1 and ${LARGEST_PORT}`,
});
const demonstration = { meaning: "", ineffective: "spanlight demo sends an example project instead" };
const development = { meaning: "", ineffective: "the page is not developed through this service" };

const options = {
  "database-url": { value: "<url>", meaning: "database, instead of the environment's", problemOf: neverEmpty },
  host: { value: "<address>", meaning: "address to listen on, instead of SERVICE_HOST", problemOf: neverEmpty },
  port: portOption("HTTP port, instead of SERVICE_PORT"),
  "grpc-port": portOption("gRPC port, instead of SERVICE_GRPC_PORT"),
  "read-only": { meaning: "store and change nothing" },
  debug: { meaning: "log in detail" },
  "no-ui": { meaning: "serve no web page" },
  "no-internet": { meaning: "accepted; the service never calls out" },
  dev: development,
  "dev-vite-port": { value: "<port>", ...development },
  "with-trace-fixtures": { value: "<names>", ...demonstration },
  "with-projects": { value: "<names>", ...demonstration },
  "force-fixture-ingestion": demonstration,
  "scaffold-datasets": demonstration,
  to: { value: "<file>", meaning: "file of the copy, instead of one beside the database", problemOf: neverEmpty },
  url: {
    value: "<address>",
    meaning: "the service, instead of the one of the settings",
    problemOf: (text) => (/^https?:\/\/./.test(text) ? null : "must begin with http:// or https://"),
  },
  remove: { meaning: "delete the example project" },
  "mail-to": {
    value: "<address>",
    meaning: "also send a test mail there",
    problemOf: (text) => (text.includes("@") ? null : "must be an e-mail address"),
  },
  email: { value: "<address>", meaning: "e-mail address of the account", problemOf: neverEmpty },
  username: { value: "<name>", meaning: "name of the account, instead of the address", problemOf: neverEmpty },
  "password-file": {
    value: "<file>",
    meaning: "file with the password; without it one is generated and printed",
    problemOf: neverEmpty,
  },
} as const satisfies Readonly<Record<string, Option>>;
type OptionName = keyof typeof options;

type Subcommand = Exclude<Command["kind"], "users" | "version" | "help" | "mistake"> | `users ${UsersAction}`;

interface SubcommandRow {
  readonly meaning: string;
  readonly options: readonly OptionName[];
  /** The words that must stand behind the subcommand, as the usage writes them. */
  readonly operands?: readonly string[];
}

const subcommands: Readonly<Record<Subcommand, SubcommandRow>> = {
  serve: {
    meaning: "run the service",
    options: [
      ...(["database-url", "host", "port", "grpc-port", "read-only", "debug", "no-ui", "no-internet"] as const),
      ...(["dev", "dev-vite-port", "with-trace-fixtures", "with-projects", "force-fixture-ingestion"] as const),
      "scaffold-datasets",
    ],
  },
  migrate: { meaning: "bring the database up to date and exit (also: db migrate)", options: ["database-url"] },
  healthcheck: { meaning: "ask a running service whether it is ready", options: ["host", "port"] },
  verify: {
    meaning: "recompute sums, counts and links, look at payloads, and name each difference",
    options: ["database-url"],
  },
  backup: { meaning: "copy the SQLite file, also while the service runs", options: ["database-url", "to"] },
  restore: {
    meaning: "put a copy in the place of the SQLite file, while the service does not run",
    operands: ["<file>"],
    options: ["database-url"],
  },
  transfer: {
    meaning: "copy everything into a new database, from SQLite to PostgreSQL or back",
    operands: ["<from>", "<to>"],
    options: [],
  },
  doctor: {
    meaning: "look at settings, database, address, mail and certificates, and say what is wrong",
    options: ["database-url", "host", "port", "mail-to"],
  },
  "doctor oidc": { meaning: "look at an identity provider, step by step", operands: ["<provider>"], options: [] },
  "doctor ldap": {
    meaning: "try every step of a sign-in by the directory, but the password",
    operands: ["<username>"],
    options: [],
  },
  demo: {
    meaning: "send an example project to a running service, or remove it again",
    options: ["url", "remove", "host", "port"],
  },
  licenses: { meaning: "print the licences of everything that the program is made of", options: [] },
  "users list": { meaning: "list the accounts", options: ["database-url"] },
  "users create-admin": {
    meaning: "make an administrator",
    options: ["email", "username", "password-file", "database-url"],
  },
  "users reset-password": {
    meaning: "give an account a new password and end its sign-ins",
    options: ["email", "password-file", "database-url"],
  },
  "users unlock": {
    meaning: "let an account sign in again that was locked",
    options: ["email", "database-url"],
  },
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
      "spanlight <subcommand> --help lists its options.",
    ].join("\n");
  }
  const { operands = ["[options]"], options: names } = subcommands[subcommand];
  const rows = names.flatMap((name) => {
    const { value, meaning, ineffective }: Option = options[name];
    const form = value === undefined ? `--${name}` : `--${name} ${value}`;
    return ineffective === undefined ? [`  ${form.padEnd(26)}${meaning}`] : [];
  });
  return [`usage: spanlight ${subcommand} ${operands.join(" ")}`, "", ...rows].join("\n").trimEnd();
}

/** Reads the arguments behind the program's name. */
export function parseArguments(words: readonly string[]): Command {
  const { subcommand, rest: behind } = findSubcommand(words);
  if (words.some((word) => word === "-h" || word === "--help")) return { kind: "help", usage: usageOf(subcommand) };
  if (words.length === 1 && words[0] === "--version") return { kind: "version" };
  if (subcommand === null) return mistake(null, mistakeOfFirst(words));

  const { operands: needed = [], options: known } = subcommands[subcommand];
  const missing = needed.find((_, position) => (behind[position] ?? "-").startsWith("-") || behind[position] === "");
  if (missing !== undefined) return mistake(subcommand, `${missing} is needed`);
  const [operand = "", second = ""] = behind.slice(0, needed.length);
  const read = readOptions(known, behind.slice(needed.length));
  if (typeof read === "string") return mistake(subcommand, read);
  const { values, warnings } = read;
  const text = (name: OptionName) => values.get(name) ?? null;
  const settings: CommandLineSettings = {
    host: text("host"),
    // 0 counts as not given.
    port: Number(text("port")) || null,
    grpcPort: Number(text("grpc-port")) || null,
    databaseUrl: text("database-url"),
    readOnly: values.has("read-only"),
    debug: values.has("debug"),
    noWebPage: values.has("no-ui"),
  };
  const account = { email: text("email"), username: text("username"), passwordFile: text("password-file") };
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
      return { kind: "backup", settings, to: text("to") };
    case "restore":
      return { kind: "restore", settings, from: operand };
    case "transfer":
      return { kind: "transfer", settings, from: operand, to: second };
    case "licenses":
      return { kind: "licenses" };
    case "demo":
      return { kind: "demo", settings, url: text("url"), remove: values.has("remove") };
    case "doctor":
      return { kind: "doctor", settings, mailTo: text("mail-to") };
    case "doctor oidc":
      return { kind: "doctor oidc", settings, provider: operand };
    case "doctor ldap":
      return { kind: "doctor ldap", settings, username: operand };
    default:
      return { kind: subcommand, settings };
  }
}

interface ReadOptions {
  /** By name; empty for a flag. Of an option that is given twice, the last. */
  readonly values: ReadonlyMap<OptionName, string>;
  readonly warnings: readonly string[];
}

/** What is wrong with the words, or what they say. */
function readOptions(names: readonly OptionName[], words: readonly string[]): ReadOptions | string {
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(names.map((name) => [name, { type: "value" in options[name] ? "string" : "boolean" }])),
    // Otherwise a message would repeat what was typed, which may hold a password.
    strict: false,
    tokens: true,
  });
  const values = new Map<OptionName, string>();
  const warnings: string[] = [];
  for (const token of tokens) {
    if (token.kind !== "option") return `unknown ${describe(words[token.index]!)}`;
    const { rawName, value = "", inlineValue } = token;
    const name = names.find((known) => rawName === `--${known}`);
    if (name === undefined) return `unknown ${describe(rawName)}`;
    const option: Option = options[name];
    if (option.value === undefined && inlineValue) return `${rawName} takes no value`;
    if (option.value !== undefined && !inlineValue && (token.value ?? "-").startsWith("-"))
      return `${rawName} needs a value`;
    if (option.ineffective !== undefined) warnings.push(`${rawName} has no effect: ${option.ineffective}.`);
    const problem = option.problemOf?.(value) ?? null;
    if (problem !== null) return `${rawName} ${problem}`;
    values.set(name, value);
  }
  return { values, warnings };
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
  if (first.startsWith("-")) return `options come after the subcommand: ${first.split("=")[0]}`;
  return `unknown ${describe(first)}`;
}

/** A word of the command line for a message. A misplaced URL may hold a password and is not repeated. */
function describe(word: string): string {
  if (word.startsWith("-")) return `option ${word}`;
  return word.includes("://") ? "argument (a URL)" : `argument ${word}`;
}

function mistake(subcommand: Subcommand | null, message: string): Command {
  return { kind: "mistake", message, usage: usageOf(subcommand) };
}
