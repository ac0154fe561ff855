// A new password by a link in a mail. Neither the answer nor its time reveals whether an account exists.
import { randomInt } from "node:crypto";
import { isDeliverableEmail } from "../../../config/email.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Logger } from "../../../kernel/logger.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import type { MailService } from "../mail/mail.service.ts";
import { passwordResetMail } from "../mail/mail-texts.rules.ts";
import type { UserChangesService } from "../users/user-changes.service.ts";
import { normalisedEmail, type User } from "../users/users.schema.ts";
import type { UsersService } from "../users/users.service.ts";
import {
  basicAuthDisabled,
  emailMissing,
  mailNotConfigured,
  passwordMissing,
  resetTokenInvalid,
} from "./auth.errors.ts";
import type { PasswordResetStore } from "./password-reset.store.ts";
import type { LockOutService } from "./protection/lock-out.service.ts";
import type { LoginsService } from "./tokens/logins.service.ts";
import { carriesRandomOf, newTokenRandom, type TokenForm } from "./tokens/token.rules.ts";

export interface PasswordResetDependencies {
  readonly store: PasswordResetStore;
  readonly storage: Pick<Storage, "transaction">;
  readonly users: Pick<UsersService, "findUser">;
  readonly userChanges: Pick<UserChangesService, "hashNewPassword" | "setOwnPassword">;
  readonly logins: Pick<LoginsService, "endAll">;
  readonly lockOut: Pick<LockOutService, "forget">;
  readonly tokens: TokenForm;
  /** Null without a mail server. */
  readonly mail: MailService | null;
  /** SERVICE_DISABLE_BASIC_AUTH. */
  readonly disabled: boolean;
  readonly tokenMinutes: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly wait: (milliseconds: number) => Promise<void>;
}

export interface PasswordResetService {
  /** Sends the link to the account of the address, if it has a password of ours; `pageUrl` is where the link leads. Resolves alike,
   *  and after as long, for any other address. Throws kind `unavailable` without a mail server. */
  requestLink(context: CallContext, email: string, pageUrl: string): Promise<void>;
  /** Sets the password by the token of a link, once, and ends every sign-in of the account. Throws kind `unauthenticated` for any
   *  other token; a password that is refused (`invalid`) leaves the link as it is. */
  reset(context: CallContext, token: string, password: string): Promise<void>;
}

/** How long a request without a mail takes before there was one with. */
const FIRST_MILLISECONDS = 250;
const REMEMBERED = 20;

export function createPasswordResetService(dependencies: PasswordResetDependencies): PasswordResetService {
  const { store, storage, users, userChanges, logins, lockOut, tokens, mail, disabled, clock, log, wait } =
    dependencies;
  const lastSends: number[] = [];

  async function sendLink(context: CallContext, mailing: MailService, user: Addressed, pageUrl: string): Promise<void> {
    const { random, hash } = newTokenRandom();
    const createdUs = clock.now();
    const expiresUs = createdUs + Math.round(dependencies.tokenMinutes * 60_000_000);
    const rowId = await store.replace(context, { userId: user.id, randomHash: hash, createdUs, expiresUs });
    const token = await tokens.write({ kind: "PasswordResetToken", rowId, random });
    const sent = await mailing.send(passwordResetMail(user.email, `${pageUrl}?token=${token}`));
    if (sent) log.info("a reset link was sent", { user_id: user.id, request_id: context.requestId });
  }

  return {
    async requestLink(context, email, pageUrl) {
      if (disabled) throw basicAuthDisabled();
      if (email.trim() === "") throw emailMissing();
      if (mail === null) throw mailNotConfigured();
      const beganMs = performance.now();
      const user = await users.findUser(context, { email: normalisedEmail(email) });
      if (user !== null && canBeSent(user)) {
        await sendLink(context, mail, user, pageUrl);
        // A mail server that is away makes the others wait as long, too.
        lastSends.push(performance.now() - beganMs);
        if (lastSends.length > REMEMBERED) lastSends.shift();
        return;
      }
      if (user !== null)
        log.warning("no reset link was sent: no password of ours, or no address for mail", { user_id: user.id });
      const usual = lastSends.length === 0 ? FIRST_MILLISECONDS : lastSends[randomInt(lastSends.length)]!;
      await wait(Math.max(0, usual - (performance.now() - beganMs)));
    },

    async reset(context, token, password) {
      if (disabled) throw basicAuthDisabled();
      if (password === "") throw passwordMissing();
      const claims = await tokens.read(token);
      if (claims?.kind !== "PasswordResetToken") throw resetTokenInvalid();
      const row = await store.find(context, claims.rowId);
      if (row === null || !carriesRandomOf(claims, row.randomHash)) throw resetTokenInvalid();
      if (row.expiresUs !== null && row.expiresUs <= clock.now()) throw resetTokenInvalid();
      const user = await users.findUser(context, { id: row.userId });
      if (user === null) throw resetTokenInvalid();
      if (user.authMethod !== "LOCAL") return;
      const passwordHash = await userChanges.hashNewPassword(context, user.id, password);
      await storage.transaction(context, async (inner) => {
        // Locks the account before anything of it, as its deletion does.
        await logins.endAll(inner, user.id);
        if (!(await store.take(inner, claims.rowId, row.randomHash))) throw resetTokenInvalid();
        await userChanges.setOwnPassword(inner, user.id, passwordHash);
      });
      if (user.email !== null) await lockOut.forget(context, user.email);
      log.info("password reset by a link", { user_id: user.id, request_id: context.requestId });
    },
  };
}

type Addressed = User & { readonly email: string };

function canBeSent(user: User): user is Addressed {
  return user.authMethod === "LOCAL" && user.role !== "SYSTEM" && user.email !== null && isDeliverableEmail(user.email);
}
