// A dataset: its examples at a version, with the one that is open over them, its experiments, evaluators and versions.
import { Code, Download, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation, useParams } from "wouter";
import { IconButton } from "../../kit/Button.tsx";
import { Menu, MenuItem, MenuLink, MenuSeparator } from "../../kit/Menu.tsx";
import { EmptyState, Loaded, Skeleton } from "../../kit/States.tsx";
import { TabLinks } from "../../kit/Tabs.tsx";
import { useAddress } from "../../lib/address.ts";
import { Late, late } from "../../lib/late.tsx";
import { linkTo, pathParameter } from "../../lib/links.ts";
import { useGraphql } from "../../lib/queries.ts";
import { queryText } from "../../lib/rest.ts";
import { useRights } from "../../lib/viewer.ts";
import { LiveButton } from "../../shell/LiveButton.tsx";
import { trailPart } from "../../shell/navigation.ts";
import { Page } from "../../shell/Page.tsx";
import { text } from "../../texts/texts.ts";
import { DeleteDatasetDialog, EditDatasetDialog } from "./DatasetDialogs.tsx";
import { datasetById, datasetOf, type ShownDataset } from "./datasets.queries.ts";
import { Examples } from "./Examples.tsx";
import { UploadButton } from "./upload/UploadButton.tsx";
import { VersionSelect } from "./VersionSelect.tsx";

const { Part: CodeDialog } = late(() => import("./code/CodeDialog.tsx"));
const { Part: Versions } = late(() => import("./versions/Versions.tsx"));
const { Part: Evaluators } = late(() => import("./evaluators/Evaluators.tsx"));
const { Part: Experiments } = late(() => import("./experiments/Experiments.tsx"));

const trail = [trailPart("datasets")];

export default function DatasetPage() {
  const { datasetId = "" } = useParams<{ datasetId: string }>();
  const id = pathParameter(datasetId);
  const [path] = useLocation();
  const tab = tabAt(path, id);
  const query = useGraphql(datasetById, { id });
  const address = useAddress();
  const versionId = address.get("version");
  const dataset = query.data === undefined ? undefined : datasetOf(query.data);
  return (
    <Page
      title={dataset?.name ?? text("datasets.title")}
      trail={trail}
      actions={
        dataset && (
          <>
            {tab === "experiments" && <LiveButton />}
            {tab === "examples" && (
              <>
                <VersionSelect
                  datasetId={dataset.id}
                  versionId={versionId}
                  onChange={(version) => address.set({ version })}
                />
                <UploadButton dataset={dataset} />
              </>
            )}
            <MoreMenu dataset={dataset} versionId={versionId} />
          </>
        )
      }
    >
      {dataset === null || query.error?.kind === "not_found" ? (
        <EmptyState title={text("datasets.gone.title")}>{text("datasets.gone.text")}</EmptyState>
      ) : (
        <>
          <TabLinks
            label={text("datasets.tabs")}
            tabs={tabs.map((each) => ({
              to: linkTo(each, { datasetId: id }),
              label: text(tabTitles[each]),
              current: each === tab,
            }))}
          />
          <Loaded query={query}>
            {() =>
              dataset &&
              (tab === "examples" ? (
                <Examples dataset={dataset} versionId={versionId} />
              ) : (
                <Late keys="page" fallback={<Skeleton lines={8} />}>
                  <TabContent tab={tab} datasetId={dataset.id} />
                </Late>
              ))
            }
          </Loaded>
        </>
      )}
    </Page>
  );
}

const tabs = ["examples", "experiments", "datasetEvaluators", "datasetVersions"] as const;
type Tab = (typeof tabs)[number];

const tabTitles = {
  examples: "datasets.examples",
  experiments: "experiments.title",
  datasetEvaluators: "evaluators.title",
  datasetVersions: "versions.title",
} as const;

function tabAt(path: string, datasetId: string): Tab {
  return tabs.find((tab) => path === linkTo(tab, { datasetId })) ?? "examples";
}

function TabContent({ tab, datasetId }: { readonly tab: Exclude<Tab, "examples">; readonly datasetId: string }) {
  if (tab === "experiments") return <Experiments datasetId={datasetId} />;
  return tab === "datasetEvaluators" ? <Evaluators datasetId={datasetId} /> : <Versions datasetId={datasetId} />;
}

const formats = ["csv", "jsonl", "parquet", "jsonl/openai_ft", "jsonl/openai_evals"] as const;

interface MoreMenuProps {
  readonly dataset: ShownDataset;
  readonly versionId: string | null;
}

function MoreMenu({ dataset, versionId }: MoreMenuProps) {
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<"code" | "edit" | "delete" | null>(null);
  const { mayWrite } = useRights();
  const { id, name } = dataset;
  const close = () => setAsked(null);
  return (
    <>
      <Menu trigger={<IconButton label={text("datasets.more", { name })} icon={<Ellipsis />} />}>
        <MenuItem icon={<Code />} onSelect={() => setAsked("code")}>
          {text("datasets.code")}
        </MenuItem>
        <MenuSeparator />
        {formats.map((format) => (
          <MenuLink
            key={format}
            file
            icon={<Download />}
            to={`v1/datasets/${encodeURIComponent(id)}/${format}${queryText({ version_id: versionId })}`}
          >
            {text(`datasets.download.${format}`)}
          </MenuLink>
        ))}
        {mayWrite && (
          <>
            <MenuSeparator />
            <MenuItem icon={<Pencil />} onSelect={() => setAsked("edit")}>
              {text("datasets.edit")}
            </MenuItem>
            <MenuItem danger icon={<Trash2 />} onSelect={() => setAsked("delete")}>
              {text("datasets.delete")}
            </MenuItem>
          </>
        )}
      </Menu>
      {asked === "code" && (
        <Late keys="page">
          <CodeDialog name={name} versionId={versionId} onClose={close} />
        </Late>
      )}
      {asked === "edit" && <EditDatasetDialog dataset={dataset} onClose={close} />}
      {asked === "delete" && (
        <DeleteDatasetDialog dataset={dataset} onClose={close} onDone={() => navigate(linkTo("datasets"))} />
      )}
    </>
  );
}
