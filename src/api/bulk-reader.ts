// The main thread's end of bodies in bulk: moves the bytes of a body to their thread and asks it about what it kept.
import type { AnyBulkBody, StreamedBody } from "../kernel/bulk-body.ts";
import { type ByteReservation, createByteBudget } from "../kernel/byte-budget.ts";
import { fail, type Violation } from "../kernel/failure.ts";
import { parseStoredJson } from "../kernel/json.ts";
import { type Link, movable } from "../kernel/link.ts";
import type { Violations } from "../kernel/violations.ts";
import type { AskMessage, OpenMessage, ReadMessage, ReadOutcome } from "./bulk-thread.ts";

export interface KeptBody {
  /** What the handler of the route gets: every method asks the thread. */
  readonly body: unknown;
  /** Lets go of what was kept. */
  release(): void;
}

export interface BulkReader {
  /** Reserves the bytes of one body, which are taken as they arrive; the caller releases it when the body is kept no longer. Opening
   *  and taking fail with kind `unavailable` while the bodies of all senders take too many bytes. */
  reserveBytes(announcedBytes: number): ByteReservation;
  /** Reads a body by its schema. Null when there are violations, which are added. Fails as `bodyOf` does. */
  read(
    body: AnyBulkBody,
    bytes: Uint8Array<ArrayBuffer>,
    contentType: string | null,
    violations: Violations,
  ): Promise<KeptBody | null>;
  /** Begins a body that the handler feeds. */
  open(body: StreamedBody, contentType: string | null): Promise<KeptBody>;
}

interface BulkReaderOptions {
  /** To the thread, which is started by the first body. */
  readonly thread: () => Promise<Link>;
  /** Bytes of bodies that may arrive and be kept at once, as sent; a single one may be larger. */
  readonly maxBytes: number;
}

export function createBulkReader({ thread, maxBytes }: BulkReaderOptions): BulkReader {
  async function read(message: ReadMessage, violations: Violations): Promise<{ link: Link; kept: number } | null> {
    const link = await thread();
    const outcome = await link.call<ReadOutcome>("read", message, [message.bytes.buffer as ArrayBuffer]);
    if (outcome.kept !== null) return { link, kept: outcome.kept };
    violations.addCounted(parseStoredJson<Violation[]>(outcome.violations), outcome.total);
    return null;
  }

  return {
    reserveBytes: createByteBudget(maxBytes, full).open,

    async read({ name }, bytes, contentType, violations) {
      const found = await read({ name, bytes: movable(bytes), contentType }, violations);
      return found === null ? null : keptBody(found.link, found.kept);
    },

    async open({ name }, contentType) {
      const link = await thread();
      return keptBody(link, await link.call<number>("open", { name, contentType } satisfies OpenMessage));
    },
  };
}

function keptBody(link: Link, kept: number): KeptBody {
  return {
    // A promise asks every object for `then`.
    body: new Proxy(Object.create(null), {
      get: (_target, question) =>
        typeof question === "symbol" || question === "then"
          ? undefined
          : (...payload: unknown[]) => {
              const moved = payload.flatMap((each) => (each instanceof Uint8Array ? [each.buffer as ArrayBuffer] : []));
              return link.call("ask", { kept, question, payload } satisfies AskMessage, moved);
            },
    }),
    release() {
      // A thread that has ended keeps nothing.
      link.call("release", kept).catch(() => {});
    },
  };
}

function full() {
  const message = "Server is at capacity and cannot process more requests";
  return fail("ingest.full", "unavailable", message, { retryAfterSeconds: 1 });
}
