// What our mails say. Programs find the links by the ids of their elements.
import type { Mail } from "./mail.schema.ts";

/** `url` has no slash at its end. */
export function welcomeMail(to: string, { username, url }: { readonly username: string; readonly url: string }): Mail {
  return {
    to,
    subject: "[Spanlight] Welcome to Spanlight",
    html: page("Welcome to Spanlight", [
      `<p>Hello ${escaped(username)},</p>`,
      "<p>an account was made for you. Sign in here:</p>",
      `<p><a id="welcome-url" href="${escaped(url)}">${escaped(url)}</a></p>`,
    ]),
    text: `Hello ${username},\n\nan account was made for you. Sign in here:\n${url}\n`,
  };
}

/** `url` carries the token; anyone who has it may set the password. */
export function passwordResetMail(to: string, url: string): Mail {
  return {
    to,
    subject: "[Spanlight] Password Reset Request",
    html: page("Password Reset Request", [
      "<p>A new password was asked for your account. Choose one here:</p>",
      `<p><a id="reset-url" href="${escaped(url)}">${escaped(url)}</a></p>`,
      "<p>If it was not you, ignore this mail: your password stays as it is.</p>",
    ]),
    text: `A new password was asked for your account. Choose one here:\n${url}\n\nIf it was not you, ignore this mail: your password stays as it is.\n`,
  };
}

/** How full the database is. */
export interface StorageUsage {
  readonly usedBytes: number;
  readonly capacityBytes: number;
  /** Percent of the capacity from which on administrators are warned. */
  readonly threshold: number;
}

export function storageWarningMail(to: string, usage: StorageUsage, supportEmail: string | null): Mail {
  const { usedBytes, capacityBytes, threshold } = usage;
  const percent = ((usedBytes / capacityBytes) * 100).toFixed(1);
  const facts = [
    `Used: ${gibibytes(usedBytes)}`,
    `Allocated: ${gibibytes(capacityBytes)}`,
    `Usage: ${percent} %`,
    `Threshold: ${threshold} %`,
  ];
  const advice = "Delete old data or allocate more storage before new data is refused.";
  const first = "The database of Spanlight uses more of its storage than the threshold that was set.";
  return {
    to,
    ...(supportEmail === null ? {} : { cc: supportEmail }),
    subject: "[Spanlight] Database Disk Space Usage Threshold Exceeded",
    html: page("Database Usage Notification", [
      `<p>${first}</p>`,
      `<ul>${facts.map((fact) => `<li>${escaped(fact)}</li>`).join("")}</ul>`,
      `<p>${advice}</p>`,
      ...(supportEmail === null
        ? []
        : [`<p>Help: <a id="support-email" href="mailto:${escaped(supportEmail)}">${escaped(supportEmail)}</a></p>`]),
    ]),
    text: [first, "", ...facts, "", advice, ...(supportEmail === null ? [] : [`Help: ${supportEmail}`]), ""].join("\n"),
  };
}

function gibibytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(2)} GiB`;
}

function page(title: string, lines: readonly string[]): string {
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(title)}</title></head>
<body>
${lines.join("\n")}
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
