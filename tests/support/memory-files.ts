// A file system in memory for settings: files by path, and directories that cannot be made below the given prefixes.
import type { FileAccess } from "../../src/config/environment.ts";

export interface MemoryFiles extends FileAccess {
  /** Directories that were asked for. */
  readonly made: string[];
}

export function memoryFiles(files: Readonly<Record<string, string>> = {}): MemoryFiles {
  const made: string[] = [];
  return {
    made,
    isFile: (path) => Object.hasOwn(files, path),
    readText: (path) => {
      const content = files[path];
      if (content === undefined) throw new Error(`ENOENT: no such file or directory, open '${path}'`);
      return content;
    },
    makeDirectory: (path) => {
      if (path.startsWith("/proc/")) throw new Error(`ENOENT: no such file or directory, mkdir '${path}'`);
      made.push(path);
    },
  };
}
