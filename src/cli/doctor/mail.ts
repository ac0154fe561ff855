// The doctor's call at the mail server: connect, encrypt, sign in; a mail only to the address that was asked for.
import type { Config } from "../../config/config.ts";
import { messageOf } from "../../kernel/failure.ts";
import { createSmtpSender } from "../../modules/accounts/mail/smtp.service.ts";
import { type Finding, ok, problem } from "./finding.ts";

const ABOUT = "mail";
const LIMIT_MILLISECONDS = 10_000;

export async function checkMail({ mail, server }: Config, mailTo: string | null): Promise<Finding[]> {
  if (mail === null) {
    const text = "no mail server is set: no password resets and no welcomes by mail";
    return mailTo === null ? [ok(ABOUT, text)] : [problem(ABOUT, text, "set SERVICE_SMTP_HOSTNAME")];
  }
  const sender = createSmtpSender(mail);
  const place = `${mail.host}:${mail.port}`;
  try {
    const encryption = await sender.check(LIMIT_MILLISECONDS);
    const login = mail.login === null ? "without login" : `as ${mail.login.username}`;
    const findings = [ok(ABOUT, `${place} lets us in by ${encryption}, ${login}`)];
    if (mailTo === null) return findings;
    const text = `Spanlight at ${server.rootUrl} can send mail.`;
    const html = "<p>Spanlight can send mail.</p>";
    await sender.send({ to: mailTo, subject: "[Spanlight] Test", text, html }, LIMIT_MILLISECONDS);
    return [...findings, ok(ABOUT, `a test mail to ${mailTo} was taken`)];
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return [problem(ABOUT, `${place}: ${messageOf(cause)}`, adviceFor(cause))];
  }
}

const UNREACHABLE = "check SERVICE_SMTP_HOSTNAME, SERVICE_SMTP_PORT and the firewall";

/** By the codes of the mail library. */
function adviceFor(cause: unknown): string {
  const { code } = cause as { code?: string };
  if (/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/.test(messageOf(cause))) return UNREACHABLE;
  switch (code) {
    case "EAUTH":
      return "check SERVICE_SMTP_USERNAME and SERVICE_SMTP_PASSWORD";
    case "EENVELOPE":
      return "check SERVICE_SMTP_MAIL_FROM and the address";
    case "ETLS":
    case "CERT_HAS_EXPIRED":
    case "ESOCKET":
      return "check the port and the certificate of the mail server (SERVICE_SMTP_VALIDATE_CERTS)";
    default:
      return UNREACHABLE;
  }
}
