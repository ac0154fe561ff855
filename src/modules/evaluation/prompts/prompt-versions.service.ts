// Reading the versions of prompts.
import { emptyPage, type PageRequest, type PlacedPage } from "../../../kernel/list.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { requireGlobalId, requireTagName } from "./prompt-names.rules.ts";
import { promptVersionNotFound, promptWithoutVersions, tagNotFound } from "./prompts.errors.ts";
import { PROMPT_VERSION, type PromptVersion } from "./prompts.schema.ts";
import type { PromptsService } from "./prompts.service.ts";
import type { PromptVersionsStore } from "./versions/prompt-versions.store.ts";

interface PromptVersionsDependencies {
  readonly store: PromptVersionsStore;
  readonly prompts: PromptsService;
}

export interface PromptVersionsService {
  /** Newest first, by prompt. */
  listVersions: PromptVersionsStore["listVersions"];
  /** The same of one prompt; an unknown one has none. Throws kind `invalid` for the identifier. */
  listOfPrompt(context: CallContext, identifier: string, request: PageRequest): Promise<PlacedPage<PromptVersion>>;
  /** By row id. */
  findVersions(context: CallContext, ids: readonly number[]): Promise<Map<number, PromptVersion>>;
  /** The first or the latest version, by prompt. */
  findEndVersions(
    context: CallContext,
    promptIds: readonly number[],
    end: "first" | "latest",
  ): Promise<Map<number, PromptVersion>>;
  /** The version before; null for the first. */
  findVersionsBefore(context: CallContext, ids: readonly number[]): Promise<Map<number, PromptVersion>>;
  /** How many versions, by prompt. */
  countVersions(context: CallContext, promptIds: readonly number[]): Promise<Map<number, number>>;
  /** By global id. Throws kind `invalid`, `not_found`. */
  getVersion(context: CallContext, id: string): Promise<PromptVersion>;
  getLatestVersion(context: CallContext, identifier: string): Promise<PromptVersion>;
  getTaggedVersion(context: CallContext, identifier: string, tag: string): Promise<PromptVersion>;
}

export function createPromptVersionsService({ store, prompts }: PromptVersionsDependencies): PromptVersionsService {
  return {
    listVersions: store.listVersions,

    async listOfPrompt(context, identifier, request) {
      const prompt = await prompts.findPrompt(context, identifier);
      return prompt === null ? emptyPage : (await store.listVersions(context, [prompt.id], request)).get(prompt.id)!;
    },

    async findVersions(context, ids) {
      return new Map((await store.findVersions(context, ids)).map((version) => [version.id, version]));
    },

    async findEndVersions(context, promptIds, end) {
      const found = await store.findEndVersions(context, promptIds, end);
      return new Map(found.map((version) => [version.promptId, version]));
    },

    findVersionsBefore: (context, ids) => store.findVersionsBefore(context, ids),

    countVersions: (context, promptIds) => store.countVersions(context, promptIds),

    async getVersion(context, id) {
      const [version] = await store.findVersions(context, [requireGlobalId(PROMPT_VERSION, id, "prompt version")]);
      if (version === undefined) throw promptVersionNotFound(id);
      return version;
    },

    async getLatestVersion(context, identifier) {
      const { id } = await prompts.getPrompt(context, identifier);
      const [latest] = await store.findEndVersions(context, [id], "latest");
      if (latest === undefined) throw promptWithoutVersions(identifier);
      return latest;
    },

    async getTaggedVersion(context, identifier, tag) {
      requireTagName(tag);
      const { id } = await prompts.getPrompt(context, identifier);
      const tagged = await store.findTagged(context, id, tag);
      if (tagged === null) throw tagNotFound(tag);
      return tagged;
    },
  };
}
