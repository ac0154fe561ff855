// A directory that answers what a test tells it to: the shapes of Active Directory, referrals, failures, silence, lies. It speaks just
// the messages that a sign-in needs.
import { createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { BerReader, BerWriter, FilterParser } from "ldapts";
import type { TestCertificate } from "./certificate.ts";

export interface BindRequest {
  readonly kind: "bind";
  readonly name: string;
  readonly password: string;
}

export interface SearchRequest {
  readonly kind: "search";
  readonly base: string;
  readonly filter: string;
  readonly attributes: readonly string[];
  readonly sizeLimit: number;
}

type Request = BindRequest | SearchRequest | { readonly kind: "starttls" | "unbind" | "other" };

/** What came, in order; `connection` counts from 1. */
export type ReceivedRequest = Request & { readonly connection: number; readonly isEncrypted: boolean };

export interface ScriptedEntry {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, readonly (string | Uint8Array)[]>>;
}

interface ScriptedResult {
  /** Result code; 0 unless said. */
  readonly code?: number;
  /** The server's words. */
  readonly message?: string;
  readonly entries?: readonly ScriptedEntry[];
  /** Addresses of other servers. */
  readonly references?: readonly string[];
  /** Bytes behind the answer. */
  readonly behind?: Uint8Array;
  /** Ends the connection behind the answer. */
  readonly isLast?: boolean;
}

/** `silence` keeps the connection and says nothing, bytes are sent as they are. */
type Reply = ScriptedResult | "silence" | "close" | Uint8Array;

export interface Script {
  bind?(request: BindRequest, connection: number): Reply;
  search?(request: SearchRequest, connection: number): Reply;
  startTls?(connection: number): Reply;
  /** With what it encrypts after STARTTLS; without, it agrees and says nothing more. */
  readonly certificate?: TestCertificate;
}

export interface ScriptedDirectory {
  readonly port: number;
  readonly received: ReceivedRequest[];
  /** Connections that are open at this moment. */
  readonly open: number;
  /** The most that were open at once. */
  readonly mostOpen: number;
  stop(): Promise<void>;
}

const TAG = { bind: 0x60, unbind: 0x42, search: 0x63, extended: 0x77 } as const;
const ANSWER = { bind: 0x61, entry: 0x64, done: 0x65, reference: 0x73, extended: 0x78 } as const;
const PASSWORD = 0x80;

export async function startScriptedDirectory(script: Script): Promise<ScriptedDirectory> {
  const received: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let mostOpen = 0;

  const answer = (socket: Socket, connection: number, isEncrypted: boolean, message: Buffer) => {
    const { id, request } = readRequest(message);
    received.push({ ...request, connection, isEncrypted });
    const reply = replyTo(script, request, connection);
    if (reply === "close") return void socket.destroy();
    if (reply === "silence") return;
    if (reply instanceof Uint8Array) return void socket.write(reply);
    socket.write(Buffer.concat([...writeResult(id, request.kind, reply), reply.behind ?? Buffer.alloc(0)]));
    if (reply.isLast === true) socket.end();
    const isUpgrade = request.kind === "starttls" && (reply.code ?? 0) === 0 && reply.behind === undefined;
    if (!isUpgrade) return;
    socket.removeAllListeners("data");
    if (script.certificate === undefined) return void socket.resume();
    const { certificate: cert, key } = script.certificate;
    const secure = new TLSSocket(socket, { isServer: true, cert, key });
    listen(secure, connection, true);
  };
  const listen = (socket: Socket, connection: number, isEncrypted: boolean) => {
    let buffered = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("data", (data: Buffer) => {
      buffered = Buffer.concat([buffered, data]);
      for (let length = messageLength(buffered); length !== null; length = messageLength(buffered)) {
        const message = buffered.subarray(0, length);
        buffered = buffered.subarray(length);
        answer(socket, connection, isEncrypted, message);
      }
    });
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    mostOpen = Math.max(mostOpen, sockets.size);
    socket.once("close", () => void sockets.delete(socket));
    connections++;
    listen(socket, connections, false);
  });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await listening;
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    received,
    get open() {
      return sockets.size;
    },
    get mostOpen() {
      return mostOpen;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function replyTo(script: Script, request: Request, connection: number): Reply {
  switch (request.kind) {
    case "bind":
      return script.bind?.(request, connection) ?? {};
    case "search":
      return script.search?.(request, connection) ?? {};
    case "starttls":
      return script.startTls?.(connection) ?? {};
    default:
      return "silence";
  }
}

function messageLength(bytes: Buffer): number | null {
  const reader = new BerReader(bytes);
  if (reader.readSequence() === null) return null;
  const length = reader.offset + reader.length;
  return bytes.length < length ? null : length;
}

function readRequest(message: Buffer): { readonly id: number; readonly request: Request } {
  const reader = new BerReader(message);
  reader.readSequence();
  const id = reader.readInt() ?? 0;
  const tag = reader.readSequence();
  if (tag === TAG.bind) {
    reader.readInt();
    const name = reader.readString() ?? "";
    return { id, request: { kind: "bind", name, password: reader.readString(PASSWORD) ?? "" } };
  }
  if (tag === TAG.search) {
    const base = reader.readString() ?? "";
    reader.readEnumeration();
    reader.readEnumeration();
    const sizeLimit = reader.readInt() ?? 0;
    reader.readInt();
    reader.readBoolean();
    const filter = FilterParser.parse(reader).toString();
    const attributes: string[] = [];
    reader.readSequence();
    const end = reader.offset + reader.length;
    while (reader.offset < end) attributes.push(reader.readString() ?? "");
    return { id, request: { kind: "search", base, filter, attributes, sizeLimit } };
  }
  if (tag === TAG.extended) return { id, request: { kind: "starttls" } };
  return { id, request: { kind: tag === TAG.unbind ? "unbind" : "other" } };
}

function writeResult(id: number, kind: Request["kind"], result: ScriptedResult): Buffer[] {
  const message = (tag: number, fill: (writer: BerWriter) => void) => {
    const writer = new BerWriter();
    writer.startSequence();
    writer.writeInt(id);
    writer.startSequence(tag);
    fill(writer);
    writer.endSequence();
    writer.endSequence();
    return writer.buffer;
  };
  const done = { bind: ANSWER.bind, search: ANSWER.done, starttls: ANSWER.extended, unbind: 0, other: 0 }[kind];
  return [
    ...(result.entries ?? []).map(({ name, attributes = {} }) =>
      message(ANSWER.entry, (writer) => {
        writer.writeString(name);
        writer.startSequence();
        for (const [attribute, values] of Object.entries(attributes)) {
          writer.startSequence();
          writer.writeString(attribute);
          writer.startSequence(0x31);
          for (const value of values) {
            if (typeof value === "string") writer.writeString(value);
            else writer.writeBuffer(Buffer.from(value), 0x04);
          }
          writer.endSequence();
          writer.endSequence();
        }
        writer.endSequence();
      }),
    ),
    ...(result.references ?? []).map((address) => message(ANSWER.reference, (writer) => writer.writeString(address))),
    message(done, (writer) => {
      writer.writeEnumeration(result.code ?? 0);
      writer.writeString("");
      writer.writeString(result.message ?? "");
    }),
  ];
}
