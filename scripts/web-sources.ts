// What the pages are built of: every file of the repository that ends up in the bundle, and the name of the build that follows
// from it. The pages share pure files with the server, so that this is more than src/web.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Beside the sources, what decides how they are bundled. The lock stands for everything in node_modules. */
const SETTINGS = ["bun.lock", "package.json", "tsconfig.json", "scripts/build-web.ts", "scripts/web-sources.ts"];

const transpilers = {
  ts: new Bun.Transpiler({ loader: "ts" }),
  tsx: new Bun.Transpiler({ loader: "tsx" }),
};

/** The entries with all that they import from the repository, however deep, sorted. Paths are relative to `root`. Type imports
 *  do not count: they leave nothing in the bundle. */
export async function importedFiles(root: string, entries: readonly string[]): Promise<readonly string[]> {
  const found = new Set(entries);
  // Grows while it is walked.
  for (const file of found) {
    const extension = /\.(tsx?)$/.exec(file)?.[1] as keyof typeof transpilers | undefined;
    if (extension === undefined) continue;
    for (const { path } of transpilers[extension].scanImports(await readFile(join(root, file), "utf8")))
      if (path.startsWith(".")) found.add(join(dirname(file), path));
  }
  return [...found].sort();
}

/** A name made of everything that the result of a build depends on. */
export async function buildKey(root: string, sources: readonly string[]): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  hash.update(Bun.version);
  for (const path of [...SETTINGS, ...sources]) {
    hash.update(`\0${path}\0`);
    hash.update(await readFile(join(root, path)));
  }
  return hash.digest("hex").slice(0, 20);
}
