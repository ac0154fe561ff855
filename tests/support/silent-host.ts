// A host that takes connections and says nothing, as one does whose server is frozen.
import { createServer, type Socket } from "node:net";

export interface SilentHost {
  readonly port: number;
  /** Connections that were made so far. */
  readonly connections: number;
  close(): void;
}

export async function startSilentHost(): Promise<SilentHost> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on("error", () => {})));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    port: (server.address() as { port: number }).port,
    get connections() {
      return sockets.length;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
