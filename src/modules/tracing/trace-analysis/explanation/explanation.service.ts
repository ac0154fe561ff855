// What explains a selection of traces or spans: the values of their properties that are over-represented, compared with the rest of the
// same project and range. Computed when it is asked for; nothing is stored.
import { type ExplainedValue, explain } from "../../../../analysis/explain/explanation.ts";
import { ValueTally } from "../../../../analysis/explain/value-tally.ts";
import { analyse } from "../../../../filter/analyse.ts";
import { parseSpanFilter, parseTraceFilter } from "../../../../filter/filter.ts";
import { namesRead } from "../../../../filter/tree-walk.ts";
import { countFitting } from "../../../../kernel/list.ts";
import type { Range } from "../../../../storage/period.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { RollupsService } from "../../../../summaries/rollups/rollups.service.ts";
import type { VocabularyService } from "../../spans/vocabulary/vocabulary.service.ts";
import { type ExplainedItem, type ExplainedItemsStore, MOST_CHARACTERS } from "./explained-items.store.ts";
import {
  attributeKey,
  type ExplainedItems,
  type ExplainedKey,
  inLanguage,
  isExplaining,
  numberKeys,
  spanKeys,
  traceKeys,
} from "./explained-keys.rules.ts";
import type { SelectionExplanation } from "./explanation.schema.ts";

interface ExplanationRequest {
  readonly projectId: number;
  readonly of: ExplainedItems;
  /** Of everything that is compared. */
  readonly range: Range;
  /** The selection starts in it, too; null narrows nothing. */
  readonly selectedRange: Range | null;
  /** Of the language of what is compared; blank narrows nothing. */
  readonly condition: string;
}

export interface ExplanationService {
  /** Throws `filter.invalid`. */
  explain(context: CallContext, request: ExplanationRequest): Promise<SelectionExplanation>;
}

interface ExplanationLimits {
  /** Items of each side: the newest. */
  readonly selected: number;
  readonly rest: number;
  /** Spans of the traces of a side. */
  readonly spans: number;
}

const LIMITS: ExplanationLimits = { selected: 20_000, rest: 50_000, spans: 500_000 };
/** Spans of each side whose attributes are looked at for names. */
const SAMPLE = 500;
/** Attributes that are compared, the most frequent ones. */
const MOST_TEXTS = 20;
const MOST_NUMBERS = 6;

interface ExplanationDependencies {
  readonly store: ExplainedItemsStore;
  readonly vocabulary: Pick<VocabularyService, "observe">;
  readonly rollups: RollupsService;
  readonly limits?: ExplanationLimits;
}

/** By the name of the key. */
type FoundPaths = Map<string, { readonly key: ExplainedKey; readonly path: readonly string[] }>;

interface Sides<Item> {
  readonly selected: readonly Item[];
  readonly rest: readonly Item[];
}

