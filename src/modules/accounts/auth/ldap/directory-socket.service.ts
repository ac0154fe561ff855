// The connection to a directory server, encrypted before anything is sent over it. The LDAP library gets it ready made: it would
// open a second one on its own when the first is closed, in clear text, and keeps bytes that came before the encryption.
import { connect, isIP, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls, rootCertificates } from "node:tls";
import type { LdapConfig } from "../../../../config/ldap.ts";
import { messageOf } from "../../../../kernel/failure.ts";
import { DirectoryTrouble } from "./directory.errors.ts";

/** Milliseconds. */
export interface DirectoryLimits {
  /** To a connection, and to its encryption. */
  readonly connectMs: number;
  /** To the answer of the server to one message. */
  readonly operationMs: number;
}

type Place = Pick<LdapConfig, "port" | "tls">;

/** A connection that is ready to be bound. Fails with DirectoryTrouble; the signal closes it, also later. */
export async function openDirectorySocket(
  host: string,
  { port, tls }: Place,
  { connectMs }: DirectoryLimits,
  signal: AbortSignal,
): Promise<Socket> {
  const plain = connect({ host, port, noDelay: true });
  // Its errors are reported by the code that waits for it.
  plain.on("error", () => {});
  const opened: Socket[] = [plain];
  const close = () => {
    for (const socket of opened) socket.destroy();
  };
  signal.addEventListener("abort", close, { once: true });
  plain.once("close", () => signal.removeEventListener("abort", close));
  try {
    await within(connectMs, "connect", eventOf(plain, "connect"));
    if (tls.mode === "none") return plain;
    if (tls.mode === "starttls") await within(connectMs, "starttls", askForTls(plain));
    const encrypted = connectTls({ ...optionsOf(host, tls), socket: plain });
    opened.push(encrypted);
    await within(connectMs, tls.mode === "ldaps" ? "connect" : "starttls", eventOf(encrypted, "secureConnect"));
    return encrypted;
  } catch (error) {
    for (const socket of opened) socket.on("error", () => {});
    close();
    throw error;
  }
}

function optionsOf(host: string, { verify, authorities, client }: Place["tls"]): ConnectionOptions {
  return {
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: verify,
    ...(authorities === null ? {} : { ca: [...rootCertificates, authorities] }),
    ...(client === null ? {} : { cert: client.certificate, key: client.key }),
  };
}

/** The extended request 1.3.6.1.4.1.1466.20037 of RFC 4511, as the first message. */
const START_TLS = Buffer.concat([
  Buffer.from([0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16]),
  Buffer.from("1.3.6.1.4.1.1466.20037"),
]);
/** More than any answer to it. */
const LONGEST_ANSWER = 4096;

/** Resolves when the server agrees to encrypt. Bytes after its answer were injected. */
async function askForTls(socket: Socket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let received = Buffer.alloc(0);
  const read = (data: Buffer) => {
    received = Buffer.concat([received, data]);
    const length = lengthOfMessage(received);
    if (length === null && received.length < LONGEST_ANSWER) return;
    if (length === null || received.length > length) return reject(new Error("unexpected answer"));
    if (received.length < length) return;
    const code = resultCodeOf(received);
    if (code === 0) resolve();
    else reject(new Error(code === null ? "unexpected answer" : `refused with result code ${code}`));
  };
  const closed = () => reject(new Error("connection closed"));
  socket.on("data", read).once("close", closed).once("error", reject);
  socket.write(START_TLS);
  try {
    await promise;
  } finally {
    socket.off("data", read).off("close", closed).off("error", reject);
  }
}

/** Bytes of the message that a buffer begins with; null while its length is not there. */
function lengthOfMessage(bytes: Buffer): number | null {
  const first = bytes[1];
  if (first === undefined || bytes[0] !== 0x30) return first === undefined ? null : 0;
  if (first < 0x80) return 2 + first;
  const count = first & 0x7f;
  if (count === 0 || count > 2) return 0;
  return bytes.length < 2 + count ? null : 2 + count + bytes.readUIntBE(2, count);
}

/** Of an extended answer to the first message; null for any other. */
function resultCodeOf(message: Buffer): number | null {
  let at = lengthOfHeader(message, 0);
  // Message 1, which is an extended response, whose first member is an enumeration of one byte.
  if (message[at] !== 0x02 || message[at + 1] !== 1 || message[at + 2] !== 1 || message[at + 3] !== 0x78) return null;
  at += 3;
  at += lengthOfHeader(message, at);
  return message[at] === 0x0a && message[at + 1] === 1 ? (message[at + 2] ?? null) : null;
}

function lengthOfHeader(message: Buffer, at: number): number {
  const first = message[at + 1] ?? 0;
  return first < 0x80 ? 2 : 2 + (first & 0x7f);
}

/** Resolves at the event, and fails when the socket does. */
async function eventOf(socket: Socket, event: "connect" | "secureConnect"): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const closed = () => reject(new Error("connection closed"));
  socket.once(event, resolve).once("error", reject).once("close", closed);
  try {
    await promise;
  } finally {
    socket.off(event, resolve).off("error", reject).off("close", closed);
  }
}

/** Turns a failure, and being late, into trouble at the step. */
async function within(milliseconds: number, step: "connect" | "starttls", work: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer in ${milliseconds / 1000} s`)), milliseconds);
  try {
    await Promise.race([work, late]);
  } catch (error) {
    const { code } = error as { code?: unknown };
    throw new DirectoryTrouble(step, typeof code === "string" ? code : messageOf(error));
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}
