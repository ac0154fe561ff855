// One mail to the operator's mail server, encrypted or not at all. The library is loaded by the first mail.
import type { Transporter } from "nodemailer";
import type { MailConfig } from "../../../config/mail.ts";
import { fail } from "../../../kernel/failure.ts";
import type { Mail } from "./mail.schema.ts";

type Mode = "tls" | "starttls";

export interface SmtpSender {
  /** Resolves when the mail server has taken the mail; throws kind `unavailable` when it has not by the time, or refuses. */
  send(mail: Mail, milliseconds: number): Promise<void>;
  /** Connects, encrypts and signs in, without a mail; resolves with the kind of encryption. Throws like `send`. */
  check(milliseconds: number): Promise<"TLS" | "STARTTLS">;
}

/** TLS from the first byte is usual on this port only. */
const IMPLICIT_TLS_PORT = 465;

export function createSmtpSender(config: MailConfig): SmtpSender {
  /** The way that worked last comes first: the other one costs half of the time before it fails. */
  let first: Mode = config.port === IMPLICIT_TLS_PORT ? "tls" : "starttls";

  async function attempt(mode: Mode, milliseconds: number, work: (transport: Transporter) => Promise<unknown>) {
    const { createTransport } = await import("nodemailer");
    const transport = createTransport({
      host: config.host,
      port: config.port,
      secure: mode === "tls",
      requireTLS: mode === "starttls",
      ...(config.login === null ? {} : { auth: { user: config.login.username, pass: config.login.password } }),
      tls: { rejectUnauthorized: config.validateCertificates },
      connectionTimeout: milliseconds,
      greetingTimeout: milliseconds,
      socketTimeout: milliseconds,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(fail("mail.late", "unavailable", `The mail server did not answer in ${milliseconds} ms`)),
      milliseconds,
    );
    try {
      await Promise.race([work(transport), late]);
    } finally {
      clearTimeout(timer);
      transport.close();
    }
  }

  /** One way after the other; resolves with the one that worked. */
  async function tryBoth(milliseconds: number, work: (transport: Transporter) => Promise<unknown>): Promise<Mode> {
    const deadline = performance.now() + milliseconds;
    const problems: unknown[] = [];
    for (const mode of [first, first === "tls" ? "starttls" : "tls"] as const) {
      const left = Math.floor(deadline - performance.now());
      if (left <= 0) break;
      try {
        // The first way leaves half of the time to the second: a server that speaks TLS only stays silent before it.
        await attempt(mode, problems.length === 0 ? Math.floor(left / 2) : left, work);
        first = mode;
        return mode;
      } catch (error) {
        problems.push(error);
      }
    }
    throw fail("mail.not_sent", "unavailable", "The mail server did not take the mail", { cause: problems[0] });
  }

  return {
    async send(mail, milliseconds) {
      await tryBoth(milliseconds, (transport) => transport.sendMail({ from: config.from, ...mail }));
    },

    async check(milliseconds) {
      const mode = await tryBoth(milliseconds, (transport) => transport.verify());
      return mode === "tls" ? "TLS" : "STARTTLS";
    },
  };
}
