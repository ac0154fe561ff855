// The thread's end of bodies in bulk: reads them, keeps what they are made into, answers what is asked about it.
import type { AnyBulkBody, StreamedBody } from "../kernel/bulk-body.ts";
import { fail } from "../kernel/failure.ts";
import type { Handlers } from "../kernel/link.ts";
import { Violations } from "../kernel/violations.ts";
import { bodyOf } from "./body.ts";

export interface ReadMessage {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
}

export type OpenMessage = Pick<ReadMessage, "name" | "contentType">;

/** Violations as JSON text, because they may show raw numbers, which do not cross. */
export type ReadOutcome =
  | { readonly kept: number }
  | { readonly kept: null; readonly violations: string; readonly total: number };

export interface AskMessage {
  readonly kept: number;
  readonly question: string;
  readonly payload: readonly unknown[];
}

/** Lists and objects of one body in bulk. */
const MOST_PARTS = 4_000_000;

type Questions = Readonly<Record<string, (...payload: readonly unknown[]) => unknown>>;

export function bulkHandlers(
  bodies: readonly AnyBulkBody[],
  streamed: readonly StreamedBody[],
  thread: () => unknown,
): Handlers {
  const byName = new Map(bodies.map((body) => [body.name, body]));
  const streamedByName = new Map(streamed.map((body) => [body.name, body]));
  const kept = new Map<number, Questions>();
  let last = 0;
  return {
    read({ name, bytes, contentType }: ReadMessage): ReadOutcome {
      const body = byName.get(name);
      if (body === undefined) throw fail("bulk.unknown_body", "internal", `No bodies of ${name} are read here`);
      const violations = new Violations();
      const value = bodyOf(body.schema, bytes, contentType, violations, MOST_PARTS);
      if (violations.total > 0) {
        return { kept: null, violations: JSON.stringify(violations.list()), total: violations.total };
      }
      kept.set(++last, body.keep(value, thread()) as Questions);
      return { kept: last };
    },
    open({ name, contentType }: OpenMessage): number {
      const body = streamedByName.get(name);
      if (body === undefined) throw fail("bulk.unknown_body", "internal", `No bodies of ${name} are read here`);
      kept.set(++last, body.open(contentType) as Questions);
      return last;
    },
    ask({ kept: number, question, payload }: AskMessage): unknown {
      const answer = kept.get(number)?.[question];
      if (answer === undefined) throw fail("bulk.unknown_question", "internal", `Nothing kept answers ${question}`);
      return answer(...payload);
    },
    async release(number: number): Promise<void> {
      const released = kept.get(number);
      kept.delete(number);
      await released?.release?.();
    },
  };
}
