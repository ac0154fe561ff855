// `spanlight serve`: runs the service until it receives a signal to stop.
import { warningLine } from "../config/findings.ts";
import { loadConfig } from "../config/load.ts";
import { createLogger } from "../kernel/logger.ts";
import { surviveRejections } from "../kernel/rejections.ts";
import { createApp, UNHANDLED_REJECTION } from "../server/app.ts";
import { featureSettings } from "../server/features.ts";
import { resolveLocation } from "../storage/resolve-location.ts";
import { VERSION } from "../version.ts";
import type { Command } from "./arguments.ts";
import { banner } from "./banner.ts";

/** Who stops a service waits 25 seconds at most, and then ends it without asking. The rest is for the end of a busy process. */
const STOP_MILLISECONDS = 23_000;

type Serve = Extract<Command, { kind: "serve" }>;

/** Resolves with the exit status: 0 after an orderly stop, 1 when the service could not start or lost a part. */
export async function serve(command: Serve): Promise<number> {
  for (const warning of command.warnings) process.stderr.write(`warning: ${warning}\n`);
  const { config, warnings } = loadConfig(process.env, { ...command.settings, features: featureSettings });
  const log = createLogger({ level: config.logging.level, mode: config.logging.mode });
  for (const warning of warnings) log.named("config").warning(warningLine(warning));
  surviveRejections((what) => log.error(UNHANDLED_REJECTION, { what }));
  const app = await createApp(config, resolveLocation(config.database.location), log);
  await app.lifecycle.start();
  for (const line of banner(config, VERSION)) {
    process.stdout.write(`${line}\n`);
  }
  const end = await Promise.race([
    stopRequested().then((reason) => ({ reason, lostPart: false })),
    app.failed.then((reason) => ({ reason, lostPart: true })),
  ]);
  (end.lostPart ? log.error : log.info)(`stopping: ${end.reason}`);
  const left = await Promise.race([app.lifecycle.stop(), Bun.sleep(STOP_MILLISECONDS).then(() => null)]);
  if (left === null) log.error(`not stopped in ${STOP_MILLISECONDS} ms: what still runs is abandoned`);
  return left?.length === 0 && !end.lostPart ? 0 : 1;
}

/** Every signal that asks a process to end. */
const STOP_SIGNALS = {
  SIGTERM: "asked to end",
  SIGINT: "interrupted",
  SIGHUP: "its terminal or its supervisor hung up",
  SIGQUIT: "asked to quit",
} as const;

function stopRequested(): Promise<string> {
  return new Promise((resolve) => {
    for (const [signal, reason] of Object.entries(STOP_SIGNALS)) {
      // A second one must not cut the stop short, as a terminal that closes would, except for a second Ctrl-C.
      if (signal === "SIGINT") process.once(signal, () => resolve(reason));
      else process.on(signal, () => resolve(reason));
    }
  });
}
