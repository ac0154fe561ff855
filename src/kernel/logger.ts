// One line a happening, for people (`default`) or for machines (`structured`). No payload and no secret is ever logged.

const logLevels = ["debug", "info", "warning", "error", "critical"] as const;
export type LogLevel = (typeof logLevels)[number];
type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warning(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same log under another name, e.g. `ingest`. */
  named(name: string): Logger;
}

interface LogOptions {
  readonly level: LogLevel;
  readonly mode: "default" | "structured";
  /** Receives each finished line; up to info goes to standard output, the rest to standard error. */
  readonly write?: (line: string, level: LogLevel) => void;
}

function writeToConsole(line: string, level: LogLevel): void {
  (level === "debug" || level === "info" ? process.stdout : process.stderr).write(`${line}\n`);
}

function valueText(value: string | number | boolean | null): string {
  return typeof value === "string" && /[\s"=]/.test(value) ? JSON.stringify(value) : String(value);
}

export function createLogger(options: LogOptions, name = "spanlight"): Logger {
  const threshold = logLevels.indexOf(options.level);
  const write = options.write ?? writeToConsole;
  const log = (level: LogLevel, message: string, fields: LogFields = {}) => {
    if (logLevels.indexOf(level) < threshold) return;
    const timestamp = new Date().toISOString();
    if (options.mode === "structured") {
      write(JSON.stringify({ level: level.toUpperCase(), message, timestamp, logger: name, ...fields }), level);
      return;
    }
    const tail = Object.entries(fields)
      .filter((entry): entry is [string, string | number | boolean | null] => entry[1] !== undefined)
      .map(([key, value]) => ` ${key}=${valueText(value)}`)
      .join("");
    // A message of several lines stays one line, so that a message cannot forge a line of the log.
    write(`${timestamp} ${level.toUpperCase().padEnd(7)} ${name}: ${message.replace(/\n/g, "\\n")}${tail}`, level);
  };
  return {
    debug: (message, fields) => log("debug", message, fields),
    info: (message, fields) => log("info", message, fields),
    warning: (message, fields) => log("warning", message, fields),
    error: (message, fields) => log("error", message, fields),
    named: (child) => createLogger(options, child),
  };
}

/** A log that keeps nothing, for tests and one-off commands. */
export const silentLogger: Logger = createLogger({ level: "critical", mode: "default", write: () => {} });
