// Form and level of the log.
import type { LogLevel } from "../kernel/logger.ts";
import type { Environment } from "./environment.ts";
import { choice, type Values } from "./setting.ts";

const levels: Readonly<Record<string, LogLevel>> = {
  critical: "critical",
  fatal: "critical",
  error: "error",
  warn: "warning",
  warning: "warning",
  info: "info",
  debug: "debug",
};
const LEVELS_LISTED = "CRITICAL, FATAL, ERROR, WARN, WARNING, INFO and DEBUG";

export const loggingSettings = {
  mode: choice<"default" | "structured">({
    name: "SERVICE_LOGGING_MODE",
    default: "default",
    choices: { default: "default", structured: "structured" },
    listed: "default and structured",
    meaning: "`structured` writes one JSON object a line.",
  }),
  level: choice<LogLevel>({
    name: "SERVICE_LOGGING_LEVEL",
    default: "info",
    choices: levels,
    listed: LEVELS_LISTED,
    meaning: "Least severe level that is written: `debug`, `info`, `warning`, `error` or `critical`.",
  }),
  databaseLevel: choice<LogLevel>({
    name: "SERVICE_DB_LOGGING_LEVEL",
    default: "warning",
    choices: levels,
    listed: LEVELS_LISTED,
    meaning: "The same for the database layer.",
  }),
} as const;

export type LoggingConfig = Values<typeof loggingSettings>;

export function readLogging(environment: Environment, debug: boolean): LoggingConfig {
  const values = environment.readAll(loggingSettings);
  return debug ? { ...values, level: "debug" } : values;
}
