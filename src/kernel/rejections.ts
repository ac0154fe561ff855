// Unhandled rejections. Without a handler they end the thread, and with the main one the service;
// libraries have such promises, and what they belonged to has failed by itself anyway.
import { messageOf } from "./failure.ts";
import type { Channel } from "./link.ts";

/** Lines of a stack that say where it was. */
const SHOWN_LINES = 4;

interface ToldRejection {
  readonly unhandledRejection: string;
}

/** From now on this thread outlives them; `tell` gets each with the place where it arose. */
export function surviveRejections(tell: (what: string) => void): void {
  process.on("unhandledRejection", (reason) => tell(described(reason)));
}

/** The same in a worker; the thread that started it is notified, see `onRejection`. */
export function reportRejections(parent: Channel): void {
  surviveRejections((unhandledRejection) => parent.post({ unhandledRejection } satisfies ToldRejection));
}

/** Tells of those in a worker. */
export function onRejection(worker: Channel, tell: (what: string) => void): void {
  worker.receive((message) => {
    const { unhandledRejection } = message as Partial<ToldRejection>;
    if (unhandledRejection !== undefined) tell(unhandledRejection);
  });
}

function described(reason: unknown): string {
  if (!(reason instanceof Error) || reason.stack === undefined) return messageOf(reason);
  const lines = reason.stack.split("\n").slice(0, SHOWN_LINES);
  return lines.map((line) => line.trim()).join(" ");
}
