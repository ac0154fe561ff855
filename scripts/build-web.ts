// Builds the pages: src/web bundled into hashed files, compressed once, with a manifest that the server reads. The result lies in
// .cache/web under a name made of everything it depends on, so that an unchanged source is never built twice; `--into FOLDER`
// copies it there for the binary. Prints the folder. Nobody else may import this: servers run it as a process of its own.
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { constants, gzipSync, zstdCompressSync } from "node:zlib";
import type { WebManifest } from "../src/http/web-files.ts";
import { buildKey, importedFiles } from "./web-sources.ts";

const ROOT = resolve(import.meta.dir, "..");
const WEB = join(ROOT, "src/web");
const CACHE = join(ROOT, ".cache/web");
const PAGES = join(WEB, "main.tsx");
/** A script of its own: it runs before the first paint. */
const THEME = join(WEB, "theme-start.ts");
/** Builds of other branches are worth keeping, those of last week are not. */
const KEPT_BUILDS = 4;

const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  woff2: "font/woff2",
  svg: "image/svg+xml",
};

/** The subsets of one variable font: the ranges are Google's, taken over by the packages. */
const fonts = [
  { family: "Inter Variable", weights: "100 900", package: "@fontsource-variable/inter", style: "wght.css" },
  {
    family: "JetBrains Mono Variable",
    weights: "100 800",
    package: "@fontsource-variable/jetbrains-mono",
    style: "wght.css",
  },
] as const;

interface MadeFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Every style sheet of the pages: their order is that of the folders, not of the imports. Relative to src/web. */
async function styleSheets(): Promise<readonly string[]> {
  return (await Array.fromAsync(new Bun.Glob("**/*.css").scan({ cwd: WEB }))).sort();
}

const hashed = (name: string, bytes: Uint8Array, extension: string): string =>
  `${name}-${new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 10)}.${extension}`;

const common = {
  root: WEB,
  target: "browser",
  format: "esm",
  minify: true,
  // Mapped names in the console of a browser help operators to report errors; the maps stay out of the page's way.
  sourcemap: "none",
  naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
  define: { "process.env.NODE_ENV": '"production"' },
} as const;

/** Every script, split at dynamic imports. Style sheets are left to `bundleStyles`: a late chunk would not load its own. */
async function bundleScripts(sources: readonly string[]) {
  const [pages, theme] = await Promise.all([
    Bun.build({ ...common, entrypoints: [PAGES], splitting: true, metafile: true }),
    Bun.build({ ...common, entrypoints: [THEME], format: "iife", metafile: true }),
  ]);
  requireCovered(sources, [pages.metafile, theme.metafile]);
  const scripts = [...pages.outputs, ...theme.outputs].filter(({ path }) => path.endsWith(".js"));
  const files = await Promise.all(
    scripts.map(async (made) => ({ name: basename(made.path), bytes: new Uint8Array(await made.arrayBuffer()) })),
  );
  const script = entryOf(pages.outputs);
  return {
    files,
    script,
    theme: entryOf(theme.outputs),
    preload: importedAtOnce(pages.metafile, script),
    late: lateChunks(pages.metafile, script),
  };
}

/** The bundler has the last word on what it took in: a file that the key does not cover would go stale in silence. */
function requireCovered(sources: readonly string[], metafiles: readonly (Bun.BuildMetafile | undefined)[]): void {
  const known = new Set(sources);
  const bundled = metafiles.flatMap((metafile) => Object.keys(metafile?.inputs ?? {}));
  const missed = bundled
    .map((path) => relative(ROOT, resolve(path)))
    .filter((path) => !known.has(path) && !path.includes("node_modules/"));
  if (missed.length > 0) throw new Error(`Bundled, but not part of the name of the build: ${missed.join(", ")}`);
}

function entryOf(outputs: readonly Bun.BuildArtifact[]): string {
  const entry = outputs.find(({ kind, path }) => kind === "entry-point" && path.endsWith(".js"));
  if (entry === undefined) throw new Error("The bundler made no entry point");
  return basename(entry.path);
}

/** The chunks that the entry needs before it can run, however deep. */
function importedAtOnce(metafile: Bun.BuildMetafile | undefined, entry: string): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    const output = Object.entries(metafile?.outputs ?? {}).find(([path]) => basename(path) === name)?.[1];
    for (const { path, kind } of output?.imports ?? []) {
      const chunk = basename(path);
      if (kind !== "import-statement" || found.has(chunk)) continue;
      found.add(chunk);
      visit(chunk);
    }
  };
  visit(entry);
  return [...found];
}

/** Chunks that are asked for later, each with those that come along. */
function lateChunks(metafile: Bun.BuildMetafile | undefined, entry: string): WebManifest["late"] {
  const entries = Object.values(metafile?.outputs ?? {}).flatMap(({ imports }) =>
    imports.filter(({ kind }) => kind === "dynamic-import").map(({ path }) => basename(path)),
  );
  const atOnce = new Set([entry, ...importedAtOnce(metafile, entry)]);
  const late = [...new Set(entries)].map((name) => [
    name,
    importedAtOnce(metafile, name).filter((each) => !atOnce.has(each)),
  ]);
  return Object.fromEntries(late);
}

