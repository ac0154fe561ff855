// A provider of models that keeps what it is asked and answers "Done." in the words of OpenAI or Anthropic; and programs that are run
// against it, from their code.
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface RecordingProvider {
  readonly address: string;
  /** Bodies by their order. */
  readonly requests: { readonly path: string; readonly body: Record<string, unknown> }[];
  /** What a function of the code, called with the values, sends. */
  run(code: string, name: string, values: object): Promise<Record<string, unknown>>;
  /** Runs the code, which sends to elsewhere. */
  load(code: string): Promise<Record<string, (values: object) => Promise<unknown>>>;
  close(): Promise<void>;
}

const openAiAnswer = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "any",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: '{"answer":"Done."}' } }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const anthropicAnswer = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "any",
  content: [{ type: "text", text: '{"answer":"Done."}' }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};

export async function startRecordingProvider(): Promise<RecordingProvider> {
  const requests: RecordingProvider["requests"] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      requests.push({ path: pathname, body: (await request.json()) as Record<string, unknown> });
      return Response.json(pathname.endsWith("/messages") ? anthropicAnswer : openAiAnswer);
    },
  });
  const folder = await mkdtemp(join(tmpdir(), "spanlight-code-"));
  await symlink(join(import.meta.dir, "../../node_modules"), join(folder, "node_modules"));
  // The libraries read them when the code makes its client. That of the Vercel AI SDK wants the version in the address of Anthropic too.
  const address = `http://127.0.0.1:${server.port}`;
  let count = 0;

  async function load(code: string) {
    count += 1;
    const file = join(folder, `program-${count}.ts`);
    await writeFile(file, code);
    const anthropic = code.includes("@ai-sdk/anthropic") ? `${address}/v1` : address;
    const set: Record<string, string> = { OPENAI_BASE_URL: `${address}/v1`, ANTHROPIC_BASE_URL: anthropic };
    for (const name of ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"]) set[name] = "sk-of-the-tests";
    const before = Object.keys(set).map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, set);
    const loaded = (await import(file)) as Record<string, (values: object) => Promise<unknown>>;
    return { loaded, restore: () => restoreEnvironment(before) };
  }

  return {
    address,
    requests,
    async load(code) {
      const { loaded, restore } = await load(code);
      restore();
      return loaded;
    },
    async run(code, name, values) {
      const { loaded, restore } = await load(code);
      const from = requests.length;
      try {
        await loaded[name]!(values);
      } finally {
        restore();
      }
      const sent = requests.slice(from);
      if (sent.length !== 1) throw new Error(`${sent.length} requests came`);
      return sent[0]!.body;
    },
    async close() {
      await server.stop(true);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function restoreEnvironment(before: readonly (readonly [string, string | undefined])[]): void {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
