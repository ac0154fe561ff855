// Every protocol from a compiled program with the flags of the release build, which must include lazily loaded libraries.
import { expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startScriptedModels } from "../support/scripted-models.ts";

const ROOT = resolve(import.meta.dir, "../..");

test("a compiled program calls every protocol", async () => {
  const folder = await mkdtemp(join(tmpdir(), "spanlight-calls-"));
  const models = await startScriptedModels();
  try {
    const support = join(ROOT, "tests/support");
    await writeFile(
      join(folder, "program.ts"),
      `import { modelCall } from "${support}/model-calls.ts";
       import { providerCalls } from "${support}/provider-calls.ts";
       import { wireEndpoint, wireNames, wireParameters } from "${support}/wire-endpoints.ts";
       const [, , address] = process.argv;
       const calls = providerCalls();
       for (const wire of wireNames) {
         const endpoint = wireEndpoint({ address, openAi: address + "/v1" } as never, wire);
         const { short } = await calls.run(modelCall(endpoint, { parameters: wireParameters[wire] }));
         console.log(wire, short.join("|"));
       }
       process.exit(0);`,
    );
    const flags = ["--compile", "--production", "--splitting", "--bytecode", "--format=esm", "--sourcemap"];
    const guards = ["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"];
    const program = join(folder, "program");
    await Bun.$`${process.execPath} build ${flags} ${guards} ${join(folder, "program.ts")} --outfile ${program}`
      .cwd(ROOT)
      .quiet();
    const output = await Bun.$`${program} ${models.address}`.cwd(folder).text();
    expect(output.trim().split("\n")).toEqual(
      ["openai_chat", "openai_responses", "anthropic", "google", "bedrock"].map(
        (wire) => `${wire} Hello |world|finish`,
      ),
    );
  } finally {
    await models.close();
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);
