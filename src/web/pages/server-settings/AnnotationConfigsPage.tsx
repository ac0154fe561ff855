// What people judge traces by: names with labels, scores or texts.
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import ConfigDialog from "../../domain/annotations/configs/ConfigDialog.tsx";
import { deleteConfig } from "../../domain/annotations/configs/config-changes.queries.ts";
import { configList, type ListedConfig } from "../../domain/annotations/configs/configs.queries.ts";
import { Button } from "../../kit/Button.tsx";
import { ConfirmDialog } from "../../kit/form/ConfirmDialog.tsx";
import { SearchList } from "../../kit/table/SearchList.tsx";
import { askGraphql, type ResultOf } from "../../lib/graphql.ts";
import { useGraphqlPages } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import { configColumns } from "./annotation-config-columns.tsx";
import { SettingsPage } from "./SettingsPage.tsx";

export default function AnnotationConfigsPage() {
  return (
    <SettingsPage tab="annotationConfigs">
      <Configs />
    </SettingsPage>
  );
}

const AT_ONCE = 200;
const keyOf = ({ id }: ListedConfig) => id;
const configsOf = (answer: ResultOf<typeof configList>) => answer.annotationConfigs;

const searching = {
  label: "annotations.search",
  within: ({ name, description }: ListedConfig) => [name, description ?? ""],
  none: (search: string) => ({
    title: text("annotations.notfound.title"),
    text: text("annotations.notfound.text", { search }),
  }),
} as const;

function Configs() {
  const list = useGraphqlPages(configList, { first: AT_ONCE }, configsOf);
  const [edited, setEdited] = useState<ListedConfig | "new" | null>(null);
  const [deleted, setDeleted] = useState<ListedConfig | null>(null);
  const { mayWrite } = useRights();
  const columns = useMemo(
    () => configColumns(mayWrite ? { onEdit: setEdited, onDelete: setDeleted } : null),
    [mayWrite],
  );
  return (
    <>
      <SearchList
        name="annotation-configs"
        label={text("settings.tab.annotationConfigs")}
        columns={columns}
        list={list}
        keyOf={keyOf}
        search={searching}
        note={() => text("annotations.hint")}
        empty={{ title: text("annotations.none.title"), text: text("annotations.none.text") }}
        actions={
          mayWrite && (
            <Button look="main" icon={<Plus />} onClick={() => setEdited("new")}>
              {text("annotations.new")}
            </Button>
          )
        }
      />
      {edited !== null && <ConfigDialog config={edited === "new" ? null : edited} onClose={() => setEdited(null)} />}
      {deleted !== null && (
        <ConfirmDialog
          title={text("annotations.delete.title", { name: deleted.name })}
          confirm={text("annotations.delete")}
          send={() => askGraphql(deleteConfig, { id: deleted.id })}
          changes={["annotationConfigs"]}
          done={text("annotations.deleted", { name: deleted.name })}
          onClose={() => setDeleted(null)}
        >
          <p>{text("annotations.delete.text")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
