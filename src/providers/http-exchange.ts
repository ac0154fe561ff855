// HTTP requests to addresses that are known already. node:http takes them through `lookup`, sends the host name to TLS and the server, ignores
// proxies of the environment, and delivers all received bytes before it reports that a connection broke.
import { Agent, type IncomingMessage, type RequestOptions, request as requestOverHttp } from "node:http";
import { request as requestOverTls, Agent as TlsAgent } from "node:https";
import type { LookupFunction, Socket } from "node:net";
import { createBrotliDecompress, createUnzip, createZstdDecompress } from "node:zlib";

/** Below the keep-alive timeouts of servers, which are 5 seconds and more: a request sent into a closing connection fails. */
const KEEP_ALIVE_MILLISECONDS = 4000;
/** Received and not yet read. */
const MOST_BUFFERED_BYTES = 256 * 1024;

interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  /** Without `host`, which is taken from the URL. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The next one is tried if a connection cannot be established. */
  readonly addresses: readonly string[];
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Decompressed. */
  readonly body: AsyncGenerator<Uint8Array, void, undefined>;
  /** To be called when nothing more is read. Closes the connection unless the response has ended. */
  close(): void;
}

export interface HttpClient {
  /** Rejects with the errors of node:http, and with the signal's reason. Follows no redirect. */
  send(request: HttpRequest): Promise<HttpResponse>;
}

/** Keeps connections alive for further requests. `authorities` is PEM, trusted instead of the default certificate authorities. */
export function createHttpClient(authorities?: string): HttpClient {
  const plain = new Agent({ keepAlive: true });
  const tls = new TlsAgent({ keepAlive: true, ...(authorities === undefined ? {} : { ca: authorities }) });
  for (const agent of [plain, tls]) agent.on("free", (socket: Socket) => socket.setTimeout(KEEP_ALIVE_MILLISECONDS));
  const known = new WeakSet<Socket>();
  const claimSocket = (socket: Socket) => {
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
        lookup: fixedLookup(addresses),
        signal,
      };
      const request = (isTls ? requestOverTls : requestOverHttp)(url, options, resolve);
      request.once("socket", claimSocket);
      request.on("error", (error) => reject(signal.aborted ? signal.reason : error));
      request.end(body ?? undefined);
      const response = await promise;
      return {
        status: response.statusCode ?? 0,
        headers: headersOf(response),
        body: decompressed(response, signal),
        close() {
          if (response.complete) response.resume();
          else response.destroy();
        },
      };
    },
  };
}

/** Answers with the given addresses. */
function fixedLookup(addresses: readonly string[]): LookupFunction {
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

/** Servers may compress although `identity` was requested. */
function decompressed(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const create = decompressors[response.headers["content-encoding"]?.toLowerCase() ?? "identity"];
  const bytes = bytesOf(response, signal);
  return create === undefined ? bytes : decompressedBy(create(), bytes, response);
}

const decompressors: Readonly<Record<string, () => ReturnType<typeof createUnzip>>> = {
  gzip: createUnzip,
  "x-gzip": createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

async function* decompressedBy(
  decompressor: ReturnType<typeof createUnzip>,
  compressed: AsyncGenerator<Uint8Array, void, undefined>,
  response: IncomingMessage,
): AsyncGenerator<Uint8Array, void, undefined> {
  const closed = new Promise<void>((resolve) => decompressor.once("close", resolve));
  const feeding = (async () => {
    try {
      for await (const piece of compressed) {
        const written = new Promise<void>((resolve) => decompressor.write(piece, () => resolve()));
        await Promise.race([written, closed]);
        if (decompressor.destroyed) return;
      }
      decompressor.end();
    } catch (error) {
      decompressor.destroy(error as Error);
    }
  })();
  try {
    for await (const piece of decompressor) yield piece as Uint8Array;
  } finally {
    decompressor.destroy();
    // Ends the pending read, which the feeding waits for.
    if (!response.complete) response.destroy();
    await feeding;
  }
}

/** The chunks as they arrive. Listens at once; received bytes are yielded before an error is thrown. */
function bytesOf(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  let buffered: Uint8Array[] = [];
  let bufferedBytes = 0;
  let isOver = false;
  let failure: unknown = null;
  let wake = () => {};
  response.on("data", (chunk: Uint8Array) => {
    buffered.push(chunk);
    bufferedBytes += chunk.length;
    if (bufferedBytes > MOST_BUFFERED_BYTES) response.pause();
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
    if (!response.complete) failure ??= new InterruptedError();
    isOver = true;
    wake();
  });
  return (async function* () {
    while (true) {
      const chunks = buffered;
      buffered = [];
      bufferedBytes = 0;
      for (const chunk of chunks) yield chunk;
      if (buffered.length > 0) continue;
      if (signal.aborted) throw signal.reason;
      if (failure !== null) throw failure;
      if (isOver) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      response.resume();
      await promise;
    }
  })();
}

/** The connection was closed before the end of the response. */
class InterruptedError extends Error {
  readonly code = "ECONNRESET";
}
