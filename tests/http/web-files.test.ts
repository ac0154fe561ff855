// The pages as they are built from source: whatever ends up in the bundle makes a new build when it changes. Built in a copy of
// the repository, because its files are changed.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { WebBuild, WebFiles } from "../../src/http/web-files.ts";

const ROOT = resolve(import.meta.dir, "../..");
const COPIED = ["src", "scripts", "package.json", "bun.lock", "tsconfig.json"];

let copy: string;
/** Of the copy: its paths are relative to its own files, as those of a running server are. */
let files: WebFiles;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "spanlight-web-"));
  for (const name of COPIED) await cp(join(ROOT, name), join(copy, name), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  await mkdir(join(copy, ".cache/web"), { recursive: true });
  const { openWebFiles } = (await import(
    join(copy, "src/http/web-files.ts")
  )) as typeof import("../../src/http/web-files.ts");
  files = openWebFiles();
});
afterAll(() => rm(copy, { recursive: true, force: true }));

async function build(): Promise<string> {
  const child = Bun.spawn([process.execPath, join(copy, "scripts/build-web.ts")], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const folder = (await new Response(child.stdout).text()).trim();
  expect(await child.exited).toBe(0);
  return folder;
}

async function append(path: string, text: string): Promise<void> {
  await writeFile(join(copy, path), (await readFile(join(copy, path), "utf8")) + text);
}

/** Text that no bundler may drop, and no other file has. */
const visible = (mark: string) => `\n(globalThis as { mark?: string }).mark = "${mark}";\n`;

async function holds({ manifest, pathOf }: WebBuild, mark: string): Promise<boolean> {
  for (const name of Object.keys(manifest.files))
    if (name.endsWith(".js") && (await Bun.file(pathOf(name, null)).text()).includes(mark)) return true;
  return false;
}

describe("the pages built from source", () => {
  test("are built once as long as nothing changes", async () => {
    const first = await build();
    expect(await build()).toBe(first);
    expect(await files.current()).toBe(await files.current());
  });

  test.each([
    ["a page", "src/web/pages/projects/ProjectsPage.tsx"],
    ["the parser of conditions, which the server has too", "src/filter/parser.ts"],
    ["rules that a module shares", "src/modules/accounts/secrets/secret-change.rules.ts"],
    ["the kernel, behind what is shared", "src/kernel/ids.ts"],
    ["the script that runs before the first paint", "src/web/lib/theme.ts"],
  ])("show a change of %s: in the next build, and on a server that runs", async (_, path) => {
    const mark = `changed ${path}`;
    const before = await build();
    expect(await holds(await files.current(), mark)).toBe(false);
    await append(path, visible(mark));
    expect(await build()).not.toBe(before);
    expect(await holds(await files.current(), mark)).toBe(true);
  });

  test("show a style sheet that was added", async () => {
    await files.current();
    await writeFile(join(copy, "src/web/kit/Added.module.css"), ".added-to-the-pages { order: 7411; }\n");
    const { manifest, pathOf } = await files.current();
    expect(await Bun.file(pathOf(manifest.styles, null)).text()).toContain("7411");
  });

  test("are not built again for a file of the server alone", async () => {
    const before = await build();
    await append("src/http/server.ts", "\n// Changed.\n");
    expect(await build()).toBe(before);
  });
});
