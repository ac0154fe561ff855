// A list of a project by its description: what the address asks for, the rows, and the columns that the reader added. What is counted
// beside the rows is left to the page.
import { type ReactNode, useMemo, useState } from "react";
import type { ViewTab } from "../../model/saved-view.ts";
import type { Matching } from "../domain/annotations/bulk.ts";
import type { CheckDocument } from "../domain/filter/use-check.ts";
import type { Column } from "../kit/table/columns.ts";
import { type Sort, useSort } from "../lib/address.ts";
import { askGraphql, type Document, nodesOf } from "../lib/graphql.ts";
import { Late } from "../lib/late.tsx";
import { type Connection, useGraphql } from "../lib/queries.ts";
import { LiveRange } from "../lib/time-range.ts";
import { type AttributeText, useAttributeColumns } from "./attribute-columns.tsx";
import { useStrip } from "./ChartStrip.tsx";
import { useExplorerState } from "./use-explorer-state.ts";
import type { ListPage, ListSource, SearchProgress } from "./use-list.ts";
import { type ListedTerm, useVocabulary } from "./use-vocabulary.ts";
import type { Listing } from "./verdicts/use-verdicts.ts";
import { useVerdictColumns, type VerdictsOf } from "./verdicts/verdict-columns.tsx";

/** The answer of a query about a project, in which every list has the same name for the same part. */
type OfProject<Part> = { readonly node: { readonly __typename: string } & Partial<Part> };

interface Asked<Key extends string> extends Listing {
  readonly first: number;
  readonly after: string | null;
  readonly sort: { readonly col: Key; readonly dir: "asc" | "desc" };
  readonly attributes: string[];
  readonly judged: string[];
  readonly anyJudged: boolean;
  readonly rootJudged: string[];
  readonly anyRootJudged: boolean;
}

type ListDocument<Node, Key extends string> = Document<
  OfProject<{ readonly list: Connection<Node> & { readonly progress?: SearchProgress } }>,
  Asked<Key>
>;

interface ListDescription<Node, Row extends { readonly id: string }, Key extends string> {
  readonly tab: ViewTab;
  /** Answers `list: …(first: $first, …)`. */
  readonly list: ListDocument<Node, Key>;
  /** The same of what is found by `$text`, with its `progress`. Without it `$condition` holds the words, by `conditionWith`. */
  readonly search?: ListDocument<Node, Key>;
  readonly conditionWith?: (condition: string, words: string) => string;
  /** Answers `vocabulary: …FilterVocabulary { … }`. */
  readonly vocabulary: Document<OfProject<{ readonly vocabulary: readonly ListedTerm[] }>, { readonly id: string }>;
  readonly check: CheckDocument<{ readonly id: string }>;
  readonly rowsOf: (nodes: readonly Node[]) => readonly Row[];
  readonly sorts: readonly Key[];
  readonly newest: Sort<Key>;
  readonly columns: readonly Column<Row>[];
  /** Without it no columns of attributes can be added. */
  readonly attributesOf?: (row: Row) => readonly AttributeText[];
  readonly verdictsOf: VerdictsOf<Row>;
  readonly rootVerdictsOf?: VerdictsOf<Row>;
}

/** For `useListPage`. */
export function describeList<Node, Row extends { readonly id: string }, Key extends string>(
  described: ListDescription<Node, Row, Key>,
): ListDescription<Node, Row, Key> {
  return described;
}

const PAGE = 100;
const keyOf = ({ id }: { readonly id: string }) => id;
const noAttributes = () => [];

export interface BarProps<Row> {
  readonly projectId: string;
  readonly rows: readonly Row[];
  readonly matching: Matching | null;
  /** The selection is dealt with. */
  readonly onDone: () => void;
}

export function useListPage<Node, Row extends { readonly id: string }, Key extends string>(
  projectId: string,
  described: ListDescription<Node, Row, Key>,
) {
  const { tab, newest, attributesOf = noAttributes } = described;
  const state = useExplorerState();
  const [sort, setSort] = useSort(described.sorts, newest);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const timeRange = useMemo(() => new LiveRange(state.range), [state.range]);
  const strip = useStrip(projectId, state.range);
  const text = described.search === undefined ? "" : state.search;
  const condition = described.conditionWith?.(state.condition, state.search) ?? state.condition;
  const listing = { id: projectId, timeRange, condition, text };
  const vocabulary = useVocabulary(useGraphql(described.vocabulary, { id: projectId }).data?.node.vocabulary);
  const shown = useAttributeColumns(tab, described.columns, attributesOf);
  const attributes = shown.names;
  const added = useVerdictColumns(tab, shown.columns, described.verdictsOf, described.rootVerdictsOf);
  const { names: judged, rootNames: rootJudged } = added;
  const source = useMemo((): ListSource<Row> => {
    const { tab, newest, list, search = list, rowsOf } = described;
    const asked = {
      ...{ id: projectId, timeRange, condition, text, first: PAGE },
      sort: { col: sort.key, dir: sort.direction },
      ...{ attributes, judged, rootJudged },
      anyJudged: judged.length > 0,
      anyRootJudged: rootJudged.length > 0,
    };
    return {
      key: [tab, projectId, condition, text, timeRange, sort.key, sort.direction, attributes, judged, rootJudged],
      keyOf,
      growsAtTop: text === "" && sort.key === newest.key && sort.direction === newest.direction,
      async ask(after: string | null, signal: AbortSignal): Promise<ListPage<Row>> {
        const { node } = await askGraphql(text === "" ? list : search, { ...asked, after }, signal);
        const { edges, pageInfo, progress } = node.list!;
        return { rows: rowsOf(nodesOf(edges)), ...pageInfo, ...(progress && { progress }) };
      },
    };
  }, [described, projectId, condition, text, timeRange, sort.key, sort.direction, attributes, judged, rootJudged]);

  return {
    state,
    sortBy: (key: Key) => setSort({ key, direction: "desc" }),
    strip,
    listing,
    attributes,
    /** Of what is counted beside the rows: a search is counted when it is asked for. */
    live: { live: text === "", keepPrevious: true } as const,
    slowly: { live: text === "" && "slowly", keepPrevious: true } as const,
    selectionBy: (bar: (props: BarProps<Row>) => ReactNode, count: number | undefined) => ({
      selected,
      onSelect: setSelected,
      bar: (rows: readonly Row[]) => (
        <Late>
          {bar({
            projectId,
            rows,
            matching: text === "" ? { condition, timeRange, count } : null,
            onDone: () => setSelected(new Set()),
          })}
        </Late>
      ),
    }),
    /** For `Explorer`. */
    explorer: {
      ...{ projectId, tab, state, source, sort, vocabulary, listing },
      columns: added.columns,
      attributes: described.attributesOf && vocabulary.attributes,
      check: described.check,
      onSort: (next: Sort) => setSort(next as Sort<Key>),
    },
  };
}

export type ListPageState = Pick<ReturnType<typeof useListPage>, "listing" | "strip" | "live" | "slowly">;
