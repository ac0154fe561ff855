// Whoever follows the OpenAPI document gets somewhere: on a server with the example of `spanlight demo`, every operation with the
// examples of its parameters and body, or with what a link gave, is answered as declared, and with something else than 404.
import { expect, test } from "bun:test";
import { runCommand } from "../support/server.ts";
import { forEachService } from "../support/services.ts";

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
  readonly content?: Readonly<Record<string, unknown>>;
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

forEachService("the OpenAPI document", (service) => {
  test("leads beyond 404 everywhere, to answers that it declares", async () => {
    expect(await runCommand(["demo", "--url", service.running.url])).toMatchObject({ exitCode: 0 });
    const document = await (await fetch(`${service.running.url}/openapi.json`)).json();
    const calls: Call[] = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    );
    expect(calls.length).toBeGreaterThan(90);
    const linked = new Map<string, unknown>();
    const problems: string[] = [];
    for (const { method, path, operation } of calls.toSorted((a, b) => rankOf(a) - rankOf(b))) {
      const query = new URLSearchParams();
      let target = path;
      for (const { name, in: place, example } of operation.parameters ?? []) {
        const value = linked.get(`${operation.operationId} ${name}`) ?? example;
        if (place === "path") target = target.replace(`{${name}}`, encodeURIComponent(String(value)));
        else if (value !== undefined) query.set(name, String(value));
      }
      const contents = Object.entries(operation.requestBody?.content ?? { "": {} });
      for (const [media, { example }] of contents.filter(
        ([type, shown]) => type === "" || shown.example !== undefined,
      )) {
        const headers = media === "" || media.startsWith("multipart/") ? {} : { "content-type": media };
        const body = media === "" ? {} : { body: bodyOf(media, example) };
        const answer = await fetch(`${service.running.url}${target}?${query}`, { method, headers, ...body });
        const text = await answer.text();
        const declared = operation.responses[answer.status];
        const told = `${operation.operationId} ${target} ${media}: ${answer.status} ${answer.ok ? "" : text.slice(0, 200)}`;
        if (answer.status === 404 || answer.status >= 500 || declared === undefined) problems.push(told);
        const type = answer.headers.get("content-type")?.split(";")[0];
        if (text !== "" && declared !== undefined && declared.content?.[type!] === undefined)
          problems.push(`${told} has ${type}`);
        for (const [name, { parameters }] of Object.entries(answer.ok ? (declared?.links ?? {}) : {})) {
          for (const [parameter, place] of Object.entries(parameters)) {
            const steps = place.replace("$response.body#/", "").split("/");
            linked.set(
              `${name} ${parameter}`,
              steps.reduce((value, step) => value[step], JSON.parse(text)),
            );
          }
        }
      }
      if (operation.requestBody !== undefined && !contents.some(([, shown]) => shown.example !== undefined))
        problems.push(`${operation.operationId} shows no example of its body`);
    }
    expect(problems).toEqual([]);
  });
});
