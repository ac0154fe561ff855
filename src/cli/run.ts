// Runs one command and turns every failure into one clear line and an exit status.
import { ConfigProblems } from "../config/findings.ts";
import { Failure, messageOf } from "../kernel/failure.ts";
import { VERSION } from "../version.ts";
import { MISTAKE_EXIT_STATUS, parseArguments } from "./arguments.ts";

/** Resolves with the exit status: 0, 1 for a failure, 2 for a mistake on the command line. */
export async function runCommand(words: readonly string[]): Promise<number> {
  const command = parseArguments(words);
  try {
    switch (command.kind) {
      case "help":
        process.stdout.write(`${command.usage}\n`);
        return 0;
      case "version":
        process.stdout.write(`${VERSION}\n`);
        return 0;
      case "mistake":
        process.stderr.write(`${command.usage}\nerror: ${command.message}\n`);
        return MISTAKE_EXIT_STATUS;
      case "serve":
        return await (await import("./serve.ts")).serve(command);
      case "migrate":
        return await (await import("./migrate.ts")).runMigrate(command);
      case "verify":
        return await (await import("./verify.ts")).runVerify(command);
      case "backup":
        return await (await import("./backup.ts")).runBackup(command);
      case "restore":
        return await (await import("./restore.ts")).runRestore(command);
      case "transfer":
        return await (await import("./transfer.ts")).runTransfer(command);
      case "doctor":
        return await (await import("./doctor.ts")).runDoctor(command);
      case "doctor oidc":
        return await (await import("./doctor.ts")).runDoctorOidc(command);
      case "doctor ldap":
        return await (await import("./doctor.ts")).runDoctorLdap(command);
      case "demo":
        return await (await import("./demo.ts")).runDemo(command);
      case "licenses":
        return await (await import("./licenses.ts")).runLicenses();
      case "users":
        return await (await import("./users.ts")).runUsers(command);
      case "healthcheck":
        return await (await import("./healthcheck.ts")).runHealthcheck(command);
    }
  } catch (error) {
    process.stderr.write(`${failureText(error)}\n`);
    return 1;
  }
}

/** Settings: every problem. A failure of ours: its sentence. Anything else is a bug and shows where. */
function failureText(error: unknown): string {
  if (error instanceof ConfigProblems) return error.message;
  if (error instanceof Failure) return `error: ${error.message}`;
  return `error: ${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}`;
}
