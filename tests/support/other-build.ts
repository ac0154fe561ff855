// The program once more, with another build of its pages: a copy of the source with one text changed, as after an upgrade.
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../..");
const COPIED = ["src", "scripts", "migrations", "package.json", "tsconfig.json", "bun.lock", "bunfig.toml"];

export interface OtherBuild {
  /** For `ServiceOptions.root`. */
  readonly root: string;
  remove(): Promise<void>;
}

/** Replaces `before` by `after` in one file of the copy. */
export async function otherBuild(path: string, before: string, after: string): Promise<OtherBuild> {
  const root = await mkdtemp(join(tmpdir(), "spanlight-other-"));
  for (const name of COPIED) await cp(join(ROOT, name), join(root, name), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(root, "node_modules"));
  const text = await readFile(join(root, path), "utf8");
  if (!text.includes(before)) throw new Error(`${path} does not hold ${before}`);
  await writeFile(join(root, path), text.replace(before, after));
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}
