// SERVICE_ADMINS: accounts that every start creates when they are missing.
import { isDeliverableEmail } from "./email.ts";
import { quoted } from "./findings.ts";
import { accepted, type Parsed, type Row, refused, type Setting, setting } from "./setting.ts";

export interface ConfiguredAdmin {
  readonly username: string;
  /** Lower-cased. */
  readonly email: string;
}

export function configuredAdmins(row: Row<readonly ConfiguredAdmin[]>): Setting<readonly ConfiguredAdmin[]> {
  return setting(row, "list", (text) => parseAdmins(row.name, text));
}

function parseAdmins(name: string, text: string): Parsed<readonly ConfiguredAdmin[]> {
  const admins: ConfiguredAdmin[] = [];
  for (const part of text.split(";").map((piece) => piece.trim())) {
    if (part === "") continue;
    // A username may hold the sign, an address hardly ever does.
    const equals = part.lastIndexOf("=");
    const username = part.slice(0, Math.max(equals, 0)).trim();
    const email = part
      .slice(equals + 1)
      .trim()
      .toLowerCase();
    if (equals < 0 || username === "") {
      return refused(`Invalid format in ${name}: '${quoted(part)}'. Expected format: 'username=email'`);
    }
    if (!isDeliverableEmail(email)) return refused(`Invalid email in ${name}: '${quoted(email)}'`);
    if (admins.some((admin) => admin.username === username)) {
      return refused(`Duplicate username in ${name}: '${quoted(username)}'`);
    }
    if (admins.some((admin) => admin.email === email)) {
      return refused(`Duplicate email in ${name}: '${quoted(email)}'`);
    }
    admins.push({ username, email });
  }
  return accepted(admins);
}
