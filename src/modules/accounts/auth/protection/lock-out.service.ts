// Protection against guessing passwords: after a number of failures in a row a name is refused for five minutes, by every
// server, whether an account has it or not. Accepted: anyone who knows an address can keep its owner locked out.
import { createHash } from "node:crypto";
import type { Clock } from "../../../../kernel/clock.ts";
import type { Logger } from "../../../../kernel/logger.ts";
import { createMutex, type Mutex } from "../../../../kernel/mutex.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { lockedOut } from "../auth.errors.ts";
import type { LockOutStore } from "./lock-out.store.ts";

interface LockOutSettings {
  /** SERVICE_DISABLE_BRUTE_FORCE_LOGIN_PROTECTION. */
  readonly disabled: boolean;
  /** Failures in a row after which a name is locked, at least 1. */
  readonly maxFailures: number;
}

export interface LockOutService {
  /** Runs `attempt`, which checks the credential, unless the name is locked; then throws kind `rate_limited`.
   *  Attempts on one name run one after another, so that many at once are no more guesses than few. Names are compared
   *  trimmed and in lower case. */
  guard<Found>(context: CallContext, name: string, attempt: () => Promise<Found | null>): Promise<Found | null>;
  /** Resets the failure count after a successful sign-in. */
  forget(context: CallContext, name: string): Promise<void>;
  /** Drops names that were not tried for a while. */
  sweep(context: CallContext): Promise<void>;
}

const LOCK_US = 300_000_000;
/** Failures further apart than this are not in a row. */
const FORGET_US = 15 * 60_000_000;
/** Longer names are stored as their digest: no account has one, and an index has its limits. */
const LONGEST_NAME = 320;

export function createLockOutService(
  store: LockOutStore,
  settings: LockOutSettings,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): LockOutService {
  const running = new Map<string, { readonly mutex: Mutex; waiting: number }>();

  async function requireUnlocked(context: CallContext, identifier: string): Promise<void> {
    const attempts = await store.find(context, identifier);
    if (attempts === null || attempts.failures < settings.maxFailures) return;
    const leftUs = attempts.lastFailureUs + LOCK_US - clock.now();
    if (leftUs > 0) throw lockedOut(leftUs / 1_000_000);
  }

  async function attemptOnce<Found>(context: CallContext, identifier: string, attempt: () => Promise<Found | null>) {
    await requireUnlocked(context, identifier);
    const found = await attempt();
    if (found !== null) {
      await forget(context, identifier);
      return found;
    }
    const nowUs = clock.now();
    const again = { restartUs: nowUs - FORGET_US, most: settings.maxFailures };
    if ((await store.count(context, identifier, nowUs, again)) >= settings.maxFailures) {
      log.warning("a name is locked for five minutes after failed sign-ins", { request_id: context.requestId });
    }
    return null;
  }

  async function forget(context: CallContext, identifier: string): Promise<void> {
    // Most sign-ins succeed at once: nothing is written for them.
    if ((await store.find(context, identifier)) !== null) await store.forget(context, identifier);
  }

  return {
    async guard(context, name, attempt) {
      if (settings.disabled) return attempt();
      const identifier = identifierOf(name);
      const gate = running.get(identifier) ?? { mutex: createMutex(), waiting: 0 };
      running.set(identifier, gate);
      gate.waiting++;
      try {
        return await gate.mutex.hold(() => attemptOnce(context, identifier, attempt));
      } finally {
        gate.waiting--;
        if (gate.waiting === 0) running.delete(identifier);
      }
    },

    forget: (context, name) => forget(context, identifierOf(name)),

    async sweep(context) {
      await store.forgetBefore(context, clock.now() - FORGET_US);
    },
  };
}

function identifierOf(name: string): string {
  const plain = name.trim().toLowerCase();
  return plain.length <= LONGEST_NAME ? plain : `sha256:${createHash("sha256").update(plain).digest("hex")}`;
}
