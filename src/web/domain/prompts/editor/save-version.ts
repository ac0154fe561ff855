// Sends a version over REST, in the words that programs use: every digit of its JSON arrives.
import { type JsonObject, parseJson, stringifyJson } from "../../../../kernel/json.ts";
import { failureOfResponse, unreachable } from "../../../lib/failure.ts";
import { askGraphql } from "../../../lib/graphql.ts";
import { fetchApi } from "../../../lib/session.ts";
import { addVersionFor, createPromptFor, promptList } from "../prompts.queries.ts";
import { versionInput } from "./version-input.ts";

interface Saved {
  readonly promptId: string;
  readonly versionId: string;
}

export async function addVersion(promptId: string, version: JsonObject, tags: readonly string[]): Promise<Saved> {
  const path = `v1/prompts/${encodeURIComponent(promptId)}/versions`;
  return { promptId, versionId: await post(path, { version, tags: named(tags) }) };
}

interface NewPrompt {
  readonly name: string;
  readonly description: string;
}

export async function createPrompt(
  { name, description }: NewPrompt,
  version: JsonObject,
  tags: readonly string[],
): Promise<Saved> {
  const prompt = { name, description: description === "" ? null : description };
  const versionId = await post("v1/prompts", { prompt, version, tags: named(tags), only_new: true });
  // The answer names the version alone. The newest prompts come first.
  const filter = { col: "name" as const, value: name };
  const { prompts } = await askGraphql(promptList, { first: 100, filter, labelIds: null });
  const made = prompts.edges.find(({ node }) => node.name === name);
  return { promptId: made?.node.id ?? "", versionId };
}

/** By GraphQL, which keeps the custom provider. `promptId` null makes a prompt of this name. */
export async function saveForProvider(
  { promptId, name }: { readonly promptId: string | null; readonly name: string },
  version: JsonObject,
  tags: readonly string[],
  customProviderId: string,
): Promise<Saved> {
  const promptVersion = versionInput(version, customProviderId);
  if (promptId === null) {
    const { createChatPrompt: made } = await askGraphql(createPromptFor, {
      input: { name, promptVersion, tags: named(tags) },
    });
    return { promptId: made.id, versionId: made.version.id };
  }
  const { createChatPromptVersion: changed } = await askGraphql(addVersionFor, {
    input: { promptId, promptVersion, tags: named(tags) },
  });
  return { promptId, versionId: changed.version.id };
}

const named = (tags: readonly string[]) => tags.map((name) => ({ name }));

async function post(path: string, body: JsonObject): Promise<string> {
  const response = await fetchApi(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: stringifyJson(body),
  }).catch((error: unknown) => {
    throw unreachable(error);
  });
  if (!response.ok) throw await failureOfResponse(response);
  return (parseJson(await response.text()) as { readonly data: { readonly id: string } }).data.id;
}
