// Whoever follows the OpenAPI document gets somewhere: on a server with the example of `spanlight demo`, every operation with the
// examples of its parameters and body, or with what a link gave, is answered as declared, and with something else than 404.
import { afterAll, expect, test } from "bun:test";
import { startScriptedModels } from "../support/scripted-models.ts";
import { runCommand } from "../support/server.ts";
import { forEachService } from "../support/services.ts";

/** Examples that call a model name one of Ollama. */
const models = await startScriptedModels();
afterAll(() => models.close());
const variables = { OLLAMA_BASE_URL: models.openAi };

interface Shown {
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Shown>> };
  readonly responses: Readonly<Record<string, Answer>>;
}
interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly type?: unknown } }>>;
  readonly links?: Readonly<Record<string, { readonly parameters: Readonly<Record<string, string>> }>>;
}
interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** What holds the others goes last. */
const HOLDERS = new Set(["/v1/projects/{project_identifier}", "/v1/datasets/{id}"]);

/** What makes comes first; what deletes last, and what belongs to something before that. */
function rankOf({ method, path }: Call): number {
  const order = ["POST", "PUT", "GET", "PATCH", "DELETE"].indexOf(method) * 1000;
  if (method === "DELETE") return order - path.split("/").length + (HOLDERS.has(path) ? 100 : 0);
  return path.endsWith("/delete") ? 3999 : order;
}

function bodyOf(media: string, example: unknown): BodyInit {
  if (media !== "multipart/form-data") return JSON.stringify(example);
  const form = new FormData();
  for (const [name, value] of Object.entries(example as Record<string, string | string[]>)) {
    if (name === "file") form.append(name, new Blob([value as string], { type: "text/csv" }), "rows.csv");
    else for (const each of [value].flat()) form.append(name, each);
  }
  return form;
}

interface Answered {
  readonly status: number;
  readonly ok: boolean;
  readonly type: string | undefined;
  readonly text: string;
  /** For a message. */
  readonly told: string;
}

async function callsOf(url: string): Promise<Call[]> {
  const document = await (await fetch(`${url}/openapi.json`)).json();
  return Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** One request for each kind of body with an example. `linked`: what is sent instead of the example of a parameter. */
async function follow(url: string, { method, path, operation }: Call, linked: (name: string) => unknown) {
  const query = new URLSearchParams();
  let target = path;
  for (const { name, in: place, example } of operation.parameters ?? []) {
    const value = linked(name) ?? example;
    if (place === "path") target = target.replace(`{${name}}`, encodeURIComponent(String(value)));
    else for (const each of [value ?? []].flat()) query.append(name, String(each));
  }
  const contents = Object.entries(operation.requestBody?.content ?? { "": {} });
  const answers: Answered[] = [];
  for (const [media, { example }] of contents.filter(([type, shown]) => type === "" || shown.example !== undefined)) {
    const headers = media === "" || media.startsWith("multipart/") ? {} : { "content-type": media };
    const body = media === "" ? {} : { body: bodyOf(media, example) };
    const answer = await fetch(`${url}${target}?${query}`, { method, headers, ...body });
    const { status, ok } = answer;
    const text = await answer.text();
    const told = `${operation.operationId} ${target} ${media}: ${status} ${ok ? "" : text.slice(0, 200)}`;
    answers.push({ status, ok, type: answer.headers.get("content-type")?.split(";")[0], text, told });
  }
  return answers;
}

forEachService(
  "the OpenAPI document",
  (service) => {
    test("leads beyond 404 everywhere, to answers that it declares", async () => {
      const { url } = service.running;
      expect(await runCommand(["demo", "--url", url])).toMatchObject({ exitCode: 0 });
      const calls = await callsOf(url);
      expect(calls.length).toBeGreaterThan(90);
      const linked = new Map<string, unknown>();
      const problems: string[] = [];
      for (const call of calls.toSorted((a, b) => rankOf(a) - rankOf(b))) {
        const { operation } = call;
        const answers = await follow(url, call, (name) => linked.get(`${operation.operationId} ${name}`));
        for (const { status, ok, type, text, told } of answers) {
          const declared = operation.responses[status];
          if (status === 404 || status >= 500 || declared === undefined) problems.push(told);
          if (text !== "" && declared !== undefined) {
            const content = declared.content?.[type!];
            if (content === undefined) problems.push(`${told} has ${type}`);
            if (type === "application/json" && content?.schema?.type === "string") problems.push(`${told} is no text`);
          }
          for (const [name, { parameters }] of Object.entries(ok ? (declared?.links ?? {}) : {})) {
            for (const [parameter, place] of Object.entries(parameters)) {
              const steps = place.replace("$response.body#/", "").split("/");
              linked.set(
                `${name} ${parameter}`,
                steps.reduce((value, step) => value[step], JSON.parse(text)),
              );
            }
          }
        }
        if (operation.requestBody !== undefined && answers.length === 0)
          problems.push(`${operation.operationId} shows no example of its body`);
      }
      expect(problems).toEqual([]);
    });
  },
  variables,
);

/** Of accounts: refused while authentication is off. */
const ACCOUNTS = /^\/v1\/(users?|system)\b/;
/** Exports only what is a conversation. */
const CONVERSATIONS = "/v1/datasets/{id}/jsonl/openai_ft";
/** Of runs that the server makes; the experiments of the example come from outside. */
const DATASET_RUNS = /^\/v1\/playground\/dataset_runs\/\{experiment_id\}/;

forEachService(
  "the examples of the OpenAPI document",
  (service) => {
    test("are followed in any order: what is deleted is not what others read", async () => {
      const { url } = service.running;
      expect(await runCommand(["demo", "--url", url])).toMatchObject({ exitCode: 0 });
      const calls = await callsOf(url);
      const deletes = ({ method, path }: Call) => method === "DELETE" || path.endsWith("/delete");
      const rank = (call: Call) => (deletes(call) ? 2 : ["POST", "PUT", "GET"].indexOf(call.method) * 3);
      const problems: string[] = [];
      let followed = 0;
      for (const call of calls.filter(({ method }) => method !== "PATCH").toSorted((a, b) => rank(a) - rank(b))) {
        for (const { ok, told } of await follow(url, call, () => undefined)) {
          if (deletes(call) || ACCOUNTS.test(call.path) || DATASET_RUNS.test(call.path)) continue;
          if (call.path === CONVERSATIONS) continue;
          followed += 1;
          if (!ok) problems.push(told);
        }
      }
      expect(followed).toBeGreaterThan(75);
      expect(problems).toEqual([]);
    });
  },
  variables,
);
