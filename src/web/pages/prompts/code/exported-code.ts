// The program for a version of a prompt: in TypeScript or Python, for the library of a provider, with the prompt asked for or written
// into it; or one that creates the same prompt elsewhere. The variables are the parameters of its function.
import { variablesOf } from "../../../../model/template-variables.ts";
import { messagesOf, partsOf } from "../../../domain/prompts/version-parts.ts";
import { callOf, expression, jsonOf, type Language, objectOf, quoted, textOf, written } from "./code-values.ts";
import { parameterNames, wordOf } from "./parameter-names.ts";
import {
  anthropicRequest,
  type Filling,
  openAiRequest,
  type Request,
  type VersionContent,
} from "./provider-requests.ts";
import { vercelModel, vercelRequest, vercelSettings, vercelTools } from "./vercel-request.ts";

export const languages = ["typescript", "python"] as const;
export const libraries = ["openai", "anthropic", "ai", "client"] as const;
/** `client`: the official client alone, which fetches the prompt or creates it. */
export type Library = (typeof libraries)[number];

/** Where the program has the prompt from. */
export type PromptSource =
  | { readonly kind: "tag"; readonly tag: string }
  | { readonly kind: "version"; readonly versionId: string }
  | { readonly kind: "inline" };

interface ExportedPrompt {
  readonly name: string;
  readonly description: string | null;
  readonly number: number;
  readonly content: VersionContent & { readonly description: string };
  /** Where programs reach the service. */
  readonly address: string;
}

export interface Export {
  readonly language: Language;
  readonly library: Library;
  readonly source: PromptSource;
}

/** The Vercel AI SDK has no Python. */
export function librariesOf(language: Language): readonly Library[] {
  return language === "typescript" ? libraries : libraries.filter((library) => library !== "ai");
}

/** The library that speaks to the provider of the version. */
export function libraryOf({ model_provider: provider }: VersionContent): Library {
  return provider === "ANTHROPIC" ? "anthropic" : "openai";
}

export function exportedCode(prompt: ExportedPrompt, { language, library, source }: Export): string {
  const program: Program = { prompt, filling: fillingOf(prompt.content), library, language };
  const head = `${language === "typescript" ? "//" : "#"} The prompt ${prompt.name}, ${sourceWords(prompt, source)}.\n`;
  if (library === "client" && source.kind === "inline") return head + creatingCode(program);
  if (source.kind === "inline") return head + inlineCode(program);
  return head + (language === "typescript" ? fetchingTypescript(program, source) : fetchingPython(program, source));
}

interface Program {
  readonly prompt: ExportedPrompt;
  readonly filling: Filling;
  readonly library: Library;
  readonly language: Language;
}

type FetchedSource = Exclude<PromptSource, { readonly kind: "inline" }>;

function sourceWords({ number }: ExportedPrompt, source: PromptSource): string {
  return source.kind === "tag" ? `as its tag ${source.tag} points` : `version ${number}`;
}

function fillingOf(content: VersionContent): Filling {
  const texts = messagesOf(content).flatMap((message) =>
    partsOf(message).flatMap((part) => (part.type === "text" ? [part.text] : [])),
  );
  const variables = new Set(texts.flatMap((each) => variablesOf(each, content.template_format)));
  return { content, names: parameterNames([...variables]) };
}

/** The client of the provider's library, with the import that it needs. */
function providerClient({ library, language, prompt }: Program): { readonly imports: string; readonly made: string } {
  const { model_provider: provider } = prompt.content;
  const typescript = language === "typescript";
  if (library === "anthropic") {
    return typescript
      ? { imports: 'import Anthropic from "@anthropic-ai/sdk";\n', made: "const client = new Anthropic();\n" }
      : { imports: "from anthropic import Anthropic\n", made: "client = Anthropic()\n" };
  }
  if (provider === "AZURE_OPENAI") {
    return typescript
      ? { imports: 'import { AzureOpenAI } from "openai";\n', made: "const client = new AzureOpenAI();\n" }
      : { imports: "from openai import AzureOpenAI\n", made: "client = AzureOpenAI()\n" };
  }
  // Anthropic, Google and AWS have addresses that speak as OpenAI does, but no one name for them.
  if (provider === "OPENAI") {
    return typescript
      ? { imports: 'import OpenAI from "openai";\n', made: "const client = new OpenAI();\n" }
      : { imports: "from openai import OpenAI\n", made: "client = OpenAI()\n" };
  }
  const [address, key] = [`${provider}_BASE_URL`, `${provider}_API_KEY`];
  return typescript
    ? {
        imports: 'import OpenAI from "openai";\n',
        made: `const client = new OpenAI({ baseURL: process.env.${address}, apiKey: process.env.${key} });\n`,
      }
    : {
        imports: "import os\n\nfrom openai import OpenAI\n",
        made: `client = OpenAI(base_url=os.environ["${address}"], api_key=os.environ["${key}"])\n`,
      };
}

