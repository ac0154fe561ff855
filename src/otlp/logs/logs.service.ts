// The use case of an export of logs: turns of coding agents are stored as spans, messages wait for their span or are given to it, and the
// rest is counted.
import type { DecodedLogs } from "../../ingest/incoming-logs.ts";
import type { ExportReceiver, ExportRequest } from "../../ingest/receiver.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { IncomingSpan } from "../../model/span.ts";
import type { CallContext, Storage } from "../../storage/storage.ts";
import type { PendingMessages } from "./pending-messages.service.ts";
import type { TurnsStore } from "./turns.store.ts";
import { turnKeyOf } from "./turns.ts";

interface LogsAnswer {
  readonly rejectedRecords: number;
  /** Why, for the sender; empty when nothing was rejected. */
  readonly message: string;
}

export interface LogsService {
  /** Resolves when what is stored of the export is durable. Fails as `ExportReceiver.receive` does. */
  receiveLogs(request: ExportRequest): Promise<LogsAnswer>;
}

interface LogsDependencies {
  readonly receiver: Pick<ExportReceiver, "decodeLogs" | "storeSpans">;
  readonly storage: Pick<Storage, "withTraces">;
  readonly turns: TurnsStore;
  readonly pending: Pick<PendingMessages, "keep">;
  readonly context: () => CallContext;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Between two lines about dropped records. */
const QUIET_US = 60_000_000;

export function createLogsService({
  receiver,
  storage,
  turns,
  pending,
  context,
  clock,
  log,
}: LogsDependencies): LogsService {
  /** A program that sends all of its logs here would fill ours: what is dropped is summed up. */
  let unreported = 0;
  let reportedUs = Number.NEGATIVE_INFINITY;
  function tell(rejected: number, reason: string): void {
    unreported += rejected;
    if (unreported === 0 || clock.now() - reportedUs < QUIET_US) return;
    log.warning("log records dropped", { rejected: unreported, reason });
    unreported = 0;
    reportedUs = clock.now();
  }

  /** The spans in their traces, also those whose turn is known by time alone. */
  async function placed({ spans, wanted }: DecodedLogs): Promise<IncomingSpan[]> {
    const asked = Map.groupBy(
      wanted.flatMap((turn) => turn ?? []),
      ({ sessionKey }) => sessionKey,
    );
    const begun = new Map(
      await Promise.all(
        Array.from(asked, async ([sessionKey, all]) => {
          const latestUs = all.reduce((latest, { timeUs }) => Math.max(latest, timeUs), 0);
          return [sessionKey, await turns.listTurns(context(), sessionKey, latestUs)] as const;
        }),
      ),
    );
    return spans.map((span, position) => {
      const turn = wanted[position] ?? null;
      const found = turn && begun.get(turn.sessionKey)!.find(({ startUs }) => startUs <= turn.timeUs);
      return found ? { ...span, traceKey: found.traceKey, parentKey: turnKeyOf(found.traceKey) } : span;
    });
  }

  async function storeTurns(decoded: DecodedLogs): Promise<readonly string[]> {
    const spans = await placed(decoded);
    if (spans.length === 0) return [];
    const { rejections } = await receiver.storeSpans(spans);
    const short = await turns.listShort(context(), [...new Set(spans.map(({ traceKey }) => traceKey))]);
    if (short.length > 0) await storage.withTraces(context(), short, (inner, ids) => turns.extendTurns(inner, ids));
    return rejections.map(({ spanKey, message }) => `span ${spanKey}: ${message}`);
  }

  return {
    async receiveLogs(request) {
      const decoded = await receiver.decodeLogs(request);
      const refused = await storeTurns(decoded);
      const { messages, rejections } = decoded;
      if (messages.length > 0) await pending.keep(context(), messages);
      const rejectedRecords = rejections.count + refused.length;
      const message = [rejections.message, refused[0] ?? ""].filter(Boolean).join("; ");
      tell(rejectedRecords, message);
      return { rejectedRecords, message };
    },
  };
}
