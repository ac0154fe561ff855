// The use cases of tags: names such as `production` that point at one version of a prompt and are moved to the next one.
import { refusalOf } from "../../../../access/policy.ts";
import { authorIdOf } from "../../../../access/principal.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import type { Page, PageRequest } from "../../../../kernel/list.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import { requireGlobalId, requireTagName } from "../prompt-names.rules.ts";
import { promptProtected, promptVersionNotFound, tagNotFound, tagProtected } from "../prompts.errors.ts";
import {
  type NewTag,
  PROMPT_VERSION,
  PROMPT_VERSION_TAG,
  type PromptVersion,
  type PromptVersionTag,
  type TagMove,
} from "../prompts.schema.ts";
import type { PromptsStore } from "../prompts.store.ts";
import type { PromptTagsStore } from "./prompt-tags.store.ts";
import type { PromptVersionsStore } from "./prompt-versions.store.ts";

interface PromptTagsDependencies {
  readonly store: PromptTagsStore;
  readonly versions: PromptVersionsStore;
  readonly prompts: PromptsStore;
  readonly storage: Pick<Storage, "transaction">;
  readonly clock: Clock;
  /** Only administrators set or remove these. */
  readonly protectedTags: readonly string[];
}

export interface PromptTagsService {
  /** Those that point at the version, newest first. Throws kind `invalid` for the id, `not_found`. */
  listTags(context: CallContext, versionId: string, request: PageRequest): Promise<Page<PromptVersionTag>>;
  /** Sets the tag on the version, wherever in the prompt it pointed. Throws kind `invalid`, `not_found`, `forbidden`. */
  setTag(context: CallContext, versionId: string, tag: NewTag): Promise<PromptVersionTag>;
  /** The same for several in the transaction of the caller, who holds the prompt; of one name twice the last counts. */
  setTags(context: CallContext, version: PromptVersion, tags: readonly NewTag[]): Promise<void>;
  /** Throws kind `forbidden` for a prompt with a tag that the caller may not remove. Asked in the transaction of the caller, who holds
   *  the prompt. */
  requireDeletable(inner: CallContext, promptId: number): Promise<void>;
  /** Throws kind `not_found` also for a tag that points at another version. */
  removeTag(context: CallContext, versionId: string, name: string): Promise<void>;
  /** By global id of the tag, wherever it points; answers with what it was. */
  removeTagById(context: CallContext, tagId: string): Promise<PromptVersionTag>;
  /** By row id. */
  findTags(context: CallContext, ids: readonly number[]): Promise<Map<number, PromptVersionTag>>;
  /** By prompt, by name. */
  listOfPrompts(context: CallContext, promptIds: readonly number[]): Promise<Map<number, PromptVersionTag[]>>;
  /** By version, by name. */
  listOfVersions(context: CallContext, versionIds: readonly number[]): Promise<Map<number, PromptVersionTag[]>>;
  /** Where the tags were set, newest first, by prompt. */
  listMoves(context: CallContext, promptIds: readonly number[]): Promise<Map<number, TagMove[]>>;
}

export function createPromptTagsService(dependencies: PromptTagsDependencies): PromptTagsService {
  const { store, versions, prompts, storage, clock, protectedTags } = dependencies;
  const author = (context: CallContext) => ({ userId: authorIdOf(context.principal), nowUs: clock.now() });

  const isMovable = ({ principal }: CallContext, name: string) =>
    !protectedTags.includes(name) || refusalOf(principal, "prompts.move_protected") === null;

  /** Throws kind `forbidden` unless the caller may move the tag. */
  function requireMovable(context: CallContext, name: string): void {
    if (!isMovable(context, name)) throw tagProtected(name);
  }

  async function getVersion(context: CallContext, versionId: string): Promise<PromptVersion> {
    const id = requireGlobalId(PROMPT_VERSION, versionId, "prompt version");
    const [version] = await versions.findVersions(context, [id]);
    if (version === undefined) throw promptVersionNotFound(versionId);
    return version;
  }

  /** Alone among changes of the prompt. */
  const changing = <Result>(
    context: CallContext,
    promptId: number,
    change: (inner: CallContext) => Promise<Result>,
  ): Promise<Result> =>
    storage.transaction(context, async (inner) => {
      await prompts.lock(inner, promptId);
      return change(inner);
    });

  async function remove(context: CallContext, tag: PromptVersionTag): Promise<void> {
    requireMovable(context, tag.name);
    await changing(context, tag.promptId, async (inner) => {
      if (!(await store.remove(inner, tag, author(inner)))) throw tagNotFound(tag.name);
    });
  }

  const grouped = async (context: CallContext, column: "prompt_id" | "version_id", ids: readonly number[]) => {
    const found = new Map<number, PromptVersionTag[]>(ids.map((id) => [id, []]));
    for (const tag of await store.listOf(context, column, ids)) {
      found.get(column === "prompt_id" ? tag.promptId : tag.versionId)?.push(tag);
    }
    return found;
  };

  return {
    async listTags(context, versionId, request) {
      const { id } = await getVersion(context, versionId);
      return store.listOfVersion(context, id, request);
    },

    async setTag(context, versionId, tag) {
      requireTagName(tag.name);
      const version = await getVersion(context, versionId);
      requireMovable(context, tag.name);
      return changing(context, version.promptId, (inner) => store.set(inner, version, tag, author(inner)));
    },

    async setTags(context, version, tags) {
      const wanted = new Map(tags.map((tag) => [tag.name, tag]));
      for (const tag of wanted.values()) {
        requireTagName(tag.name);
        requireMovable(context, tag.name);
        await store.set(context, version, tag, author(context));
      }
    },

    async requireDeletable(inner, promptId) {
      const kept = (await store.listOf(inner, "prompt_id", [promptId])).find(({ name }) => !isMovable(inner, name));
      if (kept !== undefined) throw promptProtected(kept.name);
    },

    async removeTag(context, versionId, name) {
      const id = requireGlobalId(PROMPT_VERSION, versionId, "prompt version");
      requireTagName(name);
      const version = await getVersion(context, versionId);
      const tag = await store.findByName(context, version.promptId, name);
      if (tag?.versionId !== id) throw tagNotFound(name);
      await remove(context, tag);
    },

    async removeTagById(context, tagId) {
      const [tag] = await store.findAll(context, [requireGlobalId(PROMPT_VERSION_TAG, tagId, "prompt version tag")]);
      if (tag === undefined) throw tagNotFound(tagId);
      await remove(context, tag);
      return tag;
    },

    async findTags(context, ids) {
      return new Map((await store.findAll(context, ids)).map((tag) => [tag.id, tag]));
    },

    listOfPrompts: (context, promptIds) => grouped(context, "prompt_id", promptIds),
    listOfVersions: (context, versionIds) => grouped(context, "version_id", versionIds),
    listMoves: (context, promptIds) => store.listMoves(context, promptIds),
  };
}
