// Errors that happened in pages, as lines of this server's log. Nothing of them is stored.
import type { Clock } from "../../../kernel/clock.ts";
import { fail } from "../../../kernel/failure.ts";
import { createLastUsed } from "../../../kernel/last-used.ts";
import { limitedAddress } from "../../../kernel/limited-address.ts";
import type { Logger } from "../../../kernel/logger.ts";
import type { ClientError } from "./client-errors.schema.ts";

/** Reports of one address: 20 at once, and one more every second. */
const BURST = 20;
const REFILL_US = 1_000_000;
/** Addresses that are counted: those that reported last. */
const MOST_ADDRESSES = 10_000;
/** Characters of a text in the log at most. */
const MOST_CHARACTERS = 8000;

export interface ClientErrorsService {
  /** Throws kind `rate_limited` when the address has reported too often. */
  admit(clientAddress: string | null): void;
  report(error: ClientError): void;
}

/** What is counted keeps the log of this server readable, also while the database is away: so it is counted in memory. `disabled` is
 *  SERVICE_DISABLE_RATE_LIMIT. */
export function createClientErrorsService(log: Logger, clock: Clock, disabled: boolean): ClientErrorsService {
  /** When the address may report a whole burst again. */
  const fullUs = createLastUsed<string, number>(MOST_ADDRESSES);

  return {
    admit(clientAddress) {
      if (disabled) return;
      const address = limitedAddress(clientAddress);
      const nowUs = clock.now();
      const nextUs = Math.max(fullUs.find(address) ?? 0, nowUs) + REFILL_US;
      const overUs = nextUs - nowUs - BURST * REFILL_US;
      if (overUs > 0) {
        const retryAfterSeconds = Math.max(1, overUs / REFILL_US);
        throw fail("client_errors.too_many", "rate_limited", "Too Many Requests", { retryAfterSeconds });
      }
      fullUs.set(address, nextUs);
    },

    report({ message, stack, url, user_agent, attributes }) {
      log.error(cut(message), {
        stack: stack === undefined || stack === null ? undefined : cut(stack),
        url: url === undefined || url === null ? undefined : cut(withoutQuery(url)),
        user_agent: user_agent === undefined || user_agent === null ? undefined : cut(user_agent),
        attributes: attributes === undefined ? undefined : cut(JSON.stringify(attributes)),
      });
    },
  };
}

/** What follows the path of a page may hold a token. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, "");
}

function cut(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}
