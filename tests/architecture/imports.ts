// Reads the imports of every source file, for the tests of the architecture.
import { dirname, join, relative, resolve } from "node:path";

export const ROOT = resolve(import.meta.dir, "../..");
const SOURCE = join(ROOT, "src");

export interface Import {
  /** Paths below `src/` for our own files; the name as written for a library. */
  readonly from: string;
  readonly to: string;
  readonly library: boolean;
  readonly typeOnly: boolean;
}

export interface SourceFile {
  /** Path below the root of the repository. */
  readonly path: string;
  readonly text: string;
}

const STATEMENT = /^[ \t]*(?:import|export)\s+(type\s+)?(?:[\w$*{},\s]+?\s+from\s+)?"([^"]+)"/gm;
const CALL = /\bimport\(\s*"([^"]+)"\s*\)/g;

/** A declaration of a page names the script of the page for browsers. What it names stands above it, and it takes nothing of it. */
const NAMES_A_SCRIPT = /\.page\.ts$/;

/** Every TypeScript file of the given folders, in order of path. */
export async function readSources(...folders: string[]): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const folder of folders) {
    for await (const path of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scan({ cwd: ROOT })) {
      files.push({ path, text: await Bun.file(join(ROOT, path)).text() });
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The imports of files below `src/`, types and dynamic ones included, without the scripts that declarations of pages name. */
export function importsOf(files: readonly SourceFile[]): Import[] {
  return files.flatMap(({ path, text }) => {
    const from = relative("src", path);
    const found = [
      ...[...text.matchAll(STATEMENT)].map((match) => ({ name: match[2] ?? "", typeOnly: match[1] !== undefined })),
      ...(NAMES_A_SCRIPT.test(path) ? [] : [...text.matchAll(CALL)]).map((match) => ({
        name: match[1] ?? "",
        typeOnly: false,
      })),
    ];
    return found.map(({ name, typeOnly }) => {
      const library = !name.startsWith(".");
      const to = library ? name : relative(SOURCE, resolve(SOURCE, dirname(from), name));
      return { from, to, library, typeOnly };
    });
  });
}

/** Every cycle's files, each cycle once. */
export function cyclesOf(imports: readonly Import[]): string[][] {
  const targets = Map.groupBy(
    imports.filter((each) => !each.library),
    (each) => each.from,
  );
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, path: string[]) => {
    const start = path.indexOf(file);
    if (start >= 0) {
      cycles.push([...path.slice(start), file]);
      return;
    }
    if (done.has(file)) return;
    for (const { to } of targets.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return cycles;
}
