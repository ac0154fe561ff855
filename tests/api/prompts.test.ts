// Prompts over REST: versions that never change, tags that move, answers that may be kept, on both databases.

import { describe, expect, test } from "bun:test";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { openForSuite } from "../support/suite.ts";

const version = (changes: object = {}) => ({
  model_provider: "OPENAI",
  model_name: "gpt-5-mini",
  template_type: "CHAT",
  template_format: "MUSTACHE",
  template: { type: "chat", messages: [{ role: "user", content: "Hi {{name}}" }] },
  invocation_parameters: { type: "openai", openai: {} },
  ...changes,
});

forEachDriver("prompts over REST", (driver) => {
  const api = openForSuite(async () =>
    openTestApi(await driver.createDatabase(), {
      variables: { SERVICE_PROTECTED_PROMPT_TAGS: "production" },
    }),
  );

  const ask = async (line: string, json?: unknown, headers: Record<string, string> = {}) => {
    const answer = await send(api.server, line, { ...(json === undefined ? {} : { json }), headers });
    const text = await answer.text();
    const body = text.startsWith("{") ? JSON.parse(text) : null;
    return { status: answer.status, text, headers: answer.headers, data: body?.data, detail: body?.detail, body };
  };
  const create = async (name: string, changes: object = {}, prompt: object = {}) => {
    const made = await ask("POST /v1/prompts", { prompt: { name, ...prompt }, version: version(changes) });
    expect({ status: made.status, text: made.text }).toEqual({ status: 200, text: made.text });
    return made.data as { id: string };
  };

  test("a name that is new makes the prompt, one that exists only gets a version", async () => {
    const first = await create("greeter", {}, { description: "says hello", metadata: { team: "a" } });
    const second = await create("greeter", { model_name: "other" }, { description: "not this", metadata: {} });
    const { data } = await ask("GET /v1/prompts");
    expect(data).toMatchObject([
      { name: "greeter", description: "says hello", source_prompt_id: null, metadata: { team: "a" } },
    ]);
    const versions = await ask("GET /v1/prompts/greeter/versions");
    expect(versions.data.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
    expect((await ask("GET /v1/prompts/greeter/latest")).data.id).toBe(second.id);
    const byId = await ask(`GET /v1/prompts/${encodeURIComponent(data[0].id)}/latest`);
    expect(byId.data.id).toBe(second.id);
  });

  test("what was sent comes back: key by key, digit by digit, nothing added", async () => {
    const template = {
      type: "chat",
      messages: [
        { role: "developer", content: "" },
        { role: "user", content: [{ type: "text", text: "a\nb" }] },
        {
          role: "ai",
          content: [
            { type: "tool_call", tool_call_id: "1", tool_call: { type: "function", name: "f", arguments: "{" } },
            { type: "tool_result", tool_call_id: "1", tool_result: null },
          ],
        },
      ],
    };
    const tools = {
      type: "tools",
      tools: [
        { type: "function", function: { name: "f", parameters: { type: "object", z: 1, a: 2 }, strict: false } },
        { type: "raw", raw: { provider: "own" } },
      ],
      tool_choice: { type: "specific_function", function_name: "none-of-these" },
      disable_parallel_tool_calls: false,
    };
    const response_format = { type: "json_schema", json_schema: { name: "x", schema: {} } };
    const sent = version({ template, tools, response_format, template_format: "NONE" });
    const body = JSON.stringify({ prompt: { name: "whole" }, version: sent }).replace('"z":1', '"z":9007199254740993');
    const made = await send(api.server, "POST /v1/prompts", { body, headers: { "content-type": "application/json" } });
    const text = await made.text();
    expect({ status: made.status, text }).toEqual({ status: 200, text });
    expect(text).toContain('"z":9007199254740993');
    const { description, id, ...kept } = JSON.parse(text).data;
    expect(description).toBe("");
    expect(id).toBeString();
    const { tools: keptTools, ...rest } = kept;
    const { tools: _tools, ...wanted } = sent as typeof sent & { tools: unknown };
    expect(rest).toEqual(wanted);
    expect(Object.keys(keptTools.tools[0].function.parameters)).toEqual(["type", "z", "a"]);
  });

  describe("what is refused", () => {
    const thinking = (max_tokens: number, budget_tokens: number) => ({
      model_provider: "ANTHROPIC",
      invocation_parameters: {
        type: "anthropic",
        anthropic: { max_tokens, thinking: { type: "enabled", budget_tokens } },
      },
    });
    const chat = (message: object) => ({ template: { type: "chat", messages: [message] } });
    const rows: readonly [string, object, string, (string | number)[]][] = [
      [
        "a member that is not known",
        { template: { type: "chat", messages: [], more: 1 } },
        "extra_forbidden",
        ["template", "chat", "more"],
      ],
      [
        "an unknown parameter",
        { invocation_parameters: { type: "openai", openai: { foo: 1 } } },
        "extra_forbidden",
        ["invocation_parameters", "openai", "openai", "foo"],
      ],
      [
        "null for what may be left out",
        { invocation_parameters: { type: "openai", openai: { temperature: null } } },
        "float_type",
        ["invocation_parameters", "openai", "openai", "temperature"],
      ],
      [
        "parameters under another name",
        { invocation_parameters: { type: "openai", google: {} } },
        "missing",
        ["invocation_parameters", "openai", "openai"],
      ],
      [
        "a type of parameters that nobody has",
        { invocation_parameters: { type: "minimax", minimax: {} } },
        "union_tag_invalid",
        ["invocation_parameters"],
      ],
      ["a role", chat({ role: "robot", content: "" }), "enum", ["template", "chat", "messages", 0, "role"]],
      ["no parts", chat({ role: "user", content: [] }), "too_short", ["template", "chat", "messages", 0, "content"]],
      [
        "a part of another kind",
        chat({ role: "user", content: [{ type: "image" }] }),
        "union_tag_invalid",
        ["template", "chat", "messages", 0, "content", 0],
      ],
      [
        "thinking of more than all tokens",
        thinking(2000, 2000),
        "value_error",
        ["invocation_parameters", "anthropic", "anthropic"],
      ],
      [
        "too little thinking",
        thinking(5000, 1023),
        "greater_than_equal",
        ["invocation_parameters", "anthropic", "anthropic", "thinking", "enabled", "budget_tokens"],
      ],
      ["no tools in tools", { tools: { type: "tools", tools: [] } }, "too_short", ["tools", "tools"]],
      [
        "a tool that is no object",
        { tools: { type: "tools", tools: [{ type: "function", function: { name: "f", parameters: "no" } }] } },
        "dict_type",
        ["tools", "tools", 0, "function", "function", "parameters"],
      ],
      ["a template of another type", { template_type: "STR" }, "value_error", []],
      ["a format in another case", { template_format: "mustache" }, "enum", ["template_format"]],
    ];
    test.each(rows)("%s", async (_name, changes, type, place) => {
      const { status, detail } = await ask("POST /v1/prompts", {
        prompt: { name: "refused" },
        version: version(changes),
      });
      expect(status).toBe(422);
      expect(
        detail.map((each: { type: string; loc: string[] }) => ({ type: each.type, loc: each.loc })),
      ).toContainEqual({
        type,
        loc: ["body", "version", ...place],
      });
      expect((await ask("GET /v1/prompts/refused/latest")).status).toBe(404);
    });

    test("invalid names, texts as templates, bodies of megabytes", async () => {
      for (const name of ["", "A", "a b", "-a", "a-", "a/b", "a".repeat(1025)]) {
        const { status, detail } = await ask("POST /v1/prompts", { prompt: { name }, version: version() });
        expect({ name, status, loc: detail?.[0]?.loc }).toEqual({ name, status: 422, loc: ["body", "prompt", "name"] });
      }
      const text = version({ template_type: "STR", template: { type: "string", template: "x" } });
      expect((await ask("POST /v1/prompts", { prompt: { name: "text" }, version: text })).status).toBe(422);
      expect((await ask("GET /v1/prompts/text/latest")).status).toBe(404);
      const large = version({
        template: { type: "chat", messages: [{ role: "user", content: "x".repeat(2_000_000) }] },
      });
      expect((await ask("POST /v1/prompts", { prompt: { name: "large" }, version: large })).status).toBe(413);
      expect((await ask("GET /v1/prompts/Not%20A%20Name/latest")).status).toBe(422);
      expect((await ask("GET /v1/prompts/greeter/tags/No!")).status).toBe(422);
      expect((await ask("GET /v1/prompt_versions/nothing")).status).toBe(422);
      expect((await ask("GET /v1/prompt_versions/UHJvbXB0VmVyc2lvbjo5OTk5OQ==")).status).toBe(404);
      expect((await ask("GET /v1/prompts/nobody/versions")).body).toMatchObject({ data: [], next_cursor: null });
    });
  });

  test("NUL is kept inside of JSON values and replaced in texts, on either database", async () => {
    const [sent, kept] = ["a\0b", "a\uFFFDb"];
    const result = { type: "tool_result", tool_call_id: "1", tool_result: { [sent]: sent } };
    const raw = { type: "raw", raw: { [sent]: sent } };
    const chat = (text: string) => ({
      type: "chat",
      messages: [
        { role: "user", content: text },
        { role: "tool", content: [result] },
      ],
    });
    const says = (text: string) => ({
      description: text,
      model_name: text,
      template: chat(text),
      tools: { type: "tools", tools: [raw] },
      metadata: { [sent]: sent },
    });
    const { id } = await create("nul", says(sent), { description: sent, metadata: { [sent]: sent } });
    await ask(`POST /v1/prompt_versions/${id}/tags`, { name: "nul", description: sent });
    expect((await ask("GET /v1/prompts/nul/latest")).data).toEqual({ id, ...version(says(kept)) });
    expect((await ask("PATCH /v1/prompts/nul", { description: sent })).data).toMatchObject({
      description: kept,
      metadata: { [sent]: sent },
    });
    expect((await ask(`GET /v1/prompt_versions/${id}/tags`)).data).toMatchObject([{ name: "nul", description: kept }]);
  });

  test("pages begin with the row that the cursor names", async () => {
    const made = [];
    for (let number = 0; number < 3; number++) made.push(await create("paged"));
    const first = await ask("GET /v1/prompts/paged/versions?limit=2");
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual([made[2]!.id, made[1]!.id]);
    expect(first.body!.next_cursor).toBe(made[0]!.id);
    const second = await ask(`GET /v1/prompts/paged/versions?limit=2&cursor=${first.body!.next_cursor}`);
    expect(second.data.map(({ id }: { id: string }) => id)).toEqual([made[0]!.id]);
    expect(second.body!.next_cursor).toBeNull();
    expect((await ask("GET /v1/prompts?cursor=x")).status).toBe(422);
  });

  test("a tag is on one version of its prompt and is removed only from there", async () => {
    const [one, two] = [await create("tagged"), await create("tagged")];
    const tags = async (id: string) =>
      (await ask(`GET /v1/prompt_versions/${id}/tags`)).data.map(({ name, description }: Record<string, string>) => [
        name,
        description,
      ]);
    expect(
      (await ask(`POST /v1/prompt_versions/${one.id}/tags`, { name: "staging", description: "first" })).status,
    ).toBe(204);
    expect(await tags(one.id)).toEqual([["staging", "first"]]);
    expect((await ask(`POST /v1/prompt_versions/${two.id}/tags`, { name: "staging" })).status).toBe(204);
    expect([await tags(one.id), await tags(two.id)]).toEqual([[], [["staging", undefined]]]);
    expect((await ask("GET /v1/prompts/tagged/tags/staging")).data.id).toBe(two.id);
    expect((await ask(`DELETE /v1/prompt_versions/${one.id}/tags/staging`)).status).toBe(404);
    expect((await ask(`DELETE /v1/prompt_versions/${two.id}/tags/staging`)).status).toBe(204);
    expect((await ask(`DELETE /v1/prompt_versions/${two.id}/tags/staging`)).status).toBe(404);
    expect((await ask("GET /v1/prompts/tagged/tags/staging")).status).toBe(404);
    expect((await ask(`POST /v1/prompt_versions/${two.id}/tags`, { name: "Not This" })).status).toBe(422);
  });

  test("a caller that has the version gets 304", async () => {
    const { id } = await create("cached");
    const latest = await ask("GET /v1/prompts/cached/latest");
    const tag = latest.headers.get("etag")!;
    expect(latest.headers.get("cache-control")).toBe("private, no-cache");
    const again = await ask("GET /v1/prompts/cached/latest", undefined, { "if-none-match": `"x", ${tag}` });
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", tag]);
    await create("cached");
    expect((await ask("GET /v1/prompts/cached/latest", undefined, { "if-none-match": tag })).status).toBe(200);
    const own = await ask(`GET /v1/prompt_versions/${id}`);
    expect(own.headers.get("cache-control")).toContain("immutable");
  });

  test("changes of a prompt: what is absent stays, null clears, an empty change is refused", async () => {
    await create("changed", {}, { description: "before", metadata: { a: 1 } });
    const patch = (body: object) => ask("PATCH /v1/prompts/changed", body);
    expect((await patch({ description: "  after " })).data).toMatchObject({ description: "after", metadata: { a: 1 } });
    expect((await patch({ description: null, metadata: { b: 2 } })).data).toEqual({
      id: expect.any(String),
      name: "changed",
      metadata: { b: 2 },
    });
    expect((await patch({ other: 1 })).detail[0].type).toBe("value_error");
    expect((await patch({ metadata: null })).status).toBe(422);
    expect((await ask("PATCH /v1/prompts/unknown", { description: "" })).status).toBe(404);
  });

  test("a prompt goes with its versions and tags, once", async () => {
    const { id } = await create("gone");
    await ask(`POST /v1/prompt_versions/${id}/tags`, { name: "a" });
    expect((await ask("DELETE /v1/prompts/gone")).status).toBe(204);
    expect((await ask("DELETE /v1/prompts/gone")).status).toBe(404);
    expect((await ask(`GET /v1/prompt_versions/${id}`)).status).toBe(404);
  });

  test("a first version comes with its tags, and only once where only a new prompt is wanted", async () => {
    const body = { prompt: { name: "begun" }, version: version(), tags: [{ name: "staging" }], only_new: true };
    const made = await ask("POST /v1/prompts", body);
    expect((await ask("GET /v1/prompts/begun/tags/staging")).data.id).toBe(made.data.id);
    const again = await ask("POST /v1/prompts", body);
    expect({ status: again.status, text: again.text }).toEqual({
      status: 409,
      text: expect.stringContaining('A prompt named "begun" exists'),
    });
    expect((await ask("GET /v1/prompts/begun/versions")).data).toHaveLength(1);
    const wrongTag = await ask("POST /v1/prompts", { ...body, prompt: { name: "unbegun" }, tags: [{ name: "No!" }] });
    expect({ status: wrongTag.status, loc: wrongTag.detail[0].loc }).toEqual({
      status: 422,
      loc: ["body", "tags", 0, "name"],
    });
    expect((await ask("GET /v1/prompts/unbegun/latest")).status).toBe(404);
    const raced = await Promise.all(
      Array.from({ length: 6 }, () => ask("POST /v1/prompts", { ...body, prompt: { name: "once" }, tags: null })),
    );
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect((await ask("GET /v1/prompts/once/versions")).data).toHaveLength(1);
  });

  test("creations of one prompt at once all make a version, numbered without a gap", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => create("raced")));
    expect(new Set(made.map(({ id }) => id)).size).toBe(8);
    expect((await ask("GET /v1/prompts/raced/versions")).data).toHaveLength(8);
  });
});
