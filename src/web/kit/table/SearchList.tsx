// A page's list: a line with the search, the count and the main button, and the table below, with everything that can stand in its
// place: a failure, nothing yet, nothing found. The search lives in the address, so that a copied link shows the same rows.

import { Search } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { searchedWords } from "../../../modules/tracing/spans/search/search.rules.ts";
import { useAddress } from "../../lib/address.ts";
import type { PageFailure } from "../../lib/failure.ts";
import { type LabelKey, text } from "../../texts/texts.ts";
import { Button } from "../Button.tsx";
import { TextField } from "../Field.tsx";
import { useShortcut } from "../keys.ts";
import { EmptyState, FailedState, Notice } from "../States.tsx";
import { DataTable, type DataTableProps } from "./DataTable.tsx";
import styles from "./SearchList.module.css";

/** Rows as `useGraphqlPages` gives them; of a plain query, its rows and its `error` and `refetch`. */
interface ListedRows<Row> {
  readonly rows: readonly Row[] | undefined;
  readonly error: PageFailure | null;
  readonly refetch: () => unknown;
  readonly loadMore?: (() => void) | undefined;
  readonly loadingMore?: boolean;
}

interface Words {
  readonly title: string;
  readonly text: string;
}

interface ListSearch<Row> {
  readonly label: LabelKey;
  /** The texts of a row that are searched here, without regard to case; absent when the server has searched already. */
  readonly within?: (row: Row) => readonly string[];
  /** When no row is found. */
  readonly none: (search: string) => Words;
}

type TableProps<Row> = Pick<
  DataTableProps<Row>,
  "name" | "label" | "columns" | "keyOf" | "onOpen" | "openKey" | "sort" | "onSort" | "selected" | "onSelect"
>;

interface SearchListProps<Row> extends TableProps<Row> {
  readonly list: ListedRows<Row>;
  /** What is missing beside the rows, above them. */
  readonly problem?: string | undefined;
  /** A module constant or a memo: the rows are searched whenever it changes. */
  readonly search?: ListSearch<Row>;
  /** Beside the search: the count of the rows that are shown, a hint, or both. */
  readonly note: (shown: number | undefined) => ReactNode;
  /** When there are no rows at all. */
  readonly empty: Words & { readonly action?: ReactNode };
  /** At the start of the line, before the search. */
  readonly lead?: ReactNode;
  /** At the end of the line; the main button last. */
  readonly actions?: ReactNode;
}

/** The search of the address. */
export function useSearchText(): string {
  return useAddress().get(PARAMETER) ?? "";
}

const PARAMETER = "search";

export function SearchList<Row>(props: SearchListProps<Row>) {
  const { list, problem, search, note, empty, lead, actions, ...table } = props;
  const { error, refetch, loadMore } = list;
  const words = useSearchText();
  const within = search?.within;
  const rows = useMemo(
    () => (within === undefined ? list.rows : list.rows?.filter((row) => holds(within(row), words))),
    [list.rows, within, words],
  );
  // What is searched here must be here.
  useEffect(() => {
    if (within !== undefined && words !== "") loadMore?.();
  }, [within, words, loadMore]);
  return (
    <>
      <div className={styles.bar}>
        {lead}
        {search !== undefined && <SearchField label={text(search.label)} />}
        <span className={styles.note}>{note(rows?.length)}</span>
        {actions}
      </div>
      {problem !== undefined && rows !== undefined && <Notice tone="error">{problem}</Notice>}
      {error && rows === undefined ? (
        <FailedState failure={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          key={table.name}
          {...table}
          rows={rows}
          onEnd={loadMore}
          loadingMore={list.loadingMore ?? false}
          empty={
            search === undefined || words === "" ? (
              <EmptyState title={empty.title} action={empty.action}>
                {empty.text}
              </EmptyState>
            ) : (
              <NothingFound {...search.none(words)} />
            )
          }
        />
      )}
    </>
  );
}

function SearchField({ label }: { readonly label: string }) {
  const address = useAddress();
  const field = useRef<HTMLInputElement>(null);
  useShortcut({ keys: "/", label: "keys.filter", group: "keys.list", run: () => field.current?.focus() });
  return (
    <div className={styles.search}>
      <TextField
        label={label}
        labelHidden
        type="search"
        placeholder={label}
        icon={<Search />}
        inputRef={field}
        value={address.get(PARAMETER) ?? ""}
        onChange={(value) => address.set({ [PARAMETER]: value }, "replace")}
      />
    </div>
  );
}

function NothingFound({ title, text: sentence }: Words) {
  const address = useAddress();
  const clear = <Button onClick={() => address.set({ [PARAMETER]: null })}>{text("kit.search.clear")}</Button>;
  return (
    <EmptyState title={title} action={clear}>
      {sentence}
    </EmptyState>
  );
}

function holds(texts: readonly string[], words: string): boolean {
  const wanted = searchedWords(words.trim()).map((word) => word.toLowerCase());
  return wanted.every((word) => texts.some((each) => each.toLowerCase().includes(word)));
}
