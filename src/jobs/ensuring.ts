// What every start ensures, and the service can do without: a failure does not stop the start.
import type { CallContext } from "../storage/storage.ts";
import type { Job } from "./job.ts";

/** `ensure` looks whether it is there, and makes it. */
export function ensuringJob(name: string, ensure: (context: CallContext) => Promise<unknown>): Job {
  return {
    name,
    changes: true,
    everyMilliseconds: null,
    isAwaited: true,
    async run({ context }) {
      await ensure(context());
      return true;
    },
  };
}