const calls = { openai: "client.chat.completions.create", anthropic: "client.messages.create" } as const;

function inlineCode(program: Program): string {
  const { library, language, filling } = program;
  const requests = { openai: openAiRequest, anthropic: anthropicRequest, ai: vercelRequest } as const;
  const request = requests[library === "client" ? "openai" : library](filling);
  const left = leftOutLine(request, language);
  if (library === "ai") {
    const call = callOf("generateText", request.members, {}, { language, indent: "  " });
    const imports = `${vercelModel(filling.content.model_provider).from}\n${vercelImport(call)}`;
    return `${imports}\n${typescriptFunction(program, `${left}  return ${call};\n`)}`;
  }
  const { imports, made } = providerClient(program);
  const method = calls[library === "client" ? "openai" : library];
  if (language === "typescript") {
    const call = callOf(method, request.members, request.undeclared, { language, indent: "  " });
    return `${imports}\n${made}\n${typescriptFunction(program, `${left}  return ${call};\n`)}`;
  }
  const call = callOf(method, request.members, request.undeclared, { language, indent: "    " });
  return `${imports}\n${made}\n\n${pythonFunction(program, `${left}    return ${call}\n`)}`;
}

/** What the code takes from the Vercel AI SDK. */
function vercelImport(code: string): string {
  const bare = withoutTexts(code);
  const names = ["generateText", "jsonSchema", "Output", "tool"].filter((name) =>
    new RegExp(`\\b${name}[.(]`).test(bare),
  );
  return `import { ${names.join(", ")} } from "ai";\n`;
}

