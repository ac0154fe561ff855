// What our mails say (`auth.md` 16). Programs find the links by the ids of their elements.
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

/** `url` carries the token; whoever has it may set the password. */
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
