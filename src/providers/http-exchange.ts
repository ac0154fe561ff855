// One request over HTTP to addresses that were checked. node:http takes the addresses instead of asking for them, tells TLS and the server
// the name, knows no proxy of the environment, and hands over every byte before it says that the connection broke.
import { Agent, type IncomingMessage, type RequestOptions, request as requestOverHttp } from "node:http";
import { request as requestOverTls, Agent as TlsAgent } from "node:https";
import type { LookupFunction, Socket } from "node:net";
import { createBrotliDecompress, createUnzip, createZstdDecompress } from "node:zlib";

/** Servers close a connection that nobody uses after five seconds and more; one that is closed while it is taken fails a call. */
const UNUSED_MILLISECONDS = 4000;
/** Received and not yet read. */
const MOST_WAITING_BYTES = 256 * 1024;

interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  /** None of them is `host`, which is that of the URL. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The next one is tried where no connection comes about. */
  readonly addresses: readonly string[];
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Unpacked. */
  readonly body: AsyncGenerator<Uint8Array, void, undefined>;
  /** To be called when nothing more is read: closes the connection of an answer that has not ended. */
  close(): void;
}

export interface HttpClient {
  /** Rejects with the errors of node:http, and with the signal's reason. Follows no redirect. */
  send(request: HttpRequest): Promise<HttpResponse>;
}

/** Keeps connections for the next request to the same server. `authorities` is PEM, trusted instead of the well-known ones. */
export function createHttpClient(authorities?: string): HttpClient {
  const plain = new Agent({ keepAlive: true });
  const tls = new TlsAgent({ keepAlive: true, ...(authorities === undefined ? {} : { ca: authorities }) });
  for (const agent of [plain, tls]) agent.on("free", (socket: Socket) => socket.setTimeout(UNUSED_MILLISECONDS));
  const known = new WeakSet<Socket>();
  const take = (socket: Socket) => {
    socket.setTimeout(0);
    if (known.has(socket)) return;
    known.add(socket);
    socket.on("timeout", () => socket.destroy());
  };
  return {
    async send({ method, url, headers, body, addresses, signal }) {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const isTls = url.protocol === "https:";
      const options: RequestOptions = {
        method,
        agent: isTls ? tls : plain,
        headers: { ...headers, ...(body === null ? {} : { "content-length": String(Buffer.byteLength(body)) }) },
        lookup: pinned(addresses),
        signal,
      };
      const request = (isTls ? requestOverTls : requestOverHttp)(url, options, resolve);
      request.once("socket", take);
      request.on("error", (error) => reject(signal.aborted ? signal.reason : error));
      request.end(body ?? undefined);
      const response = await promise;
      return {
        status: response.statusCode ?? 0,
        headers: headersOf(response),
        body: unpacked(response, signal),
        close() {
          if (response.complete) response.resume();
          else response.destroy();
        },
      };
    },
  };
}

/** The addresses are known: nobody is asked. */
function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (_host, { all: wantsAll }, callback) => {
    const [first] = all;
    if (wantsAll === true) callback(null, all);
    else callback(null, first?.address ?? "", first?.family ?? 4);
  };
}

function headersOf({ headers }: IncomingMessage): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value] as const],
    ),
  );
}

/** None was asked for, but some servers pack all the same. */
function unpacked(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const unpack = unpackers[response.headers["content-encoding"]?.toLowerCase() ?? "identity"];
  const bytes = bytesOf(response, signal);
  return unpack === undefined ? bytes : unpackedBy(unpack(), bytes, response);
}

const unpackers: Readonly<Record<string, () => ReturnType<typeof createUnzip>>> = {
  gzip: createUnzip,
  "x-gzip": createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

async function* unpackedBy(
  unpacker: ReturnType<typeof createUnzip>,
  packed: AsyncGenerator<Uint8Array, void, undefined>,
  response: IncomingMessage,
): AsyncGenerator<Uint8Array, void, undefined> {
  const closed = new Promise<void>((resolve) => unpacker.once("close", resolve));
  const feeding = (async () => {
    try {
      for await (const piece of packed) {
        const taken = new Promise<void>((resolve) => unpacker.write(piece, () => resolve()));
        await Promise.race([taken, closed]);
        if (unpacker.destroyed) return;
      }
      unpacker.end();
    } catch (error) {
      unpacker.destroy(error as Error);
    }
  })();
  try {
    for await (const piece of unpacker) yield piece as Uint8Array;
  } finally {
    unpacker.destroy();
    // A piece that is still waited for would keep the feeding from its end.
    if (!response.complete) response.destroy();
    await feeding;
  }
}

/** The pieces as they arrive. Whatever came is read before an error is thrown. */
async function* bytesOf(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let isOver = false;
  let failure: unknown = null;
  let wake = () => {};
  response.on("data", (piece: Uint8Array) => {
    waiting.push(piece);
    waitingBytes += piece.length;
    if (waitingBytes > MOST_WAITING_BYTES) response.pause();
    wake();
  });
  response.once("end", () => {
    isOver = true;
    wake();
  });
  response.on("error", (error) => {
    failure ??= error;
    wake();
  });
  response.once("close", () => {
    if (!response.complete) failure ??= new BrokenOffError();
    isOver = true;
    wake();
  });
  while (true) {
    const pieces = waiting;
    waiting = [];
    waitingBytes = 0;
    yield* pieces;
    if (waiting.length > 0) continue;
    if (signal.aborted) throw signal.reason;
    if (failure !== null) throw failure;
    if (isOver) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    response.resume();
    await promise;
  }
}

/** The connection was closed before the end of the answer, in whatever way. */
class BrokenOffError extends Error {
  readonly code = "ECONNRESET";
}
