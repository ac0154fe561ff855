// The way to the database: each address once, each within its time. Whoever gives up says so, so that nothing waits for a
// connection that nobody makes any more.
import { Socket } from "node:net";

export interface Host {
  readonly host: string;
  readonly port: number;
}

export interface Dialler {
  /** The next socket that is connected, its host beside it as the library wants it for TLS. Rejects when no address is left. */
  dial(): Promise<Socket>;
  /** Closes the socket that was handed out, whatever it waits for. */
  end(): void;
}

/** A connection that ends before its first answer goes on to the next address; `onGivenUp` is told when there is none. The
 *  addresses share the milliseconds. */
export function createDialler(
  hosts: readonly Host[],
  milliseconds: number,
  onGivenUp: (reason?: Error) => void,
): Dialler {
  const left = [...hosts];
  let current: Socket | null = null;
  let ended = false;

  async function dial(): Promise<Socket> {
    let reason: Error | undefined;
    for (let host = left.shift(); host !== undefined && !ended; host = left.shift()) {
      try {
        current = await connected(host, milliseconds / hosts.length);
        if (ended) current.destroy();
        return current;
      } catch (error) {
        reason = error as Error;
      }
    }
    onGivenUp(reason);
    throw reason ?? new Error("Every address of the database was tried");
  }

  return {
    dial,
    end() {
      ended = true;
      // Time for the words that take leave.
      setTimeout(() => current?.destroy(), 100).unref();
    },
  };
}

function connected({ host, port }: Host, milliseconds: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = new Socket();
  const timer = setTimeout(() => refuse(timedOut(host, port)), milliseconds);
  const refuse = (error: Error) => {
    clearTimeout(timer);
    socket.destroy();
    reject(error);
  };
  socket.on("error", refuse);
  socket.connect(port, host, () => {
    clearTimeout(timer);
    socket.removeListener("error", refuse);
    resolve(Object.assign(socket, { host, port }));
  });
  return promise;
}

function timedOut(host: string, port: number): Error {
  return Object.assign(new Error(`No connection to ${host}:${port}`), { code: "CONNECT_TIMEOUT" });
}
