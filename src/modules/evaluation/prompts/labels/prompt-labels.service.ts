// The use cases of labels: words by which prompts are found, shared by all prompts.

import { globalId } from "../../../../kernel/ids.ts";
import { isHexColor } from "../../../../kernel/validation-scalars.ts";
import { isDuplicate } from "../../../../storage/duplicate.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import {
  labelColorRefused,
  labelNotSet,
  promptLabelNameTaken,
  promptLabelNotFound,
  promptNotFound,
} from "../prompts.errors.ts";
import { PROMPT_LABEL, type PromptLabel } from "../prompts.schema.ts";
import type { PromptsStore } from "../prompts.store.ts";
import type { PromptLabelsStore } from "./prompt-labels.store.ts";

interface PromptLabelsDependencies {
  readonly store: PromptLabelsStore;
  readonly prompts: PromptsStore;
  readonly storage: Pick<Storage, "transaction">;
}

interface LabelChanges {
  readonly name?: string;
  readonly description?: string | null;
}

/** Labels and prompts are named by row id. */
export interface PromptLabelsService {
  listLabels: PromptLabelsStore["list"];
  findLabels(context: CallContext, ids: readonly number[]): Promise<Map<number, PromptLabel>>;
  /** By prompt, by name. */
  listOfPrompts(context: CallContext, promptIds: readonly number[]): Promise<Map<number, PromptLabel[]>>;
  /** How many prompts carry each. */
  countUses(context: CallContext, ids: readonly number[]): Promise<Map<number, number>>;
  /** Throws kind `conflict` for a name that is taken. */
  createLabel(context: CallContext, label: Omit<PromptLabel, "id">): Promise<PromptLabel>;
  /** Throws kind `conflict`, `not_found`. */
  patchLabel(context: CallContext, id: number, changes: LabelChanges): Promise<PromptLabel>;
  /** Also when they are gone; prompts lose them. */
  deleteLabels(context: CallContext, ids: readonly number[]): Promise<void>;
  /** The prompt then carries this one, too, which is made where there is none of its name. In the transaction of the caller. */
  addLabel(inner: CallContext, promptId: number, label: Omit<PromptLabel, "id">): Promise<void>;
  /** The prompt then carries exactly these. Throws kind `not_found` for the prompt or a label. */
  setLabels(context: CallContext, promptId: number, ids: readonly number[]): Promise<void>;
  /** Throws kind `not_found` for one that the prompt does not carry; then nothing changes. */
  unsetLabels(context: CallContext, promptId: number, ids: readonly number[]): Promise<void>;
}

export function createPromptLabelsService({ store, prompts, storage }: PromptLabelsDependencies): PromptLabelsService {
  async function findLabels(context: CallContext, ids: readonly number[]): Promise<Map<number, PromptLabel>> {
    return new Map((await store.findAll(context, ids)).map((label) => [label.id, label]));
  }

  const changing = (context: CallContext, promptId: number, change: (inner: CallContext) => Promise<void>) =>
    storage.transaction(context, async (inner) => {
      if (!(await prompts.lock(inner, promptId))) throw promptNotFound(`${promptId}`);
      await change(inner);
    });

  return {
    findLabels,
    listLabels: store.list,
    listOfPrompts: (context, promptIds) => store.listOfPrompts(context, promptIds),
    countUses: (context, ids) => store.countUses(context, ids),

    async createLabel(context, label) {
      if (label.color !== null && !isHexColor(label.color)) throw labelColorRefused(label.color);
      const created = await store.insert(context, label);
      if (created === null) throw promptLabelNameTaken(label.name);
      return created;
    },

    async patchLabel(context, id, changes) {
      try {
        const patched = await store.update(context, id, changes);
        if (patched === null) throw promptLabelNotFound(`${id}`);
        return patched;
      } catch (error) {
        throw isDuplicate(error) ? promptLabelNameTaken(changes.name ?? "") : error;
      }
    },

    deleteLabels: (context, ids) => storage.transaction(context, (inner) => store.remove(inner, ids)),

    async addLabel(inner, promptId, label) {
      const { id } = (await store.insert(inner, label)) ?? (await store.getByName(inner, label.name));
      await store.addToPrompt(inner, promptId, id);
    },

    setLabels: (context, promptId, ids) =>
      changing(context, promptId, async (inner) => {
        const found = await findLabels(inner, ids);
        const unknown = ids.find((id) => !found.has(id));
        if (unknown !== undefined) throw promptLabelNotFound(globalId(PROMPT_LABEL, unknown));
        await store.setOfPrompt(inner, promptId, ids);
      }),

    unsetLabels: (context, promptId, ids) =>
      changing(context, promptId, async (inner) => {
        const carried = new Set((await store.listOfPrompts(inner, [promptId])).get(promptId)?.map(({ id }) => id));
        const missing = ids.find((id) => !carried.has(id));
        if (missing !== undefined) throw labelNotSet(globalId(PROMPT_LABEL, missing));
        await store.unset(inner, promptId, ids);
      }),
  };
}
