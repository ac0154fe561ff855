// Passwords and their hashes. Hashing runs on Bun's own threads, off the event loop, and only a few at a time: each holds
// 19 MiB while it runs, and a burst of sign-ins must not take the machine's memory.
import { createMutex } from "../../../kernel/mutex.ts";
import { HASH_COST, hasCost, type PasswordPolicy, unknowablePasswordHash } from "./password.rules.ts";
import { passwordUnchanged } from "./users.errors.ts";

interface PasswordCheck {
  readonly matches: boolean;
  /** The hash was made with older parameters: replace it while the password is at hand. */
  readonly outdated: boolean;
}

export interface PasswordsService {
  /** The PHC string of a new password. Throws kind `invalid` for one that the policy refuses, and for the one that it is to
   *  replace, whose hash is `replaced`; null for an account that is new. */
  hashAcceptable(password: string, replaced: string | null): Promise<string>;
  /** The PHC string of any password. */
  hash(password: string): Promise<string>;
  /** Without a hash (no such account, or one without a password) it takes as long and does not match. */
  check(password: string, hash: string | null): Promise<PasswordCheck>;
}

const AT_ONCE = 2;

export function createPasswordsService(policy: PasswordPolicy, cost = HASH_COST): PasswordsService {
  const mutexes = Array.from({ length: AT_ONCE }, createMutex);
  let next = 0;
  const bounded = <Result>(work: () => Promise<Result>): Promise<Result> => mutexes[next++ % AT_ONCE]!.hold(work);
  const hash = (password: string) => bounded(() => Bun.password.hash(password, { algorithm: "argon2id", ...cost }));
  const unknowable = unknowablePasswordHash(cost);

  async function check(password: string, stored: string | null): Promise<PasswordCheck> {
    // An empty password or a damaged hash makes Bun throw; neither is anybody's password.
    const verified = bounded(() => Bun.password.verify(password === "" ? "-" : password, stored ?? unknowable));
    const matches = (await verified.catch(() => false)) && stored !== null && password !== "";
    return { matches, outdated: matches && !hasCost(stored, cost) };
  }

  return {
    hash,

    check,

    async hashAcceptable(password, replaced) {
      policy.requireAcceptable(password);
      if (replaced !== null && (await check(password, replaced)).matches) throw passwordUnchanged();
      return hash(password);
    },
  };
}
