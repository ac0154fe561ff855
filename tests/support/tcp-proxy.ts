// A TCP relay in front of a database that can fall silent: connections stay open and nothing comes through, as when a network
// drops packets.
import { connect, createServer, type Socket } from "node:net";

export interface TcpProxy {
  readonly port: number;
  /** From now on nothing is relayed, neither bytes nor ends. */
  fallSilent(): void;
  close(): void;
}

export async function startTcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let silent = false;
  const relay = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on("data", (bytes) => {
      if (!silent) to.write(bytes);
    });
    from.on("error", () => {});
    from.on("close", () => {
      sockets.delete(from);
      if (!silent) to.destroy();
    });
  };
  const server = createServer((socket) => {
    const onward = connect(target.port, target.host);
    relay(socket, onward);
    relay(onward, socket);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    port: (server.address() as { port: number }).port,
    fallSilent() {
      silent = true;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
