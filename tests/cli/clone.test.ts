// The commands as the first page gives them to people with a clone: without a binary, and without Bun on the path.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { freePort } from "../support/ports.ts";

test("npx runs the commands in a clone, with their options", async () => {
  const page = await Bun.file(new URL("../../README.md", import.meta.url)).text();
  expect(page).toContain("npx spanlight demo");
  const address = `http://127.0.0.1:${await freePort()}`;
  const child = Bun.spawn(["npx", "--no", "spanlight", "demo", "--url", address, "--remove"], {
    cwd: join(import.meta.dir, "../.."),
    stdout: "pipe",
    stderr: "pipe",
  });
  const complained = await new Response(child.stderr).text();
  expect([await child.exited, complained]).toEqual([1, expect.stringContaining(`No service answers at ${address}`)]);
});
