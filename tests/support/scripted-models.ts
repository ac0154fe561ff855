// A local model provider that implements every protocol. The model name decides how it behaves:
// - `text`: "Hello ", "world"; `finaltext`: " tail" in the chunk with the finish reason; `empty`: no text; `unicode`; `length`: finish reason length;
// - `echo`: the last message; `keyecho`: the key of the request, in pieces; `tool`: a call of every tool in the request;
// - `e<status>`: that status with the key in the message; `e429-after-<seconds>`: with `retry-after`; `flaky-<count>`: status 500 that
//   many times, then text;
// - `sseerr`: "partial", then an error event; `failed`: text, then `response.failed`; `badjson`: an event with invalid JSON;
// - `think`: Anthropic's alone: thinks and calls every tool; with a result of a tool, text. As Anthropic does, it refuses calls of tools in the
//   history whose message does not begin with what was thought;
// - `calls-<JSON>`: the tool calls of a list `[{"name": …, "arguments": <JSON text>}]`;
// - `cut`: "partial", then the connection is closed; `slow`: "first ", then nothing; `silent`: no byte at all;
//   `slow-first-byte-<ms>`: text after that time; `open`: text, and the connection stays open;
// - `html`: an HTML page; `plain`: JSON although a stream was requested; `huge-<bytes>`: a stream of that size;
//   `redirect-<status>-<address>`: a redirect; the address `metadata` is that of a cloud's metadata service.
// - `test-credential-check`: unknown, as AWS and Anthropic report it.
// The models can be listed; the key `bad-key-of-the-tests` is refused there, and by an unknown model.
// `odd-<bytes>-<model>` sends the stream in chunks of that many bytes.
import { afterEach } from "bun:test";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  failedResponse,
  type ScriptedAnswer,
  type ScriptedWire,
  SIGNATURE,
  scriptedAnthropic,
  scriptedBedrock,
  scriptedChat,
  scriptedGoogle,
  scriptedResponses,
} from "./scripted-answers.ts";
import { openForSuite } from "./suite.ts";

export interface ScriptedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Parsed; empty if it is not JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ScriptedModels {
  /** Without a trailing slash. */
  readonly address: string;
  readonly port: number;
  /** Base URL of the OpenAI protocols. */
  readonly openAi: string;
  readonly requests: ScriptedRequest[];
  /** Requests whose client closed the connection before the end of the response. */
  readonly abandoned: ScriptedRequest[];
  /** Highest number of concurrent requests. */
  mostAtOnce: number;
  close(): Promise<void>;
}

interface Asked {
  readonly request: ScriptedRequest;
  readonly wire: ScriptedWire;
  readonly model: string;
  readonly isStream: boolean;
  readonly key: string;
}

/** One for all tests of the enclosing suite, which has no requests at the start of each. */
export function scriptedModelsOfSuite(): ScriptedModels {
  const models = openForSuite(startScriptedModels);
  afterEach(() => {
    models.requests.length = 0;
    models.abandoned.length = 0;
  });
  return models;
}

export async function startScriptedModels(): Promise<ScriptedModels> {
  const failures = new Map<string, number>();
  let running = 0;
  const server = createServer((incoming, outgoing) => {
    outgoing.on("error", () => {});
    running++;
    models.mostAtOnce = Math.max(models.mostAtOnce, running);
    outgoing.once("close", () => running--);
    void answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await requestOf(incoming);
    models.requests.push(request);
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) models.abandoned.push(request);
    });
    if (incoming.method === "GET") return listModels(request, outgoing);
    const asked = askedOf(request);
    if (asked === null) return end(outgoing, 404, "application/json", '{"error":{"message":"no such path"}}');
    await play(asked, outgoing, failures);
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  const models: ScriptedModels = {
    address,
    port,
    openAi: `${address}/v1`,
    requests: [],
    abandoned: [],
    mostAtOnce: 0,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return models;
}

async function requestOf(incoming: IncomingMessage): Promise<ScriptedRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString();
  let body: ScriptedRequest["body"] = {};
  try {
    body = JSON.parse(text) as ScriptedRequest["body"];
  } catch {
    // Not JSON.
  }
  return { path: incoming.url ?? "", headers: incoming.headers as Record<string, string>, text, body };
}

/** The protocol follows from the path, the model from the body or the path. */
function askedOf(request: ScriptedRequest): Asked | null {
  const { path, body, headers } = request;
  const key = keyIn(headers);
  const shared = { request, key, model: String(body.model ?? ""), isStream: body.stream === true };
  if (path.endsWith("/chat/completions")) return { ...shared, wire: scriptedChat };
  if (path.endsWith("/responses")) return { ...shared, wire: scriptedResponses };
  if (path.endsWith("/v1/messages")) return { ...shared, wire: scriptedAnthropic };
  const google = /\/v1beta\/models\/([^:]+):(streamG|g)enerateContent/.exec(path);
  if (google !== null) {
    return {
      ...shared,
      wire: scriptedGoogle,
      model: decodeURIComponent(google[1]!),
      isStream: google[2] === "streamG",
    };
  }
  const bedrock = /\/model\/([^/]+)\/converse(-stream)?$/.exec(path);
  if (bedrock === null) return null;
  return {
    ...shared,
    wire: scriptedBedrock,
    model: decodeURIComponent(bedrock[1]!),
    isStream: bedrock[2] !== undefined,
  };
}

