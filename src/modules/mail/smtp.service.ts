// One mail to the operator's mail server, encrypted or not at all (`auth.md` 16). The library is loaded by the first mail.
import type { MailConfig } from "../../config/mail.ts";
import { fail } from "../../kernel/failure.ts";
import type { Mail } from "./mail.schema.ts";

export interface SmtpSender {
  /** Resolves when the mail server has taken the mail; throws kind `unavailable` when it has not by the time, or refuses. */
  send(mail: Mail, milliseconds: number): Promise<void>;
}

/** TLS from the first byte is usual on this port only. */
const IMPLICIT_TLS_PORT = 465;

export function createSmtpSender(config: MailConfig): SmtpSender {
  const modes = config.port === IMPLICIT_TLS_PORT ? (["tls", "starttls"] as const) : (["starttls", "tls"] as const);

  async function sendOnce(mail: Mail, mode: "tls" | "starttls", milliseconds: number): Promise<void> {
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
      await Promise.race([transport.sendMail({ from: config.from, ...mail }), late]);
    } finally {
      clearTimeout(timer);
      transport.close();
    }
  }

  return {
    async send(mail, milliseconds) {
      const deadline = performance.now() + milliseconds;
      const problems: unknown[] = [];
      for (const mode of modes) {
        const left = Math.floor(deadline - performance.now());
        if (left <= 0) break;
        try {
          // The first way leaves half of the time to the second: a server that speaks TLS only stays silent before it.
          return await sendOnce(mail, mode, problems.length === 0 ? Math.floor(left / 2) : left);
        } catch (error) {
          problems.push(error);
        }
      }
      throw fail("mail.not_sent", "unavailable", "The mail server did not take the mail", { cause: problems[0] });
    },
  };
}
