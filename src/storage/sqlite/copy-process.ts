// The process that copies a database file: its only statement runs for minutes and reads no message meanwhile.
import { messageOf } from "../../kernel/failure.ts";
import { lowerPriority } from "../../kernel/priority.ts";
import { backupSqlite } from "./backup.ts";

/** Ends with status 0 when the checked copy is there, else with 1 and the reason on standard error. */
export function runCopyProcess(path: string, target: string): never {
  lowerPriority();
  try {
    backupSqlite({ kind: "sqlite", path, temporary: false, synchronous: "FULL" }, target, { replace: false });
  } catch (error) {
    process.stderr.write(messageOf(error));
    process.exit(1);
  }
  process.exit(0);
}
