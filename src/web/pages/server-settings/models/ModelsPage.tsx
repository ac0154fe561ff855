// What models cost: the prices that the service knows, and people's own, which come before them.
import { Plus, RefreshCw } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { Button } from "../../../kit/Button.tsx";
import { Segmented } from "../../../kit/Field.tsx";
import { SearchList } from "../../../kit/table/SearchList.tsx";
import { useAddress } from "../../../lib/address.ts";
import type { ResultOf } from "../../../lib/graphql.ts";
import { useGraphqlPages } from "../../../lib/queries.ts";
import { useRights } from "../../../lib/viewer.ts";
import { text } from "../../../texts/texts.ts";
import { SettingsPage } from "../SettingsPage.tsx";
import { ModelDetails } from "./ModelDetails.tsx";
import { DeleteModelDialog, ModelDialog } from "./ModelDialogs.tsx";
import { isOwn, modelColumns } from "./model-columns.tsx";
import { type ListedModel, modelList } from "./models.queries.ts";
import { RecomputationLine, RecomputeDialog } from "./Recomputation.tsx";
import { Unpriced } from "./Unpriced.tsx";
import { useUsedNames } from "./use-used-names.ts";
import { endsOf } from "./validity.ts";

export default function ModelsPage() {
  return (
    <SettingsPage tab="models">
      <Models />
    </SettingsPage>
  );
}

const AT_ONCE = 500;
const keyOf = ({ id }: ListedModel) => id;
const modelsOf = (answer: ResultOf<typeof modelList>) => answer.generativeModels;

const searching = {
  label: "models.search",
  within: ({ name, provider, namePattern }: ListedModel) => [name, provider ?? "", namePattern],
  none: (search: string) => ({
    title: text("models.notfound.title"),
    text: text("models.notfound.text", { search }),
  }),
} as const;

const shares = ["all", "own", "used"] as const;
const shareChoices = shares.map((value) => ({ value, label: text(`models.show.${value}`) }));
/** Parameter of the address. */
const SHOW = "show";

interface Asked {
  readonly about: "show" | "new" | "edit" | "clone" | "delete" | "recompute";
  readonly model: ListedModel | null;
  /** Of a new one: what spans call it. */
  readonly name?: string;
}

function Models() {
  const { get, set } = useAddress();
  const share = shares.find((each) => each === get(SHOW)) ?? "all";
  const list = useGraphqlPages(modelList, { first: AT_ONCE }, modelsOf);
  const { loadMore } = list;
  // Of all models, whatever of them is looked at.
  useEffect(() => loadMore?.(), [loadMore]);
  const [asked, setAsked] = useState<Asked | null>(null);
  const { mayWrite, mayAdminister } = useRights();
  const ask = (about: Asked["about"]) => (model: ListedModel) => setAsked({ about, model });
  const ends = useMemo(() => endsOf(list.rows ?? []), [list.rows]);
  const columns = useMemo(
    () =>
      modelColumns(
        mayWrite
          ? {
              onEdit: (model) => setAsked({ about: "edit", model }),
              onClone: (model) => setAsked({ about: "clone", model }),
              onDelete: (model) => setAsked({ about: "delete", model }),
            }
          : null,
        ends,
      ),
    [mayWrite, ends],
  );
  const rows = useMemo(
    () => list.rows?.filter((model) => share === "all" || (share === "own" ? isOwn(model) : model.lastUsedAt !== null)),
    [list.rows, share],
  );
  const usedNames = useUsedNames();
  const close = () => setAsked(null);
  return (
    <>
      <Unpriced names={usedNames} onPrice={mayWrite ? (name) => setAsked({ about: "new", model: null, name }) : null} />
      <RecomputationLine />
      <SearchList
        name="models"
        label={text("settings.tab.models")}
        columns={columns}
        list={{ ...list, rows }}
        keyOf={keyOf}
        onOpen={ask("show")}
        search={searching}
        note={(count) => count !== undefined && text("models.count", { count })}
        empty={{ title: text(`models.none.${share}`), text: text("models.none.text") }}
        lead={
          <Segmented
            label={text("models.show")}
            value={share}
            choices={shareChoices}
            onChange={(next) => set({ [SHOW]: next === "all" ? null : next }, "replace")}
          />
        }
        actions={
          <>
            {mayAdminister && (
              <Button icon={<RefreshCw />} onClick={() => setAsked({ about: "recompute", model: null })}>
                {text("models.recompute")}
              </Button>
            )}
            {mayWrite && (
              <Button look="main" icon={<Plus />} onClick={() => setAsked({ about: "new", model: null })}>
                {text("models.new")}
              </Button>
            )}
          </>
        }
      />
      {asked?.about === "show" && asked.model !== null && (
        <ModelDetails
          model={asked.model}
          end={ends.get(asked.model.id) ?? null}
          onClone={mayWrite ? ask("clone") : null}
          onClose={close}
        />
      )}
      {(asked?.about === "new" || asked?.about === "clone" || asked?.about === "edit") && (
        <ModelDialog
          model={asked.model}
          name={asked.name}
          usedNames={usedNames}
          editing={asked.about === "edit"}
          onClose={close}
        />
      )}
      {asked?.about === "recompute" && <RecomputeDialog onClose={close} />}
      {asked?.about === "delete" && asked.model !== null && <DeleteModelDialog model={asked.model} onClose={close} />}
    </>
  );
}
