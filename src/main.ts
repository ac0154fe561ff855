#!/usr/bin/env bun
// argv → a command. Commands are loaded when they run: a reader process must not pay for a web server.
import { READER_PROCESS } from "./threads.ts";

const words = process.argv.slice(2);
if (words[0] === READER_PROCESS) {
  const { runReaderProcess } = await import("./reader-process.ts");
  runReaderProcess();
} else {
  const { runCommand } = await import("./cli/run.ts");
  process.exitCode = await runCommand(words);
  process.exit();
}
