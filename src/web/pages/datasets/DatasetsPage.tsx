// All datasets: which there are, how many examples they hold, and their labels.
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { useLocation } from "wouter";
import { useLabelFilter } from "../../domain/labels/use-label-filter.tsx";
import { Button } from "../../kit/Button.tsx";
import { ColumnsMenu } from "../../kit/table/ColumnsMenu.tsx";
import { SearchList, useSearchText } from "../../kit/table/SearchList.tsx";
import { useSort } from "../../lib/address.ts";
import { useDebounced } from "../../lib/debounced.ts";
import type { ResultOf } from "../../lib/graphql.ts";
import { Late, late } from "../../lib/late.tsx";
import { linkTo } from "../../lib/links.ts";
import { useGraphql, useGraphqlPages } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { Page } from "../../shell/Page.tsx";
import { text } from "../../texts/texts.ts";
import { DeleteDatasetDialog, EditDatasetDialog, NewDatasetDialog } from "./DatasetDialogs.tsx";
import { datasetColumns } from "./dataset-columns.tsx";
import { datasetList, type ListedDataset, labelList } from "./datasets.queries.ts";
import { UploadButton } from "./upload/UploadButton.tsx";

const { Part: FirstDataset } = late(() => import("./FirstDataset.tsx"));

const AT_ONCE = 100;
const keyOf = ({ id }: ListedDataset) => id;
const datasetsOf = (answer: ResultOf<typeof datasetList>) => answer.datasets;
const searching = {
  label: "datasets.search",
  none: (search: string) => ({ title: text("datasets.none.title"), text: text("datasets.none.text", { search }) }),
} as const;

interface Asked {
  readonly about: "edit" | "delete";
  readonly dataset: ListedDataset;
}

export default function DatasetsPage() {
  const [, navigate] = useLocation();
  const { mayWrite } = useRights();
  const [creating, setCreating] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [sort, setSort] = useSort(["name", "createdAt"], { key: "createdAt", direction: "desc" });
  const search = useDebounced(useSearchText());
  const { labelId, choice } = useLabelFilter(useGraphql(labelList, {}).data?.datasetLabels.edges);
  const list = useGraphqlPages(
    datasetList,
    {
      first: AT_ONCE,
      filter: { col: "name", value: search || null, filterLabels: labelId === "" ? null : [labelId] },
      sort: { col: sort.key, dir: sort.direction },
    },
    datasetsOf,
    { keepPrevious: true },
  );
  const columns = useMemo(() => {
    const ask = (about: Asked["about"]) => (dataset: ListedDataset) => setAsked({ about, dataset });
    return datasetColumns(mayWrite ? { onEdit: ask("edit"), onDelete: ask("delete") } : null);
  }, [mayWrite]);
  const close = () => setAsked(null);
  return (
    <Page title={text("datasets.title")}>
      <SearchList
        name="datasets"
        label={text("datasets.title")}
        columns={columns}
        list={list}
        keyOf={keyOf}
        onOpen={({ id }) => navigate(linkTo("dataset", { datasetId: id }))}
        sort={sort}
        onSort={({ key, direction }) => setSort({ key: key === "name" ? "name" : "createdAt", direction })}
        search={searching}
        note={(count) => count !== undefined && text("datasets.count", { count })}
        empty={
          labelId === ""
            ? {
                title: text("datasets.empty.title"),
                text: text("datasets.empty.text"),
                ...(mayWrite ? { action: <FirstDatasetWays /> } : {}),
              }
            : { title: text("datasets.unlabelled.title"), text: text("datasets.unlabelled.text") }
        }
        lead={choice}
        actions={
          <>
            <ColumnsMenu table="datasets" columns={columns} />
            <UploadButton />
            {mayWrite && (
              <Button look="main" icon={<Plus />} onClick={() => setCreating(true)}>
                {text("datasets.new")}
              </Button>
            )}
          </>
        }
      />
      <NewDatasetDialog open={creating} onClose={() => setCreating(false)} />
      {asked?.about === "edit" && <EditDatasetDialog dataset={asked.dataset} onClose={close} />}
      {asked?.about === "delete" && <DeleteDatasetDialog dataset={asked.dataset} onClose={close} />}
    </Page>
  );
}

function FirstDatasetWays() {
  return (
    <Late>
      <FirstDataset />
    </Late>
  );
}