export function createExplanationService(dependencies: ExplanationDependencies): ExplanationService {
  const { store, vocabulary, rollups, limits = LIMITS } = dependencies;

  async function listSides(context: CallContext, request: ExplanationRequest) {
    const { projectId, of, condition } = request;
    const parsed = of === "traces" ? parseTraceFilter(condition) : parseSpanFilter(condition);
    const filter = await rollups.settledFilter(context, { projectIds: [projectId] }, parsed);
    const list = async (isSelected: boolean, most: number) => {
      const found = await store.list(context, { ...request, filter }, isSelected, most + 1);
      const items = found.slice(
        0,
        Math.min(
          most,
          countFitting(found, limits.spans, ({ spans }) => spans),
        ),
      );
      return { items, isWhole: items.length === found.length };
    };
    const selected = await list(true, limits.selected);
    const rest = await list(false, limits.rest);
    return {
      sides: { selected: selected.items, rest: rest.items },
      isComplete: selected.isWhole && rest.isWhole,
    };
  }

  /** The attributes that are worth comparing: of those that the newest items of a side have. */
  async function findPaths(
    context: CallContext,
    { selected, rest }: Sides<number>,
    isRead: (key: ExplainedKey) => boolean,
    of: ExplainedItems,
  ) {
    const observed = [
      ...(await vocabulary.observe(context, selected.slice(0, SAMPLE))),
      ...(await vocabulary.observe(context, rest.slice(0, SAMPLE))),
    ];
    const [texts, numbers]: [FoundPaths, FoundPaths] = [new Map(), new Map()];
    for (const { path, type, values, repeats } of observed) {
      if (!isExplaining(path)) continue;
      const isNumber = type === "number";
      // Texts that are all different or long tell nothing about several items.
      if (type === "string" && (values.length === 0 || !repeats)) continue;
      const key = attributeKey(of, path, isNumber ? "number" : "text");
      const [into, most] = isNumber ? [numbers, MOST_NUMBERS] : [texts, MOST_TEXTS];
      if (!isRead(key) && into.size < most) into.set(key.name, { key, path });
    }
    return { texts: [...texts.values()], numbers: [...numbers.values()].filter(({ key }) => !texts.has(key.name)) };
  }

  return {
    async explain(context, request) {
      const { of } = request;
      const tree = analyse(of === "traces" ? "trace" : "span", request.condition);
      const read = tree === null ? new Set<string>() : namesRead(tree);
      const isRead = ({ reads }: ExplainedKey) => reads.some((name) => read.has(name));
      const { sides, isComplete } = await listSides(context, request);
      const keys = new Map<string, ExplainedKey>();
      const use = (key: ExplainedKey) => {
        if (isRead(key)) return false;
        keys.set(key.name, key);
        return true;
      };
      const tally = new ValueTally();
      tallyRows(tally, sides, of, use);
      const ids = idsOf(sides, ({ id }) => id);
      const spanIds = idsOf(sides, ({ spanId }) => spanId);
      const known: Readonly<Record<string, ExplainedKey>> = of === "traces" ? traceKeys : spanKeys;
      const counted = [
        ...(await store.countColumns(context, spanIds, of)),
        ...(of === "traces" ? await store.countElements(context, ids) : []),
      ];
      tally.addCounted(
        0,
        0,
        counted.flatMap((each) => {
          const key = known[each.key]!;
          return each.value.length <= MOST_CHARACTERS && use(key) ? [{ ...each, key: key.name }] : [];
        }),
      );
      const { texts, numbers } = await findPaths(context, spanIds, isRead, of);
      for (const { key } of [...texts, ...numbers]) use(key);
      const paths = (found: typeof texts) => found.map(({ path }) => path);
      if (texts.length > 0)
        for (const { selected, rest, values } of await store.countAttributes(context, spanIds, paths(texts)))
          tally.addCounted(
            0,
            0,
            values.flatMap((value, at) => {
              if (value === null || value.length > MOST_CHARACTERS) return [];
              return [{ key: texts[at]!.key.name, value, selectedWith: selected, restWith: rest }];
            }),
          );
      if (numbers.length > 0)
        for (const { isSelected, values } of await store.listNumbers(context, spanIds, paths(numbers)))
          tally.addNumbers(
            isSelected,
            values.map((value, at) => [numbers[at]!.key.name, value] as const),
          );
      const { values, ...explained } = explain(tally);
      return {
        ...explained,
        isComplete,
        values: values.map((value: ExplainedValue) => ({
          ...value,
          ...inLanguage(keys.get(value.key)!, value.value, value.range),
        })),
      };
    },
  };
}

/** What the rows of the items say. */
function tallyRows(
  tally: ValueTally,
  { selected, rest }: Sides<ExplainedItem>,
  of: ExplainedItems,
  use: (key: ExplainedKey) => boolean,
): void {
  const numbers = Object.entries(numberKeys[of]).filter(([, key]) => use(key)) as [
    "latency" | "tokens" | "cost" | "spans",
    ExplainedKey,
  ][];
  const status = of === "traces" && use(traceKeys.status) ? traceKeys.status.name : null;
  const add = (isSelected: boolean) => (item: ExplainedItem) =>
    tally.add(isSelected, [
      ...numbers.map(([column, { name }]) => [name, item[column]] as const),
      ...(status === null ? [] : [[status, item.failed ? "ERROR" : "OK"] as const]),
    ]);
  selected.forEach(add(true));
  rest.forEach(add(false));
}

function idsOf({ selected, rest }: Sides<ExplainedItem>, of: (item: ExplainedItem) => number | null): Sides<number> {
  const ids = (items: readonly ExplainedItem[]) => items.map(of).filter((id) => id !== null);
  return { selected: ids(selected), rest: ids(rest) };
}
