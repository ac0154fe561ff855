// Bodies that carry data in bulk. A thread of their own parses them, checks them by their schema and keeps what it makes of them;
// the main thread only asks it questions, because taking in megabytes of objects would stop every other request, too.
import type { Static, TSchema } from "@sinclair/typebox";

/** How the bodies of one operation are kept. */
export interface BulkBody<Schema extends TSchema = TSchema, Kept = unknown, Thread = unknown> {
  /** By which both threads know it: the operation's id. */
  readonly name: string;
  readonly schema: Schema;
  /** Called in the thread with a body that fits the schema; `thread` is what the thread offers. The methods of the result are what
   *  can be asked. What they take and answer crosses between threads: plain values, and only small parts at once. */
  keep(body: Static<Schema>, thread: Thread): Kept;
}

/** Any of them, by what routing and threads need to know. */
export interface AnyBulkBody extends Pick<BulkBody, "name" | "schema"> {
  keep(body: unknown, thread: unknown): unknown;
}

/** How the bodies of one operation are read piece by piece, where one may be far larger than memory: the handler feeds them. */
export interface StreamedBody<Kept = unknown> {
  /** By which both threads know it: the operation's id. */
  readonly name: string;
  /** What is sent, by media type, for the documentation. */
  readonly contents: Readonly<Record<string, TSchema>>;
  /** Called in the thread when a body begins. The methods of the result are what can be asked, and what takes the pieces: bytes are
   *  moved to it, and need a buffer of their own. A method `release` is called when it is kept no longer. */
  readonly open: (contentType: string | null) => Kept;
}

/** What was kept, as the main thread sees it. */
export type Asked<Kept> = {
  readonly [Question in keyof Kept]: Kept[Question] extends (...payload: infer Payload) => infer Answer
    ? (...payload: Payload) => Promise<Awaited<Answer>>
    : never;
};

export function isStreamedBody(body: TSchema | AnyBulkBody | StreamedBody | undefined): body is StreamedBody {
  return typeof (body as Partial<StreamedBody> | undefined)?.open === "function";
}

export function isBulkBody(body: TSchema | AnyBulkBody | StreamedBody | undefined): body is AnyBulkBody {
  return typeof (body as Partial<AnyBulkBody> | undefined)?.keep === "function";
}
