// Requests and answers between this thread and a worker or a child process. Both ends know the methods by name; failures
// cross with their kind, anything else thrown crosses as a message.
import { Failure, type FailureDetails, type FailureKind, fail, messageOf } from "./failure.ts";

/** Code of the failure of a call whose other end has ended. */
export const LINK_CLOSED = "link.closed";

/** One end of a pipe for structured values. */
export interface Channel {
  post(message: unknown, transfer?: Transferable[]): void;
  /** Called once for every message that arrives. */
  receive(handler: (message: unknown) => void): void;
}

interface Request {
  readonly call: number;
  readonly method: string;
  readonly payload: unknown;
}

interface CrossedFailure {
  readonly code: string;
  readonly kind: FailureKind;
  readonly message: string;
  readonly details: FailureDetails;
}

interface Answer {
  readonly answer: number;
  readonly value?: unknown;
  readonly failure?: CrossedFailure;
}

export interface Link {
  /** Resolves with the other end's answer; buffers and ports in `transfer` are moved, not copied. */
  call<Result>(method: string, payload: unknown, transfer?: Transferable[]): Promise<Result>;
  /** Fails every call that still waits, and all later ones: the other end is gone. */
  break(reason: Failure): void;
  readonly waiting: number;
}

/** Calls without a known duration. */
export interface LimitedCalls {
  /** Fails with kind `timed_out` when the other end has not answered after so many seconds: it is ended with everything it does. */
  call<Result>(method: string, payload: unknown, seconds: number): Promise<Result>;
  /** Ends the other end; a call that it was answering fails. */
  stop(): Promise<void>;
}

export type Handlers = Readonly<Record<string, (payload: never) => unknown>>;

function crossing(error: unknown): CrossedFailure {
  if (error instanceof Failure) {
    const { cause: _stays, ...details } = error.details;
    return { code: error.code, kind: error.kind, message: error.message, details };
  }
  return { code: "link.failed", kind: "internal", message: messageOf(error), details: {} };
}

/** The failure of a call that could not be posted. */
function undelivered(cause: unknown): Failure {
  const uncloneable = cause instanceof Error && cause.name === "DataCloneError";
  // Anything else means that the pipe is closed: the other end has ended and its end was not reported yet.
  return fail(LINK_CLOSED, uncloneable ? "internal" : "unavailable", messageOf(cause), { cause });
}

export function createLink(channel: Channel): Link {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Failure) => void }>();
  let lastCall = 0;
  let broken: Failure | null = null;
  channel.receive((message) => {
    const answer = message as Answer;
    const call = waiting.get(answer.answer);
    if (call === undefined) return;
    waiting.delete(answer.answer);
    if (answer.failure === undefined) call.resolve(answer.value);
    else call.reject(fail(answer.failure.code, answer.failure.kind, answer.failure.message, answer.failure.details));
  });
  return {
    call<Result>(method: string, payload: unknown, transfer?: Transferable[]) {
      if (broken !== null) return Promise.reject(broken);
      const call = ++lastCall;
      return new Promise<Result>((resolve, reject) => {
        waiting.set(call, { resolve: resolve as (value: unknown) => void, reject });
        try {
          channel.post({ call, method, payload } satisfies Request, transfer);
        } catch (cause) {
          waiting.delete(call);
          reject(undelivered(cause));
        }
      });
    },
    break(reason) {
      broken = reason;
      for (const call of waiting.values()) call.reject(reason);
      waiting.clear();
    },
    get waiting() {
      return waiting.size;
    },
  };
}

/** So much is not kept back: the other thread should begin with it while this one goes on. */
const ENOUGH_BYTES = 32 * 1024;

/** The channel with everything that is posted in one turn of the event loop in one message: to wake another thread costs more than
 *  a small request. What moves many bytes goes at once. Both ends must be made so. */
export function gathered(channel: Channel): Channel {
  let outbox: { readonly message: unknown; readonly transfer: Transferable[] }[] = [];
  let handle: (message: unknown) => void = () => {};
  let outboxBytes = 0;
  function flush(): void {
    if (outbox.length === 0) return;
    const posted = outbox;
    outbox = [];
    outboxBytes = 0;
    try {
      channel.post(
        posted.map(({ message }) => message),
        posted.flatMap(({ transfer }) => transfer),
      );
    } catch {
      // One that cannot cross must not keep the others.
      for (const { message, transfer } of posted) postAlone(message, transfer);
    }
  }
  function postAlone(message: unknown, transfer: Transferable[]): void {
    try {
      channel.post([message], transfer);
    } catch (cause) {
      const { call, answer } = message as Partial<Request & Answer>;
      if (call !== undefined) handle({ answer: call, failure: crossing(undelivered(cause)) } satisfies Answer);
      else if (answer !== undefined) channel.post([{ answer, failure: crossing(cause) } satisfies Answer]);
    }
  }
  return {
    post(message, transfer = []) {
      outbox.push({ message, transfer });
      for (const part of transfer) if (part instanceof ArrayBuffer) outboxBytes += part.byteLength;
      if (outboxBytes >= ENOUGH_BYTES) flush();
      else if (outbox.length === 1) setImmediate(flush);
    },
    receive(handler) {
      handle = handler;
      channel.receive((message) => {
        if (!Array.isArray(message)) handler(message);
        else for (const each of message) handler(each);
      });
    },
  };
}

/** What may stand around bytes in a buffer of their own: the frame of a gRPC message. */
const MOST_SURROUNDINGS = 16;
/** Smaller ones may share a buffer of the runtime's pool. */
const LEAST_OWN_BYTES = 64 * 1024;

/** The same bytes in a buffer that holds nothing else, so that it can be moved to another thread. */
export function movable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const surroundings = buffer.byteLength - byteLength;
  const alone =
    buffer instanceof ArrayBuffer &&
    (surroundings === 0 || (surroundings <= MOST_SURROUNDINGS && byteLength >= LEAST_OWN_BYTES));
  return alone ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}

/** Answers the calls that arrive on a channel, one handler a method. */
export function serveLink(channel: Channel, handlers: Handlers): void {
  channel.receive((message) => {
    const { call, method, payload } = message as Request;
    const handler = handlers[method] as ((payload: unknown) => unknown) | undefined;
    void (async () => {
      try {
        if (handler === undefined) throw fail("link.unknown_method", "internal", `No method ${method}`);
        channel.post({ answer: call, value: await handler(payload) } satisfies Answer);
      } catch (error) {
        channel.post({ answer: call, failure: crossing(error) } satisfies Answer);
      }
    })();
  });
}

/** The channel to a worker, seen from the thread that made it. */
export function workerChannel(worker: Worker): Channel {
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    receive: (handler) => {
      worker.addEventListener("message", (event) => handler((event as MessageEvent).data));
    },
  };
}

/** The channel through a port, whose other end was handed to another thread. */
export function portChannel(port: MessagePort): Channel {
  return {
    post: (message, transfer = []) => port.postMessage(message, transfer),
    receive: (handler) => {
      port.onmessage = (event) => handler(event.data);
    },
  };
}

declare const self: Worker;

/** The channel to the thread that made this worker, seen from inside the worker. */
export function parentChannel(): Channel {
  return {
    post: (message, transfer = []) => self.postMessage(message, transfer),
    receive: (handler) => {
      self.addEventListener("message", (event) => handler((event as MessageEvent).data));
    },
  };
}
