// The examples of a dataset at a version, searched and narrowed to a split. What is open stands in the path, the rest in the parameters.
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { useLocation, useParams } from "wouter";
import { ListEnd } from "../../explorer/list-end.ts";
import { OverList } from "../../explorer/OverList.tsx";
import { Button } from "../../kit/Button.tsx";
import { Select } from "../../kit/Field.tsx";
import { ColumnsMenu } from "../../kit/table/ColumnsMenu.tsx";
import { SearchList, useSearchText } from "../../kit/table/SearchList.tsx";
import { useAddress } from "../../lib/address.ts";
import { useDebounced } from "../../lib/debounced.ts";
import { readFragment } from "../../lib/graphql.ts";
import { Late, late } from "../../lib/late.tsx";
import { linkTo, pathParameter } from "../../lib/links.ts";
import { useGraphqlPages } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import styles from "./DatasetPage.module.css";
import { exampleFields, exampleList, examplesOf, type ListedExample, type ShownDataset } from "./datasets.queries.ts";
import { ExamplePanel } from "./ExamplePanel.tsx";
import { exampleColumns } from "./example-columns.tsx";

const { Part: ExampleSelectionBar } = late(() => import("./editor/ExampleSelectionBar.tsx"));
const { Part: AddExampleDialog } = late(() => import("./editor/AddExampleDialog.tsx"));

const AT_ONCE = 50;
const keyOf = ({ id }: ListedExample) => id;
const searching = {
  label: "datasets.example.search",
  none: (search: string) => ({
    title: text("datasets.example.none.title"),
    text: text("datasets.none.text", { search }),
  }),
} as const;

interface ExamplesProps {
  readonly dataset: ShownDataset;
  /** Null for the newest. */
  readonly versionId: string | null;
}

export function Examples({ dataset, versionId }: ExamplesProps) {
  const address = useAddress();
  const { mayWrite } = useRights();
  const [adding, setAdding] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { exampleId, open, close } = useOpenExample(dataset.id);
  const search = useDebounced(useSearchText());
  const splitId = address.get("split") ?? "";
  const list = useGraphqlPages(
    exampleList,
    {
      id: dataset.id,
      first: AT_ONCE,
      versionId,
      splitIds: splitId === "" ? null : [splitId],
      filter: search === "" ? null : search,
    },
    examplesOf,
    { keepPrevious: true },
  );
  const rows = useMemo(() => list.rows && readFragment(exampleFields, list.rows), [list.rows]);
  const chosen = rows?.filter(({ id }) => selected.has(id)) ?? [];
  const counted = list.first === undefined || search !== "" ? null : countIn(list.first);
  return (
    <div className={styles.examples}>
      <SearchList
        name="examples"
        label={text("datasets.examples")}
        columns={exampleColumns}
        list={{ ...list, rows }}
        keyOf={keyOf}
        onOpen={({ id }) => open(id)}
        openKey={exampleId}
        {...(mayWrite ? { selected, onSelect: setSelected } : {})}
        search={searching}
        note={() => counted !== null && text("datasets.example.count", { count: counted })}
        empty={
          splitId === ""
            ? { title: text("datasets.example.empty.title"), text: text("datasets.example.empty.text") }
            : { title: text("datasets.example.unsplit.title"), text: text("datasets.example.unsplit.text") }
        }
        lead={
          dataset.splits.length > 0 && (
            <Select
              labelHidden
              label={text("datasets.splits")}
              choices={[
                { value: "", label: text("datasets.splits.all") },
                ...dataset.splits.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              value={splitId}
              onChange={(split) => address.set({ split })}
            />
          )
        }
        actions={
          <>
            <ColumnsMenu table="examples" columns={exampleColumns} />
            {mayWrite && (
              <Button icon={<Plus />} onClick={() => setAdding(true)}>
                {text("datasets.add")}
              </Button>
            )}
          </>
        }
      />
      {chosen.length > 0 && (
        <Late>
          <ExampleSelectionBar examples={chosen} newest={versionId === null} onDone={() => setSelected(new Set())} />
        </Late>
      )}
      {adding && (
        <Late keys="page">
          <AddExampleDialog datasetId={dataset.id} like={rows?.[0]?.revision} onClose={() => setAdding(false)} />
        </Late>
      )}
      {exampleId !== null && (
        <ListEnd value={list}>
          <OverList
            reading
            rows={rows ?? []}
            isOpen={({ id }) => id === exampleId}
            onOpen={({ id }) => open(id)}
            onClose={close}
          >
            {(navigation) => (
              <ExamplePanel
                key={exampleId}
                exampleId={exampleId}
                versionId={versionId}
                row={rows?.find(({ id }) => id === exampleId)}
                navigation={navigation}
              />
            )}
          </OverList>
        </ListEnd>
      )}
    </div>
  );
}

function countIn({ node }: Parameters<typeof examplesOf>[0]): number | null {
  return node !== null && "exampleCount" in node ? node.exampleCount : null;
}

function useOpenExample(datasetId: string) {
  const { exampleId } = useParams<{ exampleId?: string }>();
  const [, navigate] = useLocation();
  const go = (path: string) => navigate(`${path}${location.search}`);
  return {
    exampleId: exampleId === undefined ? null : pathParameter(exampleId),
    open: (id: string) => go(linkTo("example", { datasetId, exampleId: id })),
    close: () => go(linkTo("examples", { datasetId })),
  };
}