export const BAD_KEY = "bad-key-of-the-tests";

function listModels({ path, headers }: ScriptedRequest, outgoing: ServerResponse): void {
  if (keyIn(headers).includes(BAD_KEY)) {
    end(outgoing, 401, "application/json", `{"error":{"message":"bad key ${BAD_KEY}"}}`);
    return;
  }
  const names = ["text", "tool", "text"];
  const isGoogle = path.includes("/v1beta/");
  const body = isGoogle
    ? { models: names.map((name) => ({ name: `models/${name}`, version: "001" })) }
    : { object: "list", data: names.map((id) => ({ id, object: "model" })), has_more: false };
  end(outgoing, 200, "application/json", JSON.stringify(body));
}

function keyIn(headers: ScriptedRequest["headers"]): string {
  return String(headers.authorization ?? headers["x-api-key"] ?? headers["x-goog-api-key"] ?? "");
}

async function play(asked: Asked, outgoing: ServerResponse, failures: Map<string, number>): Promise<void> {
  const { wire, isStream, key } = asked;
  const odd = /^odd-(\d+)-(.+)$/.exec(asked.model);
  const model = odd?.[2] ?? asked.model;
  const refused = /^e(\d{3})(?:-after-([\d.]+))?$/.exec(model);
  if (refused !== null) {
    const [, status, after] = refused;
    if (after !== undefined) outgoing.setHeader("retry-after", after);
    return end(
      outgoing,
      Number(status),
      "application/json",
      wire.refusal(Number(status), `fake error ${status} key=${key}`),
    );
  }
  const flaky = /^flaky-(\d+)$/.exec(model);
  if (flaky !== null) {
    const failed = failures.get(model) ?? 0;
    failures.set(model, failed + 1);
    if (failed < Number(flaky[1])) return end(outgoing, 500, "application/json", wire.refusal(500, "fake error 500"));
  }
  const redirect = /^redirect-(\d{3})-(.+)$/.exec(model);
  if (redirect !== null) {
    outgoing.setHeader("location", redirect[2] === "metadata" ? "http://169.254.169.254/latest/" : redirect[2]!);
    return end(outgoing, Number(redirect[1]), "text/plain", "elsewhere");
  }
  const huge = /^huge-(\d+)$/.exec(model);
  if (huge !== null) return sendHuge(Number(huge[1]), wire, outgoing);
  if (model === "test-credential-check") {
    if (key.includes(BAD_KEY)) return end(outgoing, 401, "application/json", wire.refusal(401, `bad key ${BAD_KEY}`));
    if (wire !== scriptedBedrock) return end(outgoing, 404, "application/json", wire.refusal(404, "no such model"));
    outgoing.setHeader("x-amzn-errortype", "ValidationException:http://internal.amazon.com/");
    return end(outgoing, 400, "application/json", wire.refusal(400, "The provided model identifier is invalid."));
  }
  if (model === "think" && hasForgotten(asked.request)) {
    return end(outgoing, 400, "application/json", wire.refusal(400, "Expected `thinking` or `redacted_thinking`"));
  }
  if (model === "html") return end(outgoing, 200, "text/html", "<html><body>Welcome</body></html>");
  if (model === "silent") return;
  const wait = /^slow-first-byte-(\d+)$/.exec(model);
  if (wait !== null) await Bun.sleep(Number(wait[1]));
  const said = scriptOf(model, asked);
  if (!isStream || model === "plain") return end(outgoing, 200, "application/json", wire.whole(said, model));
  outgoing.writeHead(200, { "content-type": wire.streamType });
  await send(streamOf(model, said, wire), Number(odd?.[1] ?? 0), outgoing);
  if (model === "cut") outgoing.destroy();
  else if (model !== "slow" && model !== "open") outgoing.end();
}

function end(outgoing: ServerResponse, status: number, contentType: string, text: string): void {
  outgoing.writeHead(status, { "content-type": contentType });
  outgoing.end(text);
}

