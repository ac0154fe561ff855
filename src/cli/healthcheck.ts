// `spanlight healthcheck`: asks a running service whether it is ready; for containers without a shell.
import { loadConfig } from "../config/load.ts";
import { addressOf } from "../config/server.ts";
import type { Command } from "./arguments.ts";

const LIMIT_MILLISECONDS = 3000;

/** Status 0 when `/readyz` answers 200, else 1 with the reason. */
export async function runHealthcheck(command: Extract<Command, { kind: "healthcheck" }>): Promise<number> {
  const { config } = loadConfig(process.env, { ...command.settings, createsWorkingDirectory: false });
  const { host, port } = config.server;
  const address = `${addressOf(host, port, config.tls.http !== null, "127.0.0.1")}/readyz`;
  const { http: identity } = config.tls;
  try {
    // The certificate names the public host, not the loopback address that is asked here.
    const answer = await fetch(address, {
      signal: AbortSignal.timeout(LIMIT_MILLISECONDS),
      tls: {
        rejectUnauthorized: false,
        // Where clients must show a certificate, the service's own one will do if the same authority issued it.
        ...(identity?.clientAuthorities == null ? {} : { cert: identity.certificate, key: identity.key }),
      },
    });
    if (answer.status === 200) {
      process.stdout.write("ready\n");
      return 0;
    }
    process.stderr.write(`not ready: ${address} answers ${answer.status} ${(await answer.text()).trim()}\n`);
  } catch (error) {
    process.stderr.write(`not ready: ${address} does not answer (${error instanceof Error ? error.message : error})\n`);
  }
  return 1;
}
