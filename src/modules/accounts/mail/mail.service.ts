// Mails that a request causes: handed to the mail server before the request is answered, ten seconds at most, and never a
// reason for the request to fail.
import { isDeliverableEmail } from "../../../config/email.ts";
import { messageOf } from "../../../kernel/failure.ts";
import type { Logger } from "../../../kernel/logger.ts";
import type { Mail } from "./mail.schema.ts";
import type { SmtpSender } from "./smtp.service.ts";

export interface MailService {
  /** True when the mail server has taken the mail; else the log says why. Never throws. */
  send(mail: Mail): Promise<boolean>;
}

const MAIL_MILLISECONDS = 10_000;

export function createMailService(sender: SmtpSender, log: Logger): MailService {
  return {
    async send(mail) {
      if (!isDeliverableEmail(mail.to)) {
        log.warning("a mail was not sent: its address cannot be reached", { subject: mail.subject });
        return false;
      }
      try {
        await sender.send(mail, MAIL_MILLISECONDS);
        return true;
      } catch (error) {
        const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
        log.error("a mail was not sent", { subject: mail.subject, reason: messageOf(cause) });
        return false;
      }
    },
  };
}
