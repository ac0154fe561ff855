// Prompts in GraphQL, on both databases: made, versioned, tagged, labelled, copied, and filled with values.

import { expect, test } from "bun:test";
import { globalId } from "../../src/kernel/ids.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askRefusal } from "../support/graphql.ts";
import { openForSuite } from "../support/suite.ts";

const version = (changes: object = {}) => ({
  templateFormat: "MUSTACHE",
  template: { messages: [{ role: "USER", content: [{ text: { text: "Hi {{name}}" } }] }] },
  invocationParameters: { openai: { temperature: 0.5, maxTokens: 10, reasoningEffort: "LOW" } },
  modelProvider: "OPENAI",
  modelName: "gpt-5",
  ...changes,
});
const create = `mutation($input: CreateChatPromptInput!) {
  createChatPrompt(input: $input) { id name versionCount promptVersions { edges { node { id sequenceNumber isLatest user { id } } } } }
}`;
const add = `mutation($input: CreateChatPromptVersionInput!) {
  createChatPromptVersion(input: $input) { versionCount version { id sequenceNumber previousVersion { sequenceNumber } tags { name } } }
}`;
const label = `mutation($input: CreatePromptLabelInput!) { createPromptLabel(input: $input) { promptLabels { id name usageCount } } }`;

forEachDriver("prompts in GraphQL", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const ask = async (query: string, variables: Readonly<Record<string, unknown>> = {}) => {
    const answer = await send(api.server, "POST /graphql", { json: { query, variables } });
    const { data, errors } = JSON.parse(await answer.text());
    expect(errors).toBeUndefined();
    return data;
  };
  const made = async (name: string, changes: object = {}) =>
    (await ask(create, { input: { name, promptVersion: version(), ...changes } })).createChatPrompt;

  test("a version has the metadata that came with it", async () => {
    const input = { name: "with-metadata", promptVersion: { ...version(), metadata: { team: "support" } } };
    const made = await ask(
      `mutation($input: CreateChatPromptInput!) { made: createChatPrompt(input: $input) { version { metadata } } }`,
      { input },
    );
    expect(made).toEqual({ made: { version: { metadata: { team: "support" } } } });
    const list = { name: "with-list", promptVersion: { ...version(), metadata: [1] } };
    expect(await askRefusal(api, create, { input: list })).toContain("metadata");
  });

  test("a prompt with its first version, and the next ones", async () => {
    const prompt = await made("greeter", {
      description: "says hello",
      metadata: { a: 1 },
      tags: [{ name: "staging" }],
    });
    expect(prompt).toMatchObject({
      name: "greeter",
      versionCount: 1,
      promptVersions: { edges: [{ node: { sequenceNumber: 1, isLatest: true, user: null } }] },
    });
    const next = await ask(add, {
      input: { promptId: prompt.id, promptVersion: version(), tags: [{ name: "staging" }] },
    });
    expect(next.createChatPromptVersion).toMatchObject({
      versionCount: 2,
      version: { sequenceNumber: 2, previousVersion: { sequenceNumber: 1 }, tags: [{ name: "staging" }] },
    });
    const { node } = await ask(
      `query($id: ID!) { node(id: $id) { ... on Prompt {
        metadata createdBy { id } versionTags { name promptVersionId } tagMoves { name version { sequenceNumber } }
        tagged: version(tagName: "staging") { sequenceNumber }
        promptVersions(first: 1) { edges { node { sequenceNumber } } pageInfo { hasNextPage } }
      } } }`,
      { id: prompt.id },
    );
    expect(node).toMatchObject({
      metadata: { a: 1 },
      createdBy: null,
      tagged: { sequenceNumber: 2 },
      tagMoves: [
        { name: "staging", version: { sequenceNumber: 2 } },
        { name: "staging", version: { sequenceNumber: 1 } },
      ],
      promptVersions: { edges: [{ node: { sequenceNumber: 2 } }], pageInfo: { hasNextPage: true } },
    });
    expect(await askRefusal(api, create, { input: { name: "greeter", promptVersion: version() } })).toContain("exists");
  });

  test("everything that a version says is answered as it was given", async () => {
    const full = version({
      description: "all of it",
      template: {
        messages: [
          { role: "SYSTEM", content: [{ text: { text: "s" } }] },
          { role: "AI", content: [{ toolCall: { toolCallId: "1", toolCall: { name: "f", arguments: "{}" } } }] },
          { role: "TOOL", content: [{ toolResult: { toolCallId: "1", result: { deep: [1] } } }] },
        ],
      },
      tools: {
        tools: [{ function: { name: "f", parameters: { type: "object" }, strict: true } }, { raw: { own: 1 } }],
        toolChoice: { functionName: "f" },
        disableParallelToolCalls: true,
      },
      responseFormat: { type: "json_schema", jsonSchema: { name: "r", schema: { outputConfig: { a: 1 } } } },
      modelProvider: "ANTHROPIC",
      invocationParameters: {
        anthropic: {
          maxTokens: 5000,
          outputConfig: { effort: "MAX" },
          thinking: { enabled: { budgetTokens: 2000, display: "OMITTED" } },
          extraBody: { camelCase: 1 },
        },
      },
    });
    const { id } = await made("whole", { promptVersion: full });
    const { node } = await ask(
      `query($id: ID!) { node(id: $id) { ... on Prompt { version {
        templateType modelProvider
        template { ... on PromptChatTemplate { messages { role content {
          ... on TextContentPart { text { text } }
          ... on ToolCallContentPart { toolCall { toolCallId toolCall { name arguments } } }
          ... on ToolResultContentPart { toolResult { toolCallId result } }
        } } } }
        tools { toolChoice { type functionName } disableParallelToolCalls tools {
          ... on PromptToolFunction { function { name parameters strict } } ... on PromptToolRaw { raw } } }
        responseFormat { jsonSchema { name schema } }
        invocationParameters { ... on PromptAnthropicInvocationParameters {
          maxTokens outputConfig { effort } extraBody
          thinking { ... on PromptAnthropicThinkingEnabled { budgetTokens display } } } }
      } } } }`,
      { id },
    );
    expect(node.version).toEqual({
      templateType: "CHAT",
      modelProvider: "ANTHROPIC",
      template: { messages: full.template.messages },
      tools: {
        toolChoice: { type: "SPECIFIC_FUNCTION", functionName: "f" },
        disableParallelToolCalls: true,
        tools: [{ function: { name: "f", parameters: { type: "object" }, strict: true } }, { raw: { own: 1 } }],
      },
      responseFormat: { jsonSchema: { name: "r", schema: { outputConfig: { a: 1 } } } },
      invocationParameters: {
        maxTokens: 5000,
        outputConfig: { effort: "MAX" },
        extraBody: { camelCase: 1 },
        thinking: { budgetTokens: 2000, display: "OMITTED" },
      },
    });
  });

  test("what is wrong is named", async () => {
    const refused = (changes: object) =>
      askRefusal(api, create, { input: { name: "wrong", promptVersion: version(changes) } });
    expect(await refused({ modelProvider: "GOOGLE" })).toContain("does not match model provider 'GOOGLE'");
    expect(await refused({ tools: { tools: [] } })).toContain("tools.tools");
    expect(await refused({ responseFormat: { type: "xml", jsonSchema: { name: "x" } } })).toContain(
      "response_format.type",
    );
    expect(await refused({ customProviderId: "x" })).toContain("customProviderId");
    expect(await askRefusal(api, create, { input: { name: "Not One", promptVersion: version() } })).toContain(
      "dentifier",
    );
    expect(
      (await ask('{ prompts(filter: {col: name, value: "wrong"}) { edges { node { id } } } }')).prompts.edges,
    ).toEqual([]);
  });

  test("NUL is replaced in texts, as over REST", async () => {
    const sent = "a\0b";
    const prompt = await made("nul", { description: sent, promptVersion: version({ modelName: sent }) });
    const patch =
      "mutation($input: PatchPromptInput!) { patchPrompt(input: $input) { description version { modelName } } }";
    const { patchPrompt } = await ask(patch, { input: { promptId: prompt.id, description: sent } });
    expect(patchPrompt).toEqual({ description: "a\uFFFDb", version: { modelName: "a\uFFFDb" } });
    const [created] = (await ask(label, { input: { name: sent, color: "#AABBCC" } })).createPromptLabel.promptLabels;
    expect(created.name).toBe("a\uFFFDb");
  });

  test("labels are shared, counted and taken away", async () => {
    const prompt = await made("labelled");
    const created = (await ask(label, { input: { name: "support", color: "#AABBCC" } })).createPromptLabel
      .promptLabels[0];
    const setLabels = `mutation($input: SetPromptLabelsInput!) { setPromptLabels(input: $input) { query { promptCount } } }`;
    const set = (ids: readonly string[]) => ask(setLabels, { input: { promptId: prompt.id, promptLabelIds: ids } });
    await set([created.id]);
    const absent = { promptId: globalId("Prompt", 9_999_999), promptLabelIds: [created.id] };
    expect(await askRefusal(api, setLabels, { input: absent })).toContain(absent.promptId);
    const list = `query($ids: [ID!]) { prompts(labelIds: $ids) { edges { node { name labels { name usageCount color } } } } promptLabels { edges { node { name } } } }`;
    const { prompts, promptLabels } = await ask(list, { ids: [created.id] });
    expect(prompts.edges).toEqual([
      { node: { name: "labelled", labels: [{ name: "support", usageCount: 1, color: "#AABBCC" }] } },
    ]);
    expect(promptLabels.edges).toContainEqual({ node: { name: "support" } });
    expect(await askRefusal(api, label, { input: { name: "support", color: "#AABBCC" } })).toContain("exists");
    for (const color of ["", "red", "#FFF", "#aabbcc;background:url(x)"]) {
      expect(await askRefusal(api, label, { input: { name: "coloured", color } })).toBe(
        `BAD_REQUEST color: must be # and six hexadecimal digits, got ${color}`,
      );
    }
    await set([]);
    expect(
      await askRefusal(
        api,
        `mutation($input: UnsetPromptLabelsInput!) { unsetPromptLabels(input: $input) { query { promptCount } } }`,
        { input: { promptId: prompt.id, promptLabelIds: [created.id] } },
      ),
    ).toContain("does not carry");
    const gone = await ask(
      `mutation($input: DeletePromptLabelsInput!) { deletePromptLabels(input: $input) { deletedPromptLabelIds } }`,
      { input: { promptLabelIds: [created.id, created.id] } },
    );
    expect(gone.deletePromptLabels.deletedPromptLabelIds).toEqual([created.id, created.id]);
  });

  test("a copy has all versions and outlives its source", async () => {
    const prompt = await made("source", { description: "kept", metadata: { a: 1 } });
    await ask(add, { input: { promptId: prompt.id, promptVersion: version() } });
    const { clonePrompt } = await ask(
      `mutation($input: ClonePromptInput!) { clonePrompt(input: $input) { id description metadata versionCount sourcePrompt { name } } }`,
      { input: { promptId: prompt.id, name: "copy", description: null } },
    );
    expect(clonePrompt).toMatchObject({
      description: null,
      metadata: { a: 1 },
      versionCount: 2,
      sourcePrompt: { name: "source" },
    });
    await ask(`mutation($input: DeletePromptInput!) { deletePrompt(input: $input) { query { promptCount } } }`, {
      input: { promptId: prompt.id },
    });
    const { node } = await ask(`query($id: ID!) { node(id: $id) { ... on Prompt { sourcePromptId versionCount } } }`, {
      id: clonePrompt.id,
    });
    expect(node).toEqual({ sourcePromptId: null, versionCount: 2 });
  });

  test("a template is filled as the clients fill it", async () => {
    const filled = `query($text: String!, $format: PromptTemplateFormat!, $variables: JSON!) {
      applyChatTemplate(
        template: {messages: [{role: USER, content: [{text: {text: $text}}]}]}
        templateOptions: {variables: $variables, format: $format}
      ) { messages { role content { ... on TextContentPart { text { text } } } } }
    }`;
    const fill = async (text: string, format: string, variables: unknown) =>
      (await ask(filled, { text, format, variables })).applyChatTemplate.messages[0].content[0].text.text;
    expect(await fill("Hi {{ name }}, {{n}}{{n}}", "MUSTACHE", { name: "Ann", n: [1, "{{x}}"] })).toBe(
      'Hi Ann, [1,"{{x}}"][1,"{{x}}"]',
    );
    expect(await fill("Hi {name} {{not}} }", "F_STRING", { name: "Ann" })).toBe("Hi Ann {not} }");
    expect(await fill("Hi {{name}}", "NONE", {})).toBe("Hi {{name}}");
    const refused = (text: string, format: string, variables: unknown) =>
      askRefusal(api, filled, { text, format, variables });
    expect(await fill("Hi {{name", "MUSTACHE", {})).toBe("Hi {{name");
    expect(await refused("{{b}}{{a}}", "MUSTACHE", {})).toContain("Missing template variable(s): a, b");
    expect(await refused("Hi {{#name}}", "MUSTACHE", { name: "x" })).toContain("never closed");
    expect(await refused("Hi {name", "F_STRING", { name: "x" })).toContain("never closed");
    expect(await refused("x", "NONE", [])).toContain("templateOptions.variables");
  });
});
