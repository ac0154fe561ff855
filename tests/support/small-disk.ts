// A file system of a few megabytes that a test can fill up, empty and make read-only. It takes root on Linux; elsewhere its tests
// are a named skip, and a failure under `CI=true`.
import { describe } from "bun:test";
import { mkdtemp, open, rm, rmdir, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  /** Where it is mounted. */
  readonly path: string;
  /** Takes all of its space but about `bytes`, with a file of its own. */
  leave(bytes: number): Promise<void>;
  /** Gives back what `leave` took. */
  free(): Promise<void>;
  makeReadOnly(): void;
  unmount(): Promise<void>;
}

/** Registers `suite` where such a file system can be had. */
export function describeWithSmallDisks(name: string, suite: () => void): void {
  const reason = process.platform === "linux" && process.getuid?.() === 0 && canMount() ? null : "mounting takes root";
  if (reason === null || process.env.CI) describe(name, suite);
  else describe.skip(`${name} (left out: ${reason})`, suite);
}

/** Containers have root without the right to mount. */
function canMount(): boolean {
  return Bun.spawnSync(["unshare", "--mount", "true"], { stdout: "ignore", stderr: "ignore" }).success;
}

export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const path = await mkdtemp(join(tmpdir(), "spanlight-disk-"));
  mount(["-t", "tmpfs", "-o", `size=${megabytes}m`, "spanlight-test", path]);
  const filler = join(path, "filler");
  return {
    path,
    async leave(bytes) {
      await rm(filler, { force: true });
      const { bavail, bsize } = await statfs(path);
      const file = await open(filler, "w");
      const megabyte = new Uint8Array(1024 * 1024);
      try {
        for (let left = bavail * bsize - bytes; left > 0; left -= megabyte.length) {
          await file.write(megabyte, 0, Math.min(left, megabyte.length));
        }
      } catch (error) {
        // Others write to it too, and it is full earlier.
        if ((error as { code?: string }).code !== "ENOSPC") throw error;
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
    makeReadOnly: () => mount(["-o", "remount,ro", path]),
    async unmount() {
      run(["umount", path]);
      await rmdir(path);
    },
  };
}

function mount(args: readonly string[]): void {
  run(["mount", ...args]);
}

function run(command: string[]): void {
  const { success, stderr } = Bun.spawnSync(command);
  if (!success) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
}
