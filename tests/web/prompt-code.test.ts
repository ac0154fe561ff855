// Exported code as text: its golden form in Python, names of parameters, and that every text survives.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { quoted, written } from "../../src/web/pages/prompts/code/code-values.ts";
import { exportedCode, librariesOf } from "../../src/web/pages/prompts/code/exported-code.ts";
import { parameterNames } from "../../src/web/pages/prompts/code/parameter-names.ts";
import { anthropicRequest, filledText } from "../../src/web/pages/prompts/code/provider-requests.ts";
import { forAnthropic, forOpenAi, HOSTILE } from "../support/exported-prompts.ts";

const prompt = { name: "triage", description: null, number: 3, address: "http://127.0.0.1:6006" };
const evaluated = (code: string) => new Function("name", `return ${code};`)("«value»") as unknown;

test("Python for OpenAI with the prompt in it", () => {
  const code = exportedCode(
    { ...prompt, content: forOpenAi },
    { language: "python", library: "openai", source: { kind: "inline" } },
  );
  expect(code).toMatchInlineSnapshot(`
    "# The prompt triage, version 3.
    from openai import OpenAI

    client = OpenAI()


    def triage(*, language: str, the_limit: str, question: str):
        return client.chat.completions.create(
            model="gpt-4.1",
            messages=[
                {
                    "role": "system",
                    "content": (
                        f"Answer in {language}.\\n"
                        f"Never promise \`refunds\` above {the_limit} EUR."
                    ),
                },
                {"role": "user", "content": question},
                {
                    "role": "assistant",
                    "tool_calls": [
                        {
                            "id": "call_1",
                            "type": "function",
                            "function": {"name": "find_order", "arguments": "{\\"number\\":\\"7\\"}"},
                        },
                    ],
                },
                {"role": "tool", "tool_call_id": "call_1", "content": "{\\"state\\":\\"sent\\"}"},
                {
                    "role": "user",
                    "content": (
                        "Say \\"hi\\", \`code\`, \${not} \\\\n \\\\u0041 'single' { } %s # // \\u2028 \\u0007 😀 \\ttab\\r\\n"
                        "last"
                    ),
                },
            ],
            temperature=0.2,
            max_tokens=300,
            seed=7,
            stop=["END"],
            tools=[
                {
                    "type": "function",
                    "function": {
                        "name": "find_order",
                        "description": "Finds an order.",
                        "parameters": {
                            "type": "object",
                            "properties": {"number": {"type": "string"}},
                            "required": ["number"],
                        },
                    },
                },
            ],
            tool_choice="auto",
            parallel_tool_calls=False,
            response_format={
                "type": "json_schema",
                "json_schema": {
                    "name": "answer",
                    "schema": {
                        "type": "object",
                        "properties": {"answer": {"type": "string"}},
                        "required": ["answer"],
                    },
                    "strict": True,
                },
            },
        )
    "
  `);
});

test("Python for Anthropic, asked for by tag and by version", () => {
  const python = { language: "python", library: "anthropic" } as const;
  const content = forAnthropic;
  expect(exportedCode({ ...prompt, content }, { ...python, source: { kind: "inline" } })).toMatchInlineSnapshot(`
    "# The prompt triage, version 3.
    from anthropic import Anthropic

    client = Anthropic()


    def triage(*, language: str, question: str):
        return client.messages.create(
            model="claude-haiku-4-5",
            max_tokens=500,
            stop_sequences=["END"],
            system=f"Answer in {language}, as {{json}}.",
            messages=[{"role": "user", "content": [{"type": "text", "text": question}]}],
            tools=[
                {
                    "name": "find_order",
                    "description": "Finds an order.",
                    "input_schema": {
                        "type": "object",
                        "properties": {"number": {"type": "string"}},
                        "required": ["number"],
                    },
                },
            ],
            tool_choice={"type": "auto", "disable_parallel_tool_use": True},
            extra_body={"temperature": 0.5},
        )
    "
  `);
  expect(exportedCode({ ...prompt, content }, { ...python, source: { kind: "tag", tag: "production" } })).toBe(
    `# The prompt triage, as its tag production points.
from anthropic import Anthropic
from phoenix.client import Client

client = Anthropic()
prompts = Client(base_url="http://127.0.0.1:6006").prompts


def triage(*, language: str, question: str):
    prompt = prompts.get(prompt_identifier="triage", tag="production")
    request = prompt.format(variables={"language": language, "question": question}, sdk="anthropic")
    return client.messages.create(**request)
`,
  );
  const version = { kind: "version", versionId: "UHJvbXB0VmVyc2lvbjox" } as const;
  expect(exportedCode({ ...prompt, content }, { ...python, source: version })).toContain(
    'prompts.get(prompt_version_id="UHJvbXB0VmVyc2lvbjox")',
  );
});

