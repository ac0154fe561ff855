// The TypeScript program of docs/experiments.md is run as it stands there, against the real service.
import { expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { forEachService } from "../support/services.ts";

const guide = await Bun.file(new URL("../../docs/experiments.md", import.meta.url)).text();

interface Row {
  readonly input: { readonly country: string };
  readonly output: string;
  readonly annotations: readonly { readonly name: string; readonly score: number }[];
}

forEachService("the guide to experiments", (service) => {
  test("its program stores six runs with their scores, where it says", async () => {
    const program = /```ts\n([\s\S]*?)\n```/.exec(guide)![1]!;
    // Beside this test, so that it finds the client.
    const directory = await mkdtemp(join(import.meta.dir, "guide-"));
    try {
      const file = join(directory, "first-experiment.ts");
      await writeFile(file, program);
      const run = Bun.spawn([process.execPath, file], {
        env: { ...process.env, SERVICE_ADDRESS: service.running.url },
        stdout: "pipe",
        stderr: "pipe",
      });
      const [said, complained] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
      expect([await run.exited, complained]).toEqual([0, complained]);
      const address = said.trim().split("\n").at(-1)!;
      const rows = (await (await fetch(address)).json()) as Row[];
      const told = rows.map(({ input, output, annotations }) => [
        input.country,
        output,
        ...annotations.map(({ name, score }) => `${name} ${score}`),
      ]);
      expect(told).toEqual([
        ...Array.from({ length: 3 }, () => ["France", "Paris", "correct 1"]),
        ...Array.from({ length: 3 }, () => ["Japan", "Kyoto", "correct 0"]),
      ]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
