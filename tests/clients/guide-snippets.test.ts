// The programs of the guides run as they stand there, page by page, on a service that has what `spanlight demo` sends. The model that they
// ask is a provider of ours. Those in Python need an interpreter with the packages that the pages name, named by TEST_PYTHON; without it
// they are a named skip.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type RecordingProvider, startRecordingProvider } from "../support/recording-provider.ts";
import { startScriptedModels } from "../support/scripted-models.ts";
import { runCommand } from "../support/server.ts";
import { forEachService } from "../support/services.ts";

const PAGES = [
  "../README",
  "evaluating",
  "data-frames",
  "annotations",
  "searching",
  "datasets",
  "experiments",
  "graphql",
  "prompts",
  "model-providers",
  "playground",
  "evaluators",
];
const python = process.env.TEST_PYTHON;
const GUIDE_ADDRESS = "http://127.0.0.1:6006";

/** The snippets of one language, as one program, without those that start the service. */
async function programOf(page: string, language: string): Promise<string> {
  const text = await Bun.file(new URL(`../../docs/${page}.md`, import.meta.url)).text();
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"));
  const programs = [...blocks].map(([, code = ""]) => code);
  return programs.filter((code) => !/^npm /m.test(code)).join("\n");
}

/** Runs on the server call a model of Ollama. */
const ollama = await startScriptedModels();
afterAll(() => ollama.close());

forEachService(
  "snippets of the guides",
  (service) => {
    // Beside this test, so that TypeScript finds the client.
    let directory = "";
    let model: RecordingProvider;
    const demo = (...words: string[]) => runCommand(["demo", "--url", service.running.url, ...words]);
    /** The names of what `demo` sends: those of experiments differ each time, and a guide adds some of its own. */
    const names = async (): Promise<readonly string[]> => {
      const kinds = ["projects?include_experiment_projects=true", "datasets", "prompts"];
      const lists = kinds.map(async (kind) => (await fetch(`${service.running.url}/v1/${kind}`)).text());
      return (await Promise.all(lists)).join().match(/"name":"(example-|Experiment-)[^"]*"/g) ?? [];
    };
    let sent: readonly string[] = [];
    beforeAll(async () => {
      model = await startRecordingProvider();
      directory = await mkdtemp(join(import.meta.dir, "guide-"));
      expect(await demo()).toMatchObject({ exitCode: 0 });
      sent = await names();
    });
    afterAll(async () => {
      await model.close();
      await rm(directory, { recursive: true });
    });

    async function run(program: string, ending: string, command: readonly string[]): Promise<void> {
      const file = join(directory, `program.${ending}`);
      await writeFile(file, program.replaceAll(GUIDE_ADDRESS, service.running.url));
      const child = Bun.spawn([...command, file], {
        cwd: directory,
        env: {
          ...process.env,
          PHOENIX_HOST: service.running.url,
          OPENAI_BASE_URL: `${model.address}/v1`,
          OPENAI_API_KEY: "any",
        },
        stdout: "pipe",
        stderr: "pipe",
      });
      const [said, complained] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      expect([await child.exited, said, complained]).toEqual([0, said, complained]);
    }

    for (const page of PAGES) {
      test(`${page}.md`, async () => {
        const shell = (await programOf(page, "sh")).replaceAll(/(^|\n)curl /g, "$1curl --fail-with-body -sS ");
        const typescript = await programOf(page, "ts");
        if (typescript !== "") await run(typescript, "ts", [process.execPath]);
        // The shell comes last: on the first page it reads what the programs have sent.
        if (shell !== "") await run(shell, "sh", ["bash", "-e"]);
      });
      test.skipIf(python === undefined)(`${page}.md, its Python`, async () => {
        const program = await programOf(page, "python");
        if (program !== "") await run(program, "py", [python!]);
      });
    }

    test("what the page of prompts asks the model has the values of its variables", () => {
      const asked = model.requests.map(({ body }) => JSON.stringify(body));
      expect(asked).toHaveLength(python === undefined ? 1 : 2);
      for (const body of asked) expect(body).toContain("Where is my order?");
    });

    test("what the page of the playground asks has the values of its variables, and goes through the proxy", () => {
      const asked = ollama.requests.map(({ body }) => JSON.stringify(body.messages));
      for (const text of ["Say hello to Ada.", "Sort this ticket: Where is my order?", "Say hello."]) {
        expect(asked.some((messages) => messages.includes(text))).toBe(true);
      }
    });

    test("the example goes again, with its dataset and prompt", async () => {
      expect(await demo("--remove")).toEqual({ exitCode: 0, output: "The example project is gone.\n" });
      const left = await names();
      expect(sent.length).toBeGreaterThan(3);
      expect(sent.filter((name) => left.includes(name))).toEqual([]);
      expect(await demo()).toMatchObject({ exitCode: 0 });
    });
  },
  { OLLAMA_BASE_URL: ollama.openAi },
);
