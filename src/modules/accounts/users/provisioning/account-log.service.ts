// The trail of changes to accounts: who did what to whom, by ids alone, never by names or secrets.
import { authorIdOf } from "../../../../access/principal.ts";
import type { Logger } from "../../../../kernel/logger.ts";
import type { CallContext } from "../../../../storage/storage.ts";

/** Tells the log; `what` holds no name, address or password. */
type AccountLog = (context: CallContext, what: string, userId: number) => void;

export function createAccountLog(log: Logger): AccountLog {
  return (context, what, userId) =>
    log.info(what, { user_id: userId, by_user_id: authorIdOf(context.principal), request_id: context.requestId });
}
