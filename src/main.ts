#!/usr/bin/env bun
// argv → a command. Commands are loaded when they run: a reader process must not pay for a web server.
import { COPY_PROCESS, READER_PROCESS } from "./threads.ts";

// Every file that is made here is for its owner alone, whatever folder it is in: database, log, backups and their parts.
process.umask(0o077);

const words = process.argv.slice(2);
if (words[0] === READER_PROCESS) {
  const { runReaderProcess } = await import("./storage/sqlite/reader-process.ts");
  runReaderProcess();
} else if (words[0] === COPY_PROCESS) {
  const { runCopyProcess } = await import("./storage/sqlite/copy-process.ts");
  runCopyProcess(words[1] ?? "", words[2] ?? "");
} else {
  const { runCommand } = await import("./cli/run.ts");
  process.exitCode = await runCommand(words);
  process.exit();
}
