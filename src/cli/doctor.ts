// `spanlight doctor`: looks at everything that an installation depends on and says what to do, a line a finding. It changes
// nothing, tells no secret, and sends a mail only when it is asked to.

import type { Config } from "../config/config.ts";
import { ConfigProblems, type Problem, type Warning } from "../config/findings.ts";
import { type CommandLineSettings, loadConfig } from "../config/load.ts";
import { featureSettings } from "../server/features.ts";
import type { Command } from "./arguments.ts";
import { checkAccess } from "./doctor/access.ts";
import { checkCertificates } from "./doctor/certificates.ts";
import { checkDatabase } from "./doctor/database.ts";
import { type Finding, findingLine, ok, problem, warning } from "./doctor/finding.ts";
import { checkMail } from "./doctor/mail.ts";
import { checkPublicAddress } from "./doctor/public-address.ts";

type DoctorCommand<Kind extends Command["kind"]> = Extract<Command, { kind: Kind }>;

/** Status 0 without a problem, 1 with one; warnings alone are 0. */
export function runDoctor({ settings, mailTo }: DoctorCommand<"doctor">): Promise<number> {
  return look(settings, async (config, tell) => {
    tell(checkAccess(config));
    tell(await checkDatabase(config));
    tell(await checkCertificates(config));
    tell(await checkPublicAddress(config));
    tell(await checkMail(config, mailTo));
  });
}

/** `doctor oidc`: one identity provider, with the status of `doctor`. */
export function runDoctorOidc({ settings, provider }: DoctorCommand<"doctor oidc">): Promise<number> {
  return look(settings, async (config, tell) => {
    const { checkIdentityProvider } = await import("./doctor/oidc.ts");
    tell(await checkIdentityProvider(config, provider));
  });
}

/** `doctor ldap`: the directory as one person would sign in by it, with the status of `doctor`. */
export function runDoctorLdap({ settings, username }: DoctorCommand<"doctor ldap">): Promise<number> {
  return look(settings, async (config, tell) => {
    const { checkDirectory } = await import("./doctor/directory.ts");
    for await (const finding of checkDirectory(config, username)) tell([finding]);
  });
}

type Tell = (more: readonly Finding[]) => void;

async function look(
  settings: CommandLineSettings,
  check: (config: Config, tell: Tell) => Promise<void>,
): Promise<number> {
  const findings: Finding[] = [];
  const tell: Tell = (more) => {
    findings.push(...more);
    for (const finding of more) process.stdout.write(`${findingLine(finding)}\n`);
  };
  const config = readSettings(settings, tell);
  if (config !== null) await check(config, tell);
  const count = (state: Finding["state"]) => findings.filter((finding) => finding.state === state).length;
  process.stdout.write(`problems: ${count("problem")}, warnings: ${count("warning")}\n`);
  return count("problem") === 0 ? 0 : 1;
}

/** Null when the service could not start with them. */
function readSettings(settings: CommandLineSettings, tell: Tell): Config | null {
  const warned = ({ setting, message }: Warning) =>
    warning("settings", `${setting}: ${withoutStop(message)}`, "see docs/settings.md");
  const wrong = ({ setting, message, hint }: Problem) =>
    problem("settings", `${setting}: ${withoutStop(message)}`, hint ?? `correct ${setting}`);
  try {
    const { config, warnings } = loadConfig(process.env, {
      ...settings,
      features: featureSettings,
      createsWorkingDirectory: false,
    });
    tell(warnings.length === 0 ? [ok("settings", "read, none is wrong")] : warnings.map(warned));
    return config;
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error;
    tell([...error.problems.map(wrong), ...error.warnings.map(warned)]);
    return null;
  }
}

function withoutStop(message: string): string {
  return message.replace(/\.$/, "");
}
