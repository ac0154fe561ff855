// The use cases of models: the built-in ones with those that people have entered. Who may call them is decided by the policy before.
import { authorIdOf } from "../../../access/principal.ts";
import { createPriceList, type PricedModel, type PriceList } from "../../../costs/price-list.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Logger } from "../../../kernel/logger.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import { requireModel } from "./model-content.rules.ts";
import type { ModelCostsStore, ModelScope } from "./model-costs.store.ts";
import { modelIsBuiltIn, modelNameTaken, modelNotFound, modelPatternTaken, tooManyModels } from "./models.errors.ts";
import { type GenerativeModel, type GivenModel, MAX_OWN_MODELS, type NewModel } from "./models.schema.ts";
import type { ModelsStore } from "./models.store.ts";

interface ModelsDependencies {
  readonly store: ModelsStore;
  readonly costs: ModelCostsStore;
  readonly storage: Pick<Storage, "transaction">;
  /** What the service knows itself. */
  readonly builtIn: readonly PricedModel[];
  readonly clock: Clock;
  readonly log: Logger;
}

export interface ModelsService extends ModelCostsStore {
  /** People's own before built-in ones, then by provider and name. */
  listModels(context: CallContext): Promise<GenerativeModel[]>;
  /** Those whose prices were used for calls of the scope, by what these cost or counted, the most first. */
  listTopModels(context: CallContext, scope: ModelScope, by: "cost" | "tokens"): Promise<GenerativeModel[]>;
  /** By the ids of the wire. */
  findModels(context: CallContext, ids: readonly number[]): Promise<Map<number, GenerativeModel>>;
  /** What calls cost that arrive now. */
  currentPrices(context: CallContext): Promise<PriceList>;
  /** Microseconds UTC by `PricedModel.id`. */
  lastUses(context: CallContext, modelIds: readonly number[]): Promise<Map<number, number>>;
  /** Spans that arrive from now on cost its prices, at every server. Throws kind `invalid` that names the field, `conflict`. */
  createModel(context: CallContext, given: GivenModel): Promise<GenerativeModel>;
  /** Replaces everything. Throws as `createModel`, kind `not_found`, and `invalid` for built-in models. */
  updateModel(context: CallContext, id: number, given: GivenModel): Promise<GenerativeModel>;
  /** Costs that were computed with it stay. Throws as `updateModel`; answers what was there. */
  deleteModel(context: CallContext, id: number): Promise<GenerativeModel>;
}

/** Row ids stay below; ids of the wire below twice that. */
const BUILT_IN_IDS = 2 ** 30;