/** All style sheets in one file, in the order of what they are built on. */
async function bundleStyles(sheets: readonly string[], fontFaces: string): Promise<MadeFile> {
  const bases = [/^kit\/tokens\.css$/, /^kit\/(base|type\.module)\.css$/];
  const order = [...bases, /^kit\//, /^(?!kit|shell|pages)/, /^shell\//, /^pages\//];
  const place = (file: string) => order.findIndex((kind) => kind.test(file));
  const sorted = sheets.toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
  const entry = join(WEB, "all-styles.ts");
  const { outputs } = await Bun.build({
    ...common,
    entrypoints: [entry],
    files: { [entry]: sorted.map((file) => `import "./${file}";`).join("\n") },
  });
  const sheet = outputs.find(({ path }) => path.endsWith(".css"));
  const bytes = new TextEncoder().encode(fontFaces + (sheet === undefined ? "" : await sheet.text()));
  return { name: hashed("styles", bytes, "css"), bytes };
}

/** The font files of the packages, and the rules that name them: the bundler would put them into the style sheet. */
async function collectFonts(): Promise<{ files: MadeFile[]; faces: string; preload: string[] }> {
  const files: MadeFile[] = [];
  const preload: string[] = [];
  let faces = "";
  for (const font of fonts) {
    const folder = join(ROOT, "node_modules", font.package);
    const rules = (await readFile(join(folder, font.style), "utf8")).matchAll(/@font-face\s*\{[^}]+\}/g);
    for (const [rule] of rules) {
      const file = /url\(\.?\/?files\/([\w-]+)\.woff2\)/.exec(rule)?.[1];
      const range = /unicode-range:\s*([^;}]+)/.exec(rule)?.[1];
      if (file === undefined || range === undefined) throw new Error(`No font file in: ${rule}`);
      const bytes = new Uint8Array(await readFile(join(folder, "files", `${file}.woff2`)));
      const name = hashed(file, bytes, "woff2");
      files.push({ name, bytes });
      if (/inter-latin-wght/.test(file)) preload.push(name);
      faces +=
        `@font-face{font-family:"${font.family}";font-style:normal;font-display:swap;font-weight:${font.weights};` +
        `src:url(./${name}) format("woff2-variations");unicode-range:${range.trim()}}\n`;
    }
  }
  return { files, faces, preload };
}

async function build(key: string, sources: readonly string[], sheets: readonly string[]): Promise<void> {
  const [scripts, letters] = await Promise.all([bundleScripts(sources), collectFonts()]);
  const styles = await bundleStyles(sheets, letters.faces);
  const made = [...scripts.files, styles, ...letters.files];
  const folder = join(CACHE, `${key}.${process.pid}`);
  await mkdir(join(folder, "assets"), { recursive: true });
  const files: WebManifest["files"] = {};
  for (const { name, bytes } of made) {
    const type = types[name.split(".").at(-1) ?? ""];
    if (type === undefined) throw new Error(`No media type for ${name}`);
    const place = join(folder, "assets", name);
    const encodings: ("gzip" | "zstd")[] = [];
    await writeFile(place, bytes);
    if (!name.endsWith(".woff2")) {
      await writeFile(`${place}.gz`, gzipSync(bytes, { level: 9 }));
      const level = { [constants.ZSTD_c_compressionLevel]: 19 };
      await writeFile(`${place}.zst`, zstdCompressSync(bytes, { params: level }));
      encodings.push("zstd", "gzip");
    }
    files[name] = { type, bytes: bytes.byteLength, encodings };
  }
  const manifest: WebManifest = {
    script: scripts.script,
    theme: scripts.theme,
    styles: styles.name,
    preload: { scripts: scripts.preload, fonts: letters.preload },
    late: scripts.late,
    files,
  };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  // Another process may have been faster; its result is the same.
  await rename(folder, join(CACHE, key)).catch(() => rm(folder, { recursive: true, force: true }));
  await forgetOldBuilds(key);
}

async function forgetOldBuilds(current: string): Promise<void> {
  const names = (await readdir(CACHE)).filter((name) => /^[0-9a-f]{20}$/.test(name) && name !== current);
  const used = await Promise.all(
    names.map(async (name) => ({ name, ms: (await stat(join(CACHE, name)).catch(() => null))?.mtimeMs ?? 0 })),
  );
  const old = used.sort((a, b) => b.ms - a.ms).slice(KEPT_BUILDS - 1);
  for (const { name } of old) await rm(join(CACHE, name), { recursive: true, force: true });
}

const sheets = await styleSheets();
const entries = [PAGES, THEME, ...sheets.map((sheet) => join(WEB, sheet))];
const sources = await importedFiles(
  ROOT,
  entries.map((path) => relative(ROOT, path)),
);
const key = await buildKey(ROOT, sources);
const result = join(CACHE, key);
if (!existsSync(join(result, "manifest.json"))) await build(key, sources, sheets);
else await utimes(result, new Date(), new Date());

const into = process.argv[2] === "--into" ? process.argv[3] : undefined;
if (into !== undefined) {
  await rm(into, { recursive: true, force: true });
  await cp(result, into, { recursive: true });
}
console.log(into === undefined ? result : resolve(into));
