// The storage lock: while the database is fuller than the operator allows, nothing that adds data is done.
import { type Failure, fail } from "../kernel/failure.ts";

/** Throws kind `locked` for what adds data while the lock is on. */
export function requireUnlockedStorage(addsData: boolean, locked: boolean, supportEmail: string | null): void {
  if (locked && addsData) throw storageLocked(supportEmail);
}

/** The refusal of everything that adds data while the database is fuller than the operator allows. */
export function storageLocked(supportEmail: string | null): Failure {
  const help = supportEmail === null ? "" : ` Need help? Contact us at ${supportEmail}`;
  return fail(
    "storage.locked",
    "locked",
    `Database operations are disabled due to insufficient storage. Please delete old data or increase storage.${help}`,
  );
}
