// Warns administrators by mail that the database is filling up: each at most once a day, however many servers
// measure it.
import { isDeliverableEmail } from "../../../config/email.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { MailService } from "./mail.service.ts";
import { type StorageUsage, storageWarningMail } from "./mail-texts.rules.ts";
import type { SentNoticesStore } from "./sent-notices.store.ts";

interface StorageWarningsDependencies {
  readonly store: SentNoticesStore;
  readonly mail: MailService;
  readonly listAdministrators: (
    context: CallContext,
  ) => Promise<readonly { readonly id: number; readonly email: string | null }[]>;
  /** SERVICE_SUPPORT_EMAIL. */
  readonly supportEmail: string | null;
  readonly clock: Clock;
}

export interface StorageWarningsService {
  /** Mails every administrator who has not been warned within a day. */
  warn(context: CallContext, usage: StorageUsage): Promise<void>;
}

const KIND = "storage";
const DAY_US = 24 * 3_600_000_000;
/** A mail that could not be sent is tried again after this. */
const RETRY_US = 3_600_000_000;

export function createStorageWarningsService(dependencies: StorageWarningsDependencies): StorageWarningsService {
  const { store, mail, supportEmail, clock } = dependencies;
  return {
    async warn(context, usage) {
      const nowUs = clock.now();
      const beforeUs = nowUs - DAY_US;
      // Looked up first, so that nothing is written every minute.
      const warned = await store.findSentAfter(context, KIND, beforeUs);
      for (const { id, email } of await dependencies.listAdministrators(context)) {
        if (email === null || !isDeliverableEmail(email) || warned.has(id)) continue;
        if (!(await store.claim(context, { kind: KIND, userId: id, nowUs, beforeUs }))) continue;
        const sent = await mail.send(storageWarningMail(email, usage, supportEmail));
        if (!sent) await store.move(context, KIND, id, beforeUs + RETRY_US);
      }
    },
  };
}
