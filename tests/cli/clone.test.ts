// The commands as the first page gives them to people with a clone: without a binary, and without Bun on the path.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { version } from "../../package.json";

test("npx runs the commands in a clone", async () => {
  const page = await Bun.file(new URL("../../README.md", import.meta.url)).text();
  expect(page).toContain("npx spanlight demo");
  const child = Bun.spawn(["npx", "--no", "spanlight", "--version"], {
    cwd: join(import.meta.dir, "../.."),
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = await new Response(child.stdout).text();
  expect([await child.exited, said.trim()]).toEqual([0, expect.stringContaining(version)]);
});
