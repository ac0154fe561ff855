// The service under measurement: from source or compiled, on a database of its own.
import { resolve } from "node:path";
import { type RunningService, startService } from "../support/server.ts";

/** Starts the compiled service at that path, or the source when it is empty. */
export function startMeasured(
  databaseUrl: string,
  binary: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  if (binary === "") return startService({ databaseUrl, env });
  process.env.SPANLIGHT_TEST_BINARY = resolve(binary);
  return startService({ databaseUrl, env, program: "binary" });
}

export async function stopMeasured(service: RunningService): Promise<void> {
  const exitCode = await service.stop();
  if (exitCode !== 0) throw new Error(`The service ended with ${exitCode}:\n${service.log().slice(-2000)}`);
}

export function programName(binary: string): string {
  return binary === "" ? "from source" : "compiled";
}
