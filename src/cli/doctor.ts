// `spanlight doctor`: looks at everything that an installation depends on and says what to do, a line a finding. It changes
// nothing, tells no secret, and sends a mail only when it is asked to.
import type { Config } from "../config/config.ts";
import { ConfigProblems, type Problem, type Warning } from "../config/findings.ts";
import { loadConfig } from "../config/load.ts";
import type { Command } from "./arguments.ts";
import { checkAccess } from "./doctor/access.ts";
import { checkCertificates } from "./doctor/certificates.ts";
import { checkDatabase } from "./doctor/database.ts";
import { type Finding, findingLine, ok, problem, warning } from "./doctor/finding.ts";
import { checkMail } from "./doctor/mail.ts";
import { checkPublicAddress } from "./doctor/public-address.ts";

/** Status 0 without a problem, 1 with one; warnings alone are 0. */
export async function runDoctor({ settings, mailTo }: Extract<Command, { kind: "doctor" }>): Promise<number> {
  const findings: Finding[] = [];
  const tell = (more: readonly Finding[]) => {
    findings.push(...more);
    for (const finding of more) process.stdout.write(`${findingLine(finding)}\n`);
  };
  const config = readSettings(settings, tell);
  if (config !== null) {
    tell(checkAccess(config));
    tell(await checkDatabase(config));
    tell(await checkCertificates(config));
    tell(await checkPublicAddress(config));
    tell(await checkMail(config, mailTo));
  }
  const count = (state: Finding["state"]) => findings.filter((finding) => finding.state === state).length;
  process.stdout.write(`problems: ${count("problem")}, warnings: ${count("warning")}\n`);
  return count("problem") === 0 ? 0 : 1;
}

/** Null when the service could not start with them. */
function readSettings(
  settings: Extract<Command, { kind: "doctor" }>["settings"],
  tell: (findings: readonly Finding[]) => void,
): Config | null {
  const warned = ({ setting, message }: Warning) =>
    warning("settings", `${setting}: ${withoutStop(message)}`, "see docs/settings.md");
  const wrong = ({ setting, message, hint }: Problem) =>
    problem("settings", `${setting}: ${withoutStop(message)}`, hint ?? `correct ${setting}`);
  try {
    const { config, warnings } = loadConfig(process.env, { ...settings, createsWorkingDirectory: false });
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
