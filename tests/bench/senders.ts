// Senders that export without pause, or at a rate, and note how long each acknowledgement took.
import { EXPORT_METHOD, grpcClient } from "../support/grpc.ts";
import type { RunningService } from "../support/server.ts";
import { createPayloads } from "./payloads.ts";
import type { SpanSize } from "./spans.ts";
import { PROJECT } from "./stored.ts";

export type Transport = "http" | "grpc";

export interface SendOptions {
  readonly service: Pick<RunningService, "url" | "grpcPort">;
  /** HTTP without it. */
  readonly transport?: Transport;
  /** Small without it. */
  readonly size?: SpanSize;
  readonly senders: number;
  readonly spansPerRequest: number;
  /** That of the stored spans without it. */
  readonly project?: string;
  /** Spans a second, all senders together; 0 for as many as will be acknowledged. */
  readonly rate: number;
}

export interface Counts {
  readonly acknowledgedSpans: number;
  /** Milliseconds from the first byte to the acknowledgement, one a request. */
  readonly latencies: readonly number[];
  /** Answers that asked the sender to come back later; the request was sent again. */
  readonly refused: number;
}

export interface Sending {
  /** Forgets what was counted so far: the end of the warm-up. */
  reset(): void;
  counts(): Counts;
  /** Lets each sender finish its request. */
  stop(): Promise<void>;
}

/** Resolves with true when acknowledged, with false when asked to come back. */
type Send = (body: Uint8Array<ArrayBuffer>) => Promise<boolean>;

/** gRPC calls that share a connection. */
const SENDERS_PER_CONNECTION = 8;
const RETRY_MS = 100;
const UNAVAILABLE = 14;

export function startSenders(given: SendOptions): Sending {
  const options = { transport: "http", size: "small", project: PROJECT, ...given } as const;
  let latencies: number[] = [];
  let acknowledgedSpans = 0;
  let refused = 0;
  let stopping = false;
  const clients: { close(): void }[] = [];
  const msBetweenRequests = options.rate === 0 ? 0 : (1000 * options.spansPerRequest * options.senders) / options.rate;
  const traceStart = () => BigInt(Date.now()) * 1_000_000n;

  async function run(number: number, send: Send): Promise<void> {
    const payloads = createPayloads({ ...options, traceStart });
    const began = performance.now() + (msBetweenRequests * number) / options.senders;
    for (let request = 0; !stopping; request++) {
      const wait = began + request * msBetweenRequests - performance.now();
      if (msBetweenRequests > 0 && wait > 0) await Bun.sleep(wait);
      const body = payloads.next();
      const sent = performance.now();
      while (!(await send(body))) {
        refused++;
        if (stopping) return;
        await Bun.sleep(RETRY_MS);
      }
      latencies.push(performance.now() - sent);
      acknowledgedSpans += options.spansPerRequest;
    }
  }

  function sends(): Send[] {
    if (options.transport === "http") {
      return Array.from({ length: options.senders }, () => overHttp(options.service.url));
    }
    return Array.from({ length: options.senders }, (_, number) => {
      if (number % SENDERS_PER_CONNECTION === 0) clients.push(grpcClient(options.service.grpcPort));
      return overGrpc(clients.at(-1) as ReturnType<typeof grpcClient>);
    });
  }

  const running = Promise.all(sends().map((send, number) => run(number, send)));
  return {
    reset() {
      latencies = [];
      acknowledgedSpans = 0;
      refused = 0;
    },
    counts: () => ({ acknowledgedSpans, latencies, refused }),
    async stop() {
      stopping = true;
      await running;
      for (const client of clients) client.close();
    },
  };
}

function overHttp(url: string): Send {
  return async (body) => {
    const response = await fetch(`${url}/v1/traces`, {
      method: "POST",
      headers: { "content-type": "application/x-protobuf" },
      body,
    });
    const answer = await response.bytes();
    if (response.status === 200 && answer.length === 0) return true;
    if (response.status === 503) return false;
    throw new Error(`The service answered ${response.status}: ${Buffer.from(answer).toString().slice(0, 500)}`);
  };
}

function overGrpc(client: ReturnType<typeof grpcClient>): Send {
  return async (body) => {
    const outcome = await client.send(body, { method: EXPORT_METHOD });
    if (outcome.code === 0 && outcome.body?.length === 0) return true;
    if (outcome.code === UNAVAILABLE) return false;
    throw new Error(`The service answered ${outcome.code}: ${outcome.details}`);
  };
}
