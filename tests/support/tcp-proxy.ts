// A TCP relay in front of a database that can fall silent: connections stay open and nothing comes through, as when a network
// drops packets. Or that cuts new connections when they ask their first question, as a balancer does whose server has gone.
import { connect, createServer, type Socket } from "node:net";

export interface TcpProxy {
  readonly port: number;
  /** From now on nothing is relayed, neither bytes nor ends. */
  fallSilent(): void;
  /** New connections are relayed again; those that fell silent stay so, as behind a balancer that has forgotten them. */
  speakAgain(): void;
  /** Whether connections are cut, with or without an end in good order, as soon as a client has sent its first statement. */
  cutAtFirstQuery(how: "end" | "reset" | null): void;
  /** Connections that were made so far. */
  readonly connections: number;
  close(): void;
}

export async function startTcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let silent = false;
  const silenced = new WeakSet<Socket>();
  let connections = 0;
  let cut: "end" | "reset" | null = null;
  const relay = (from: Socket, to: Socket) => {
    sockets.add(from);
    if (silent) silenced.add(from);
    from.on("data", (bytes) => {
      if (!silenced.has(from)) to.write(bytes);
    });
    from.on("error", () => {});
    from.on("close", () => {
      sockets.delete(from);
      if (!silenced.has(from)) to.destroy();
    });
  };
  const server = createServer((socket) => {
    connections++;
    const onward = connect(target.port, target.host);
    socket.on("data", (bytes) => {
      // The first byte of a statement; what begins and authenticates a connection has others.
      if (cut === null || !"QP".includes(String.fromCharCode(Number(bytes[0])))) return;
      if (cut === "reset") socket.resetAndDestroy();
      else socket.destroy();
      onward.destroy();
    });
    relay(socket, onward);
    relay(onward, socket);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    port: (server.address() as { port: number }).port,
    fallSilent() {
      silent = true;
      for (const socket of sockets) silenced.add(socket);
    },
    speakAgain() {
      silent = false;
    },
    cutAtFirstQuery(how) {
      cut = how;
    },
    get connections() {
      return connections;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
