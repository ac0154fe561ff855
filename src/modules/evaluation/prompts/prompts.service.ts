// The use cases of prompts and of making versions. Who may call them is decided by the policy before.
import { authorIdOf } from "../../../access/principal.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import { requireFits } from "../model-providers/custom/custom-provider-endpoint.rules.ts";
import type { CustomProvidersService } from "../model-providers/custom/custom-providers.service.ts";
import { requirePromptKey, requirePromptName } from "./prompt-names.rules.ts";
import { promptInUse, promptNameTaken, promptNotFound } from "./prompts.errors.ts";
import type { NewPrompt, NewTag, Prompt, PromptChanges, PromptVersion, VersionContent } from "./prompts.schema.ts";
import type { PromptsStore } from "./prompts.store.ts";
import type { PromptTagsService } from "./versions/prompt-tags.service.ts";
import type { PromptVersionsStore } from "./versions/prompt-versions.store.ts";

interface PromptsDependencies {
  readonly store: PromptsStore;
  readonly versions: PromptVersionsStore;
  readonly tags: PromptTagsService;
  readonly customProviders: CustomProvidersService;
  readonly storage: Pick<Storage, "transaction">;
  readonly clock: Clock;
}

export interface PromptsService {
  /** Newest first. */
  listPrompts: PromptsStore["list"];
  countPrompts(context: CallContext): Promise<number>;
  /** By row id. */
  findPrompts(context: CallContext, ids: readonly number[]): Promise<Map<number, Prompt>>;
  /** By global id or by name. Throws kind `invalid` for a text that can be neither. */
  findPrompt(context: CallContext, identifier: string): Promise<Prompt | null>;
  /** The same. Throws kind `not_found`, too. */
  getPrompt(context: CallContext, identifier: string): Promise<Prompt>;
  /** A new prompt with its first version. Throws kind `conflict` for a name that is taken. */
  createPrompt(
    context: CallContext,
    prompt: NewPrompt,
    content: VersionContent,
    tags: readonly NewTag[],
  ): Promise<Prompt>;
  /** The next version of the prompt of this name, with its tags. The prompt is made where there is none; one that exists stays as it
   *  is, or is refused with kind `conflict` by `onlyNew`. */
  createVersionOfName(
    context: CallContext,
    prompt: NewPrompt,
    content: VersionContent,
    how: { readonly tags: readonly NewTag[]; readonly onlyNew: boolean },
  ): Promise<PromptVersion>;
  /** The next version, with its tags in one transaction. Throws kind `invalid`, `not_found` for the prompt, `forbidden` for a tag. */
  addVersion(
    context: CallContext,
    identifier: string,
    content: VersionContent,
    tags: readonly NewTag[],
  ): Promise<PromptVersion>;
  /** A copy with all versions; tags stay with the source. What `changes` leaves out is as in the source. Throws kind `not_found`, `conflict`. */
  clonePrompt(context: CallContext, identifier: string, name: string, changes: PromptChanges): Promise<Prompt>;
  patchPrompt(context: CallContext, identifier: string, changes: PromptChanges): Promise<Prompt>;
  /** With versions, tags and label links. Throws kind `not_found`, `forbidden` for a prompt with a protected tag, `conflict` for one that
   *  an evaluator is made of. */
  deletePrompt(context: CallContext, identifier: string): Promise<void>;
}

export function createPromptsService(dependencies: PromptsDependencies): PromptsService {
  const { store, versions, tags, customProviders, storage, clock } = dependencies;
  const author = (context: CallContext) => ({ userId: authorIdOf(context.principal), nowUs: clock.now() });

  async function findPrompt(context: CallContext, identifier: string): Promise<Prompt | null> {
    return store.find(context, requirePromptKey(identifier));
  }

  async function getPrompt(context: CallContext, identifier: string): Promise<Prompt> {
    const prompt = await findPrompt(context, identifier);
    if (prompt === null) throw promptNotFound(identifier);
    return prompt;
  }

  /** The next version, alone among changes of the prompt. */
  async function nextVersion(
    inner: CallContext,
    prompt: Prompt,
    content: VersionContent,
    wanted: readonly NewTag[],
  ): Promise<PromptVersion> {
    if (!(await store.lock(inner, prompt.id))) throw promptNotFound(prompt.name);
    const { customProviderId, modelProvider } = content;
    if (customProviderId !== null) {
      requireFits(await customProviders.holdProvider(inner, customProviderId), modelProvider);
    }
    const version = await versions.insertVersion(inner, { promptId: prompt.id, ...author(inner) }, content);
    await tags.setTags(inner, version, wanted);
    return version;
  }

  return {
    findPrompt,
    getPrompt,

    listPrompts: store.list,
    countPrompts: store.count,

    async findPrompts(context, ids) {
      return new Map((await store.findAll(context, ids)).map((prompt) => [prompt.id, prompt]));
    },

    async createPrompt(context, prompt, content, wanted) {
      requirePromptName(prompt.name);
      return storage.transaction(context, async (inner) => {
        const made = await store.insert(inner, { ...prompt, sourcePromptId: null, nowUs: clock.now() });
        if (made === null) throw promptNameTaken(prompt.name);
        await nextVersion(inner, made, content, wanted);
        return made;
      });
    },

    createVersionOfName: (context, prompt, content, { tags: wanted, onlyNew }) =>
      storage.transaction(context, async (inner) => {
        const known = await store.find(inner, { name: prompt.name });
        const made =
          known === null ? await store.insert(inner, { ...prompt, sourcePromptId: null, nowUs: clock.now() }) : null;
        if (onlyNew && made === null) throw promptNameTaken(prompt.name);
        // Not made: another call made it just now.
        const found = made ?? known ?? (await store.find(inner, { name: prompt.name }));
        if (found === null) throw promptNotFound(prompt.name);
        return nextVersion(inner, found, content, wanted);
      }),

    async addVersion(context, identifier, content, wanted) {
      const prompt = await getPrompt(context, identifier);
      return storage.transaction(context, (inner) => nextVersion(inner, prompt, content, wanted));
    },

    async clonePrompt(context, identifier, name, changes) {
      requirePromptName(name);
      const source = await getPrompt(context, identifier);
      const { description, metadata } = { ...source, ...changes };
      const clone = { name, description, metadata, sourcePromptId: source.id, nowUs: clock.now() };
      return storage.transaction(context, async (inner) => {
        if (!(await store.lock(inner, source.id))) throw promptNotFound(identifier);
        const made = await store.insert(inner, clone);
        if (made === null) throw promptNameTaken(name);
        await versions.copyVersions(inner, source.id, made.id);
        return made;
      });
    },

    async patchPrompt(context, identifier, changes) {
      const { id } = await getPrompt(context, identifier);
      const patched = await store.update(context, id, changes, clock.now());
      if (patched === null) throw promptNotFound(identifier);
      return patched;
    },

    async deletePrompt(context, identifier) {
      const { id, name } = await getPrompt(context, identifier);
      await storage.transaction(context, async (inner) => {
        if (!(await store.lock(inner, id))) throw promptNotFound(identifier);
        await tags.requireDeletable(inner, id);
        const evaluator = await store.findEvaluator(inner, id);
        if (evaluator !== null) throw promptInUse(name, evaluator);
        await store.remove(inner, id);
      });
    },
  };
}