export function createModelsService(dependencies: ModelsDependencies): ModelsService {
  const { store, costs, storage, clock, log } = dependencies;
  const builtIn = numbered(dependencies.builtIn).sort(inOrder);
  const builtInById = new Map(builtIn.map((model) => [model.id, model]));
  /** Rebuilt only when the models have changed: building is slow. */
  let prices: { readonly state: string; readonly list: PriceList } | null = null;
  const author = (context: CallContext) => ({ userId: authorIdOf(context.principal), nowUs: clock.now() });

  async function change<Result>(
    context: CallContext,
    work: (inner: CallContext, own: readonly GenerativeModel[]) => Promise<Result>,
  ): Promise<Result> {
    return storage.transaction(context, async (inner) => {
      await store.lockChanges(inner);
      return work(inner, await store.list(inner));
    });
  }

  function getOwn(own: readonly GenerativeModel[], id: number): GenerativeModel {
    if (builtInById.has(id)) throw modelIsBuiltIn();
    const found = own.find((model) => model.id === id);
    if (found === undefined) throw modelNotFound(String(id));
    return found;
  }

  function tell(what: string, context: CallContext, { id, priced }: GenerativeModel): void {
    const { requestId, principal } = context;
    log.info(what, { model_id: id, name: priced.name, user_id: authorIdOf(principal), request_id: requestId });
  }

  return {
    ...costs,
    listModels: async (context) => [...(await store.list(context)).sort(inOrder), ...builtIn],

    async listTopModels(context, scope, by) {
      const all = [...(await store.list(context)), ...builtIn];
      const ids = all.map(({ priced }) => priced.id);
      const sums = await costs.costSums(context, ids, scope);
      const amountOf = ({ priced }: GenerativeModel): number => {
        const { total = null, promptTokens = null, completionTokens = null } = sums.get(priced.id) ?? {};
        return by === "cost" ? (total ?? 0) : (promptTokens ?? 0) + (completionTokens ?? 0);
      };
      const used = all.filter((model) => amountOf(model) > 0);
      return used.sort((one, other) => amountOf(other) - amountOf(one) || one.id - other.id);
    },

    async findModels(context, ids) {
      const own = ids.some((id) => !builtInById.has(id)) ? await store.list(context) : [];
      const known = new Map([...own.map((model) => [model.id, model] as const), ...builtInById]);
      return new Map(ids.flatMap((id) => (known.has(id) ? [[id, known.get(id)!] as const] : [])));
    },

    async currentPrices(context) {
      const own = await store.list(context);
      const state = own.map(({ id, updatedUs }) => `${id} ${updatedUs}`).join();
      if (prices?.state !== state) {
        const priced = own.map((model) => model.priced);
        const list = createPriceList(
          [...priced, ...dependencies.builtIn],
          0,
          prices === null ? {} : { previous: prices.list },
        );
        prices = { state, list };
      }
      return prices.list;
    },

    lastUses: store.lastUses,

    async createModel(context, given) {
      const model = requireModel(given);
      const created = await change(context, async (inner, own) => {
        if (own.length >= MAX_OWN_MODELS) throw tooManyModels();
        requireFree(model, own);
        return store.insert(inner, model, author(context));
      });
      tell("a model was created", context, created);
      return created;
    },

    async updateModel(context, id, given) {
      const model = requireModel(given);
      const updated = await change(context, async (inner, own) => {
        getOwn(own, id);
        requireFree(
          model,
          own.filter((other) => other.id !== id),
        );
        return store.update(inner, id, model, author(context));
      });
      tell("a model was changed", context, updated);
      return updated;
    },

    async deleteModel(context, id) {
      const deleted = await change(context, async (inner, own) => {
        const found = getOwn(own, id);
        await store.remove(inner, id, author(context));
        return found;
      });
      tell("a model was deleted", context, deleted);
      return deleted;
    },
  };
}

/** Throws kind `conflict`. */
function requireFree(model: NewModel, others: readonly GenerativeModel[]): void {
  const sameStart = others.filter(({ priced }) => (priced.startUs ?? 0) === (model.startUs ?? 0));
  if (sameStart.some(({ priced }) => priced.name === model.name)) throw modelNameTaken(model.name);
  const twin = sameStart.find(
    ({ priced }) => priced.namePattern === model.namePattern && priced.provider === model.provider,
  );
  if (twin !== undefined) throw modelPatternTaken(model.namePattern, twin.priced.name);
}

/** Ids of the wire are made of those of the list, which are the same on every server. */
function numbered(builtIn: readonly PricedModel[]): GenerativeModel[] {
  const taken = new Set<number>();
  return builtIn.map((priced) => {
    let id = BUILT_IN_IDS + (priced.id % BUILT_IN_IDS);
    while (taken.has(id)) id = id === 2 * BUILT_IN_IDS - 1 ? BUILT_IN_IDS : id + 1;
    taken.add(id);
    return { id, priced, createdUs: null, updatedUs: null };
  });
}

function inOrder({ priced: one }: GenerativeModel, { priced: other }: GenerativeModel): number {
  return (
    compare(one.provider ?? "", other.provider ?? "") ||
    compare(one.name, other.name) ||
    (one.startUs ?? 0) - (other.startUs ?? 0)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