/** Code without its texts, so that what stands in a prompt is not taken for a call. */
function withoutTexts(code: string): string {
  return code.replaceAll(/"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/gs, '""');
}

function leftOutLine({ leftOut }: Pick<Request, "leftOut">, language: Language): string {
  if (leftOut.length === 0) return "";
  const words = [...new Set(leftOut)].map((name) => name.replaceAll(/\s+/g, " ")).join(", ");
  return language === "typescript" ? `  // Not sent: ${words}.\n` : `    # Not sent: ${words}.\n`;
}

function typescriptFunction({ filling: { names }, prompt }: Program, body: string): string {
  const parameters = [...names.values()];
  const types = parameters.map((name) => `readonly ${name}: string`).join("; ");
  const given = parameters.length === 0 ? "" : `{ ${parameters.join(", ")} }: { ${types} }`;
  return `export async function ${wordOf(prompt.name)}(${given}) {\n${body}}\n`;
}

function pythonFunction({ filling: { names }, prompt }: Program, body: string): string {
  const given = [...names.values()].map((name) => `${name}: str`).join(", ");
  return `def ${wordOf(prompt.name)}(${given === "" ? "" : `*, ${given}`}):\n${body}`;
}

/** Calls of the official client that leave something out are completed here. */
function fetchingTypescript(program: Program, source: FetchedSource): string {
  const { library, prompt, filling } = program;
  const selector =
    source.kind === "tag"
      ? `{ name: ${quoted(prompt.name)}, tag: ${quoted(source.tag)} }`
      : `{ versionId: ${quoted(source.versionId)} }`;
  const toSdk = library === "client" ? "" : ", toSDK";
  const fetchImports = `import { createClient } from "@arizeai/phoenix-client";\nimport { getPrompt${toSdk} } from "@arizeai/phoenix-client/prompts";\n`;
  const prompts = `const prompts = createClient({ options: { baseUrl: ${quoted(prompt.address)} } });\n`;
  const fetched =
    `  const prompt = await getPrompt({ client: prompts, prompt: ${selector} });\n` +
    '  if (prompt === null || prompt.template.type !== "chat") throw new Error("The prompt is not there");\n';
  if (library === "client") {
    return `${fetchImports}\n${prompts}\n${typescriptFunction({ ...program, filling: { ...filling, names: new Map() } }, `${fetched}  return prompt;\n`)}`;
  }
  const variables = [...filling.names].map(([variable, name]) => {
    if (variable === name) return name;
    return `${/^[A-Za-z_$][\w$]*$/.test(variable) ? variable : quoted(variable)}: ${name}`;
  });
  const given = `, variables: {${variables.length === 0 ? "" : ` ${variables.join(", ")} `}}`;
  const request =
    `  const request = toSDK({ sdk: ${quoted(library)}, prompt${given} });\n` +
    '  if (request === null) throw new Error("The prompt cannot be sent in these words");\n';
  const body = fetched + request + sendingTypescript(program);
  if (library === "ai") {
    const imports = `${vercelModel(filling.content.model_provider).from}\n${fetchImports}${vercelImport(body)}`;
    return `${imports}\n${prompts}\n${typescriptFunction(program, body)}`;
  }
  const { imports, made } = providerClient(program);
  return `${library === "anthropic" ? imports + fetchImports : fetchImports + imports}\n${made}${prompts}\n${typescriptFunction(program, body)}`;
}

function sendingTypescript({ library, filling: { content } }: Program): string {
  switch (library) {
    case "anthropic":
      return (
        "  // The client makes messages of the user of those of the system.\n" +
        "  const { messages } = prompt.template;\n" +
        "  const isSystem = (_: unknown, position: number) =>\n" +
        '    ["system", "developer"].includes(messages[position]?.role ?? "");\n' +
        "  return client.messages.create({\n" +
        "    ...request,\n" +
        "    messages: request.messages.filter((message, position) => !isSystem(message, position)),\n" +
        "    system: request.messages.filter(isSystem).flatMap(({ content }) => content as Anthropic.TextBlockParam[]),\n" +
        "  });\n"
      );
    case "ai":
      return sendingWithVercel(content);
    default: {
      const { tools, response_format: format } = content;
      const members = [
        "...request",
        ...(tools?.disable_parallel_tool_calls ? ["parallel_tool_calls: false"] : []),
        // The client forgets that it is strict.
        ...(format === undefined ? [] : ["response_format: prompt.response_format as typeof request.response_format"]),
      ];
      if (members.length === 1) return "  return client.chat.completions.create(request);\n";
      const lines = members.map((member) => `    ${member},\n`).join("");
      return `  return client.chat.completions.create({\n${lines}  });\n`;
    }
  }
}

/** The client leaves the parameters and the form of the answer out, and makes tools of an older release. */
function sendingWithVercel(content: VersionContent): string {
  const { settings, leftOut } = vercelSettings(content);
  const { tools } = vercelTools(content.tools);
  const lines = Object.entries({ ...settings, tools }).flatMap(([name, value]) =>
    value === undefined ? [] : [`    ${name}: ${written(value, "typescript", "    ")},\n`],
  );
  return (
    leftOutLine({ leftOut }, "typescript") +
    "  return generateText({\n    ...request,\n" +
    `    model: ${vercelModel(content.model_provider).maker}(prompt.model_name),\n` +
    "    allowSystemInMessages: true,\n" +
    (lines.length === 0 ? "" : `    // As in the version that was exported.\n${lines.join("")}`) +
    "  });\n"
  );
}

function fetchingPython(program: Program, source: FetchedSource): string {
  const { library, prompt, filling } = program;
  const selector =
    source.kind === "tag"
      ? `prompt_identifier=${quoted(prompt.name)}, tag=${quoted(source.tag)}`
      : `prompt_version_id=${quoted(source.versionId)}`;
  const prompts = `prompts = Client(base_url=${quoted(prompt.address)}).prompts\n`;
  const fetched = `    prompt = prompts.get(${selector})\n`;
  const clientImport = "from phoenix.client import Client\n";
  if (library === "client" || library === "ai") {
    return `${clientImport}\n${prompts}\n\n${pythonFunction({ ...program, filling: { ...filling, names: new Map() } }, `${fetched}    return prompt\n`)}`;
  }
  const values = [...filling.names].map(([variable, name]) => `${quoted(variable)}: ${name}`).join(", ");
  const request = `    request = prompt.format(variables={${values}}, sdk=${quoted(library)})\n`;
  const { imports, made } = providerClient(program);
  return `${imports}${clientImport}\n${made}${prompts}\n\n${pythonFunction(program, `${fetched}${request}    return ${calls[library]}(**request)\n`)}`;
}

/** The same prompt made elsewhere. */
function creatingCode({ prompt, language }: Program): string {
  const { content } = prompt;
  const version = objectOf({
    description: content.description === "" ? undefined : textOf(content.description),
    model_provider: textOf(content.model_provider),
    model_name: textOf(content.model_name),
    template_type: textOf("CHAT"),
    template_format: textOf(content.template_format),
    template: jsonOf({ type: "chat", messages: messagesOf(content) }),
    invocation_parameters: jsonOf(content.invocation_parameters),
    tools: content.tools && jsonOf(content.tools),
    response_format: content.response_format && jsonOf(content.response_format),
  });
  const named = { name: textOf(prompt.name), description: prompt.description ? textOf(prompt.description) : undefined };
  if (language === "typescript") {
    const call = callOf(
      "createPrompt",
      { client: expression("client"), ...named, version },
      {},
      { language, indent: "" },
    );
    return (
      'import { createClient } from "@arizeai/phoenix-client";\nimport { createPrompt } from "@arizeai/phoenix-client/prompts";\n\n' +
      `const client = createClient({ options: { baseUrl: ${quoted(prompt.address)} } });\n\nawait ${call};\n`
    );
  }
  const json = objectOf({ prompt: objectOf(named), version });
  return (
    "# The client's own class takes neither parameters nor tools, so the version is sent as it is.\nimport httpx\n\n" +
    `answer = httpx.post(\n    ${quoted(`${prompt.address}/v1/prompts`)},\n    json=${written(json, language, "    ")},\n)\nanswer.raise_for_status()\n`
  );
}
