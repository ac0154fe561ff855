// `spanlight users …`: manages accounts without a sign-in: the way back in when the last administrator has lost the password.
// Works on the database, while the service runs too; its servers notice within two seconds.
import { readFileSync } from "node:fs";
import { openPrincipal } from "../access/principal.ts";
import type { AuthenticationConfig } from "../config/authentication.ts";
import { quoted } from "../config/findings.ts";
import { loadConfig } from "../config/load.ts";
import { systemClock } from "../kernel/clock.ts";
import { type Failure, fail, messageOf } from "../kernel/failure.ts";
import { silentLogger } from "../kernel/logger.ts";
import { formatInstant } from "../kernel/time.ts";
import { createLockOutService } from "../modules/accounts/auth/protection/lock-out.service.ts";
import { createLockOutStore } from "../modules/accounts/auth/protection/lock-out.store.ts";
import { generatePassword } from "../modules/accounts/users/password.rules.ts";
import { normalisedEmail, type User } from "../modules/accounts/users/users.schema.ts";
import { createAccounts } from "../server/accounts.ts";
import { inspectStorage } from "../storage/inspect.ts";
import type { StorageLocation } from "../storage/location.ts";
import { openStorageAlone } from "../storage/open.ts";
import type { CallContext } from "../storage/storage.ts";
import type { AccountOptions, Command } from "./arguments.ts";

const LONG_MILLISECONDS = 60_000;

type UsersCommand = Extract<Command, { kind: "users" }>;

/** Status 0; what is refused is a failure with its reason. */
export async function runUsers(command: UsersCommand): Promise<number> {
  const { config } = loadConfig(process.env, { ...command.settings, createsWorkingDirectory: false });
  const { location } = config.database;
  await requireCurrentTables(location);
  const storage = openStorageAlone(location);
  try {
    const { authentication } = config;
    const lines = await act(command, {
      context: {
        principal: openPrincipal,
        requestId: "users",
        deadline: performance.now() + LONG_MILLISECONDS,
        signal: null,
        database: storage.handle,
      },
      accounts: createAccounts({ storage, settings: authentication, log: silentLogger }),
      lockOut: createLockOutService(
        createLockOutStore(),
        { disabled: authentication.lockOutDisabled, maxFailures: authentication.maxFailedLogins },
        { clock: systemClock, log: silentLogger },
      ),
      adminMethod: authentication.adminMethod,
    });
    for (const line of lines) process.stdout.write(`${line}\n`);
    return 0;
  } finally {
    await storage.close();
  }
}

interface Means {
  readonly context: CallContext;
  readonly accounts: ReturnType<typeof createAccounts>;
  readonly lockOut: ReturnType<typeof createLockOutService>;
  readonly adminMethod: AuthenticationConfig["adminMethod"];
}

/** Does what was asked and returns what to tell. */
async function act(command: UsersCommand, means: Means): Promise<string[]> {
  switch (command.action) {
    case "list":
      return listed(await means.accounts.users.listEverybody(means.context));
    case "create-admin":
      return createAdmin(command.account, means);
    case "reset-password":
      return resetPassword(command.account, means);
    case "unlock": {
      const user = await getUser(command.account, means);
      await means.lockOut.forget(means.context, user.email ?? user.username);
      return [`${user.email} may sign in again.`];
    }
  }
}

async function createAdmin(account: AccountOptions, { context, accounts, adminMethod }: Means): Promise<string[]> {
  const email = account.email ?? "";
  const password = passwordFor(account);
  const user = await accounts.users.createUser(context, {
    authMethod: adminMethod,
    email,
    username: account.username ?? email,
    role: "ADMIN",
    password: adminMethod === "LOCAL" ? password.text : null,
    passwordMustChange: password.isGenerated,
    passwordOptional: false,
    sendWelcome: false,
  });
  if (adminMethod === "OAUTH2")
    return [`${user.email} is an administrator, who signs in through an identity provider.`];
  if (adminMethod === "LDAP") return [`${user.email} signs in by the directory, whose groups then decide the role.`];
  return [`${user.email} is an administrator.`, ...password.lines];
}

async function resetPassword(account: AccountOptions, means: Means): Promise<string[]> {
  const user = await getUser(account, means);
  const password = passwordFor(account);
  await means.accounts.userChanges.changeUser(means.context, user.id, {
    role: null,
    username: null,
    password: password.text,
    // Also one of a file: its owner has not chosen it.
    passwordMustChange: true,
  });
  return [
    `${user.email} has a new password, to be changed at the next sign-in, and every sign-in of the account has ended.`,
    ...password.lines,
  ];
}

async function getUser({ email }: AccountOptions, { context, accounts }: Means): Promise<User> {
  const user = await accounts.users.findUser(context, { email: normalisedEmail(email ?? "") });
  if (user === null) throw fail("users.no_account", "not_found", `No account has the address ${quoted(email ?? "")}`);
  return user;
}

interface GivenPassword {
  readonly text: string;
  readonly isGenerated: boolean;
  /** What is printed of it. */
  readonly lines: readonly string[];
}

/** The password of the file, or a generated one, which must be printed. */
function passwordFor({ passwordFile }: AccountOptions): GivenPassword {
  if (passwordFile === null) {
    const text = generatePassword();
    return { text, isGenerated: true, lines: [`Password, to be changed at the first sign-in: ${text}`] };
  }
  try {
    return { text: readFileSync(passwordFile, "utf8").replace(/\r?\n$/, ""), isGenerated: false, lines: [] };
  } catch (error) {
    throw fail("users.password_file", "invalid", `--password-file: ${messageOf(error)}`);
  }
}

function listed(users: readonly User[]): string[] {
  const rows = [
    ["EMAIL", "USERNAME", "ROLE", "SIGN-IN", "CREATED", ""],
    ...users.map((user) => [
      user.email ?? "-",
      quoted(user.username),
      user.role,
      user.authMethod,
      formatInstant(user.createdUs).slice(0, "2026-01-01T00:00:00".length),
      user.passwordChange === "none" ? "" : "password to be changed",
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
}

/** A command about accounts is no reason to change the tables of a database. */
async function requireCurrentTables(location: StorageLocation): Promise<void> {
  const { pending } = await inspectStorage(location);
  if (pending === null || pending.length > 0) throw notMigrated();
}

function notMigrated(): Failure {
  return fail("users.not_migrated", "unavailable", "The database is not up to date: run spanlight migrate first");
}
