// The real file system behind FileAccess.
import { mkdirSync, readFileSync, statSync } from "node:fs";
import type { FileAccess } from "./environment.ts";

export const realFiles: FileAccess = {
  isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
  readText: (path) => readFileSync(path, "utf8"),
  // The working directory holds prompts of all users: only the service may read it.
  makeDirectory: (path) => void mkdirSync(path, { recursive: true, mode: 0o700 }),
};