function scriptOf(model: string, { request, key }: Asked): ScriptedAnswer {
  const plain: ScriptedAnswer = { texts: ["Hello ", "world"], calls: [], finish: "stop" };
  const scripted = /^calls-(.+)$/s.exec(model);
  if (scripted !== null) return { ...plain, texts: [], calls: JSON.parse(scripted[1]!) as ScriptedAnswer["calls"] };
  switch (model) {
    case "unicode":
      return { ...plain, texts: ["Grüße ", "😀 世界"] };
    case "finaltext":
      return { ...plain, lastText: " tail" };
    case "empty":
      return { ...plain, texts: [] };
    case "length":
      return { ...plain, finish: "length" };
    case "echo":
      return { ...plain, texts: [lastMessage(request)] };
    case "keyecho":
      return { ...plain, texts: ["your key is ", ...(key.match(/.{1,5}/g) ?? []), " of course"] };
    case "tool":
      return { ...plain, texts: [], calls: callsOf(request) };
    case "think":
      return request.text.includes('"tool_result"')
        ? plain
        : { ...plain, texts: [], calls: callsOf(request), thinking: "Which city is it?" };
    case "cut":
    case "sseerr":
      return { ...plain, texts: ["partial", "never"] };
    case "slow":
      return { ...plain, texts: ["first ", "never"] };
    default:
      return plain;
  }
}

/** The stream, changed as the model name says. */
function streamOf(model: string, said: ScriptedAnswer, wire: ScriptedWire): Uint8Array[] {
  const stream = wire.stream(said, model);
  const before = stream.findIndex((piece) => new TextDecoder().decode(piece).includes(said.texts[0] ?? "no text"));
  switch (model) {
    case "cut":
    case "slow":
      return stream.slice(0, before + 1);
    case "sseerr":
      return [...stream.slice(0, before + 1), wire.error("mid stream boom"), ...stream.slice(before + 1)];
    case "badjson":
      return [wire.unreadable()];
    case "failed":
      return failedResponse(said, model, "resp boom", "server_error");
    default:
      return stream;
  }
}

/** In chunks of `pieceBytes`, or event by event; each is written before the next. */
async function send(events: readonly Uint8Array[], pieceBytes: number, outgoing: ServerResponse): Promise<void> {
  const all = Buffer.concat(events);
  const pieces =
    pieceBytes === 0
      ? events
      : Array.from({ length: Math.ceil(all.length / pieceBytes) }, (_, position) =>
          all.subarray(position * pieceBytes, (position + 1) * pieceBytes),
        );
  for (const piece of pieces) {
    if (outgoing.destroyed) return;
    await new Promise<void>((sent) => outgoing.write(piece, () => sent()));
  }
}

async function sendHuge(bytes: number, wire: ScriptedWire, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(200, { "content-type": wire.streamType });
  const stream = wire.stream({ texts: ["x".repeat(8192)], calls: [], finish: "stop" }, "huge");
  const piece = stream.find((event) => event.length > 8192)!;
  const closed = new Promise<void>((resolve) => outgoing.once("close", resolve));
  for (let sent = 0; sent < bytes && !outgoing.destroyed; sent += piece.length) {
    const drained = new Promise<void>((resolve) => outgoing.write(piece, () => resolve()));
    await Promise.race([drained, closed]);
  }
  outgoing.end();
}

/** Whether a message of the history calls tools, and does not begin with what was thought, signed as it was. */
function hasForgotten({ body }: ScriptedRequest): boolean {
  const messages = (body.messages ?? []) as { readonly role: string; readonly content: unknown }[];
  return messages.some(({ role, content }) => {
    if (role !== "assistant" || !Array.isArray(content)) return false;
    const [first] = content as { readonly type: string; readonly signature?: string }[];
    return first?.type !== "thinking" || first.signature !== SIGNATURE;
  });
}

/** Of the OpenAI protocols only. */
function lastMessage({ body }: ScriptedRequest): string {
  const messages = (body.messages ?? body.input ?? []) as { readonly content?: unknown }[];
  return String(messages.at(-1)?.content ?? "");
}

interface SentTool {
  readonly name?: string;
  readonly function?: { readonly name: string; readonly parameters?: unknown };
  readonly functionDeclarations?: readonly { readonly name: string }[];
  readonly toolSpec?: { readonly name: string };
}

/** One call a tool. Arguments: the first value of an enum, else "because " and the start of the last message. */
function callsOf(request: ScriptedRequest): ScriptedAnswer["calls"] {
  const { tools, toolConfig } = request.body as { tools?: SentTool[]; toolConfig?: { tools?: SentTool[] } };
  return (tools ?? toolConfig?.tools ?? []).flatMap((tool) => {
    const names = tool.functionDeclarations?.map(({ name }) => name) ?? [
      tool.name ?? tool.function?.name ?? tool.toolSpec?.name ?? "unnamed",
    ];
    return names.map((name) => ({ name, arguments: argumentsFor(tool, request) }));
  });
}

/** With spaces after colons, as models write JSON. */
function argumentsFor(tool: SentTool, request: ScriptedRequest): string {
  const label = /"enum":\["([^"]+)"/.exec(JSON.stringify(tool))?.[1];
  const because = JSON.stringify(`because ${lastMessage(request).slice(0, 20)}`);
  return label === undefined
    ? `{"city": ${because}}`
    : `{"label": ${JSON.stringify(label)}, "explanation": ${because}}`;
}
