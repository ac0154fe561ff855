// Buckets as one number each: the time at which the bucket is full again. Taking moves it on.
import { removeBefore } from "../../../../storage/remove-before.ts";
import type { CallContext } from "../../../../storage/storage.ts";

export type RateLimitStore = ReturnType<typeof createRateLimitStore>;

export function createRateLimitStore() {
  return {
    /** Takes one of `burst` from the bucket, which gains one every `refillUs`. Null when one was left, else the microseconds UTC
     *  at which the bucket is full. One statement, so that servers that share the database share the bucket. */
    async take(
      context: CallContext,
      bucket: string,
      { nowUs, refillUs, burst }: { readonly nowUs: number; readonly refillUs: number; readonly burst: number },
    ): Promise<number | null> {
      const latestUs = nowUs + (burst - 1) * refillUs;
      const taken = await context.database
        .write(context)
        .insertInto("rate_limits")
        .values({ bucket, full_us: nowUs + refillUs })
        .onConflict((conflict) =>
          conflict
            .column("bucket")
            .doUpdateSet((eb) => ({
              full_us: eb
                .case()
                .when("rate_limits.full_us", "<", nowUs)
                .then(nowUs + refillUs)
                .else(eb("rate_limits.full_us", "+", refillUs))
                .end(),
            }))
            .where("rate_limits.full_us", "<=", latestUs),
        )
        .returning("full_us")
        .executeTakeFirst();
      if (taken !== undefined) return null;
      const row = await context.database
        .read(context, "short")
        .selectFrom("rate_limits")
        .select("full_us")
        .where("bucket", "=", bucket)
        .executeTakeFirst();
      return row?.full_us ?? latestUs + refillUs;
    },

    forgetFull: (context: CallContext, nowUs: number) => removeBefore(context, "rate_limits", "full_us", nowUs),
  };
}
