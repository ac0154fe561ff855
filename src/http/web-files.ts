// Where the built pages lie, and what is in them. The binary carries them; from source they are built by a process of its own
// when a page is opened for the first time, or after a change of the source.
import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fail } from "../kernel/failure.ts";

/** What the build says about its result. Names are those of files below `assets/`. */
export interface WebManifest {
  readonly script: string;
  /** Sets the theme before the first paint. */
  readonly theme: string;
  readonly styles: string;
  /** What the page needs at once, beside the three above. */
  readonly preload: { readonly scripts: readonly string[]; readonly fonts: readonly string[] };
  /** Scripts that pages ask for later, each with those that come along. */
  readonly late: Readonly<Record<string, readonly string[]>>;
  files: Record<string, WebFile>;
}

interface WebFile {
  readonly type: string;
  /** Uncompressed. */
  readonly bytes: number;
  /** Compressed forms that lie beside it, the smallest first. */
  readonly encodings: readonly ("gzip" | "zstd")[];
}

export interface WebBuild {
  readonly manifest: WebManifest;
  /** Another one for every other set of files. */
  readonly id: string;
  /** The path of an asset of the manifest, as it is or compressed. */
  pathOf(name: string, encoding: "gzip" | "zstd" | null): string;
}

export interface WebFiles {
  /** The newest build; throws kind `internal` when the source does not build. */
  current(): Promise<WebBuild>;
  /** Nothing is built for it: a file that no page has named yet does not exist. */
  lastRead(): WebBuild | null;
}

const SUFFIX = { gzip: ".gz", zstd: ".zst" } as const;

async function readBuild(folder: string): Promise<WebBuild> {
  const written = await Bun.file(join(folder, "manifest.json")).text();
  return {
    manifest: JSON.parse(written) as WebManifest,
    id: Bun.hash(written).toString(36),
    pathOf: (name, encoding) => join(folder, "assets", encoding === null ? name : name + SUFFIX[encoding]),
  };
}

/** Files of this program: embedded ones in the binary, built ones from source. */
export function openWebFiles(): WebFiles {
  return Bun.isStandaloneExecutable ? embeddedFiles(join(import.meta.dir, "web")) : builtFiles();
}

function embeddedFiles(folder: string): WebFiles {
  let reading: Promise<WebBuild> | null = null;
  let read: WebBuild | null = null;
  const current = () => {
    reading ??= readBuild(folder).then((build) => {
      read = build;
      return build;
    });
    return reading;
  };
  return { current, lastRead: () => read };
}

function builtFiles(): WebFiles {
  let state = "";
  let building: Promise<WebBuild> | null = null;
  let last: WebBuild | null = null;
  const build = async () => {
    const script = fileURLToPath(new URL("../../scripts/build-web.ts", import.meta.url));
    const child = Bun.spawn([process.execPath, script], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    const [output, errors, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (exitCode !== 0) throw fail("web.build_failed", "internal", `The pages could not be built: ${errors}`);
    last = await readBuild(output.trim());
    return last;
  };
  return {
    async current() {
      const now = stateOfSource();
      if (building === null || now !== state) {
        state = now;
        building = build().catch((error: unknown) => {
          building = null;
          throw error;
        });
      }
      return building;
    },
    lastRead: () => last,
  };
}

/** Changes whenever a file that may be part of the pages is written, added or removed. They share files with the server, and the
 *  build script decides which: all of the source is watched, and a change that does not concern the pages builds nothing. */
function stateOfSource(): string {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const stamps: string[] = [];
  for (const path of new Bun.Glob("**/*").scanSync({ cwd: folder })) {
    // Undefined for a file that goes away meanwhile.
    const found = statSync(join(folder, path), { throwIfNoEntry: false });
    stamps.push(`${path} ${found?.mtimeMs} ${found?.size}`);
  }
  return String(Bun.hash(stamps.sort().join("\n")));
}
