// The real file system behind FileAccess.
import { mkdirSync, readFileSync, statSync } from "node:fs";
import type { FileAccess } from "./environment.ts";

export const realFiles: FileAccess = {
  isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
  readText: (path) => readFileSync(path, "utf8"),
  // The working directory holds everybody's prompts: nobody but the service may look inside.
  makeDirectory: (path) => void mkdirSync(path, { recursive: true, mode: 0o700 }),
};
