// The mail server of the operator. Without a host no mail is sent and nothing that needs mail works.
import { isIP } from "node:net";
import type { Environment } from "./environment.ts";
import { quoted } from "./findings.ts";
import { accepted, boolean, port, refused, secret, setting, text } from "./setting.ts";

const host = text({
  name: "SERVICE_SMTP_HOSTNAME",
  default: null,
  meaning: "Mail server; without it no mail is sent.",
});
const username = text({
  name: "SERVICE_SMTP_USERNAME",
  default: null,
  meaning: "User at the mail server; leave out together with the password for a relay without login.",
});
const password = secret({ name: "SERVICE_SMTP_PASSWORD", default: null, meaning: "Password at the mail server." });
const from = setting<string | null>(
  {
    name: "SERVICE_SMTP_MAIL_FROM",
    default: null,
    defaultText:
      "the user at the mail server if that is an address, else `spanlight@` and the host of `SERVICE_ROOT_URL`",
    meaning: "Sender of every mail, such as `Spanlight <no-reply@example.org>`.",
  },
  "text",
  (value) =>
    SENDER.test(value) ? accepted(value) : refused(`Invalid email in SERVICE_SMTP_MAIL_FROM: '${quoted(value)}'`),
);

// A relay inside a network may take hosts without a dot. Nothing here can begin another header line.
const ADDRESS = /^[^\p{Cc}\s<>@]+@[^\p{Cc}\s<>@]+$/u;
const SENDER = /^(?:[^\p{Cc}<>@]*<[^\p{Cc}\s<>@]+@[^\p{Cc}\s<>@]+>|[^\p{Cc}\s<>@]+@[^\p{Cc}\s<>@]+)$/u;

export const mailSettings = {
  host,
  port: port({
    name: "SERVICE_SMTP_PORT",
    default: 587,
    meaning: "Port of the mail server: STARTTLS first, then TLS; on 465 TLS first.",
  }),
  username,
  password,
  from,
  validateCertificates: boolean({
    name: "SERVICE_SMTP_VALIDATE_CERTS",
    default: true,
    meaning: "Whether the mail server's certificate must be valid.",
  }),
} as const;

export interface MailConfig {
  readonly host: string;
  readonly port: number;
  /** Null for a relay without login. */
  readonly login: { readonly username: string; readonly password: string } | null;
  /** An address, or a name with the address in angle brackets. */
  readonly from: string;
  readonly validateCertificates: boolean;
}

/** Null without a mail server. `rootUrl` is the address of the service, whose host stands for a sender that is not set. */
export function readMail(environment: Environment, rootUrl: string): MailConfig | null {
  const values = environment.readAll(mailSettings);
  if (values.host === null) return null;
  const { findings } = environment;
  if (values.password !== null && values.username === null) {
    findings.problem(
      username.name,
      "SMTP username is required",
      `leave ${password.name} out for a relay without login.`,
    );
  }
  if (values.username !== null && values.password === null) {
    findings.problem(
      password.name,
      "SMTP password is required",
      `leave ${username.name} out for a relay without login.`,
    );
  }
  return {
    host: values.host,
    port: values.port,
    login:
      values.username === null || values.password === null
        ? null
        : { username: values.username, password: values.password },
    from: values.from ?? defaultSender(values.username, rootUrl),
    validateCertificates: values.validateCertificates,
  };
}

function defaultSender(username: string | null, rootUrl: string): string {
  if (username !== null && ADDRESS.test(username)) return username;
  const host = new URL(rootUrl).hostname;
  // In an address, a host that is a number stands in brackets.
  return `spanlight@${isIP(host) === 4 ? `[${host}]` : host}`;
}