test("every text is the same in TypeScript as in the prompt, with and without variables", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("`", "$", "{", "}", "\\", '"', "\n", "\r", "\u2028", "\ud800", "u0041", "'") }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(evaluated(written({ kind: "text", pieces: [{ text }] }, "typescript"))).toBe(text);
      const around = [{ text }, { parameter: "name" }, { text }];
      expect(evaluated(written({ kind: "text", pieces: around }, "typescript"))).toBe(`${text}«value»${text}`);
      expect(evaluated(quoted(text))).toBe(text);
    }),
  );
});

test("JSON is written as it is, a member called __proto__ included", () => {
  const value = JSON.parse('{"__proto__":{"a":1},"an odd-name":[true,null,-1.5e300,"x"],"empty":{}}') as never;
  const code = written({ kind: "json", value }, "typescript");
  expect(JSON.stringify(evaluated(`(${code})`))).toBe(JSON.stringify(value));
  expect(written({ kind: "json", value }, "python")).toBe(
    '{"__proto__": {"a": 1}, "an odd-name": [True, None, -1.5e+300, "x"], "empty": {}}',
  );
});

test("a long text of Python is one string a line, and braces are doubled where variables stand", () => {
  const names = new Map([["name", "name"]]);
  const content = { ...forOpenAi, template_format: "MUSTACHE" } as const;
  const code = written(filledText(`First {"a"}\n{{name}} {x}\n`, { content, names }), "python");
  expect(code).toBe(`(\n    "First {\\"a\\"}\\n"\n    f"{name} {{x}}\\n"\n)`);
});

test("parameters have names of both languages, each its own", () => {
  const names = parameterNames([
    "question",
    "the limit",
    "the-limit",
    "class",
    "2nd",
    "",
    "größe",
    "__proto__",
    "client",
  ]);
  expect([...names.values()]).toEqual([
    "question",
    "the_limit",
    "the_limit_2",
    "class_",
    "_2nd",
    "value",
    "gr_e",
    "proto",
    "client_",
  ]);
});

test("parameters of another provider are mapped to its names, and unknown ones are reported", () => {
  const code = exportedCode(
    { ...prompt, content: forOpenAi },
    { language: "typescript", library: "anthropic", source: { kind: "inline" } },
  );
  expect(code).toContain("// Not sent: seed.");
  const { members } = anthropicRequest({ content: forOpenAi, names: new Map() });
  expect(members.stop_sequences).toEqual({ kind: "json", value: ["END"] });
  expect(members.max_tokens).toEqual({ kind: "json", value: 300 });
});

test("the Vercel AI SDK is TypeScript alone", () => {
  expect(librariesOf("typescript")).toContain("ai");
  expect(librariesOf("python")).not.toContain("ai");
});

test("a template with neither lines nor variables is one string", () => {
  expect(written({ kind: "text", pieces: [{ text: HOSTILE.replaceAll(/[\r\n]/g, "") }] }, "typescript")).toStartWith(
    '"',
  );
});
