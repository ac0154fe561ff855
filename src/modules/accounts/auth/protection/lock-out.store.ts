// Failed sign-ins in a row, one line for each name that was tried, known or not.
import { removeBefore } from "../../../../storage/remove-before.ts";
import type { CallContext } from "../../../../storage/storage.ts";

interface FailedAttempts {
  readonly failures: number;
  /** Microseconds UTC. */
  readonly lastFailureUs: number;
}

export type LockOutStore = ReturnType<typeof createLockOutStore>;

export function createLockOutStore() {
  return {
    async find(context: CallContext, identifier: string): Promise<FailedAttempts | null> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("login_attempts")
        .select(["failures", "last_failure_us"])
        .where("identifier", "=", identifier)
        .executeTakeFirst();
      return row === undefined ? null : { failures: row.failures, lastFailureUs: row.last_failure_us };
    },

    /** One failure more in a row; a row that ended before `restartUs`, or already had `most` failures, begins again at one. */
    async count(context: CallContext, identifier: string, nowUs: number, again: { restartUs: number; most: number }) {
      const { failures } = await context.database
        .write(context)
        .insertInto("login_attempts")
        .values({ identifier, failures: 1, last_failure_us: nowUs })
        .onConflict((conflict) =>
          conflict.column("identifier").doUpdateSet((eb) => ({
            failures: eb
              .case()
              .when(
                eb.or([
                  eb("login_attempts.last_failure_us", "<", again.restartUs),
                  eb("login_attempts.failures", ">=", again.most),
                ]),
              )
              .then(1)
              .else(eb("login_attempts.failures", "+", 1))
              .end(),
            last_failure_us: nowUs,
          })),
        )
        .returning("failures")
        .executeTakeFirstOrThrow();
      return Number(failures);
    },

    async forget(context: CallContext, identifier: string): Promise<void> {
      await context.database.write(context).deleteFrom("login_attempts").where("identifier", "=", identifier).execute();
    },

    forgetBefore: (context: CallContext, beforeUs: number) =>
      removeBefore(context, "login_attempts", "last_failure_us", beforeUs),
  };
}
