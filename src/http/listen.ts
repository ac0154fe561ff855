// Opens the HTTP port over a fetch function and closes it without cutting answers off.
import { fail, messageOf } from "../kernel/failure.ts";

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** PEM texts; null for plain HTTP. With authorities, clients must show a certificate of theirs. */
  readonly tls: {
    readonly certificate: string;
    readonly key: string;
    readonly clientAuthorities: string | null;
  } | null;
  /** Names the setting of the port where it cannot be opened. */
  readonly portSetting?: string;
  /** `peer` tells the address of the other end. */
  readonly fetch: (request: Request, peer: () => string | null) => Promise<Response>;
}

export interface Listener {
  readonly port: number;
  /** Takes no new connection, waits for running answers, and closes what is left after the time. */
  stop(milliseconds: number): Promise<void>;
}

/** The most the runtime allows; slow reads end at their own deadline long before. */
const IDLE_SECONDS = 255;

/** Fails with kind `unavailable` and a sentence that names the setting when the port is taken. */
export function listen(options: ListenOptions): Listener {
  const { host, port, tls } = options;
  const start = () =>
    Bun.serve({
      hostname: host,
      port,
      fetch: (request, listener) => options.fetch(request, () => listener.requestIP(request)?.address ?? null),
      idleTimeout: IDLE_SECONDS,
      // Each route refuses by its own limit before it reads, with our headers; the runtime's bare refusal must not come first.
      // What no route reads waits at the sender (seen: 400 MB sent, 35 MB resident).
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      ...(tls === null
        ? {}
        : {
            tls: {
              cert: tls.certificate,
              key: tls.key,
              ...(tls.clientAuthorities === null
                ? {}
                : { ca: tls.clientAuthorities, requestCert: true, rejectUnauthorized: true }),
            },
          }),
    });
  let server: ReturnType<typeof start>;
  try {
    server = start();
  } catch (error) {
    const setting = options.portSetting ?? "SERVICE_PORT";
    const taken = (error as { code?: string }).code === "EADDRINUSE";
    throw fail(
      taken ? "http.port_taken" : "http.cannot_listen",
      "unavailable",
      taken
        ? `Port ${port} on ${host} is taken: stop the other program or set ${setting}`
        : `Cannot listen on ${host} port ${port}: ${messageOf(error)} (SERVICE_HOST, ${setting})`,
      { cause: error },
    );
  }
  return {
    port: server.port ?? port,
    async stop(milliseconds) {
      const drained = server.stop();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(() => resolve(), milliseconds);
      });
      await Promise.race([drained, late]);
      clearTimeout(timer);
      await server.stop(true);
    },
  };
}
