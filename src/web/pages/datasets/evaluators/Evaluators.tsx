// The evaluators of a dataset: how they judge, and the way to attach, change and detach them. Which is open stands in the address.
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { Button } from "../../../kit/Button.tsx";
import { Notice } from "../../../kit/States.tsx";
import { SearchList, useSearchText } from "../../../kit/table/SearchList.tsx";
import { useAddress } from "../../../lib/address.ts";
import { useDebounced } from "../../../lib/debounced.ts";
import { Late, late } from "../../../lib/late.tsx";
import { useGraphqlPages } from "../../../lib/queries.ts";
import { useRights } from "../../../lib/viewer.ts";
import { text } from "../../../texts/texts.ts";
import { DetachDialog } from "./DetachDialog.tsx";
import { evaluatorColumns } from "./evaluator-columns.tsx";
import { evaluatorList, evaluatorsOf, type ListedEvaluator } from "./evaluators.queries.ts";

const { Part: EvaluatorDialog } = late(() => import("./EvaluatorDialog.tsx"));

const AT_ONCE = 100;
const PARAMETER = "evaluator";
const NEW = "new";
const keyOf = ({ id }: ListedEvaluator) => id;

const searching = {
  label: "evaluators.search",
  none: (search: string) => ({
    title: text("evaluators.notfound.title"),
    text: text("evaluators.notfound.text", { search }),
  }),
} as const;

export default function Evaluators({ datasetId }: { readonly datasetId: string }) {
  const { mayWrite } = useRights();
  const address = useAddress();
  const searched = useDebounced(useSearchText());
  const [detaching, setDetaching] = useState<ListedEvaluator | null>(null);
  const list = useGraphqlPages(
    evaluatorList,
    { id: datasetId, first: AT_ONCE, filter: searched === "" ? null : { col: "name", value: searched } },
    evaluatorsOf,
    { keepPrevious: true },
  );
  const openId = mayWrite ? address.get(PARAMETER) : null;
  const open = (id: string | null) => address.set({ [PARAMETER]: id });
  const { set } = address;
  const columns = useMemo(
    () => evaluatorColumns(mayWrite ? { onEdit: ({ id }) => set({ [PARAMETER]: id }), onDetach: setDetaching } : null),
    [mayWrite, set],
  );
  const edited = list.rows?.find(({ id }) => id === openId) ?? null;
  const isMissing = openId !== null && openId !== NEW && list.rows !== undefined && edited === null;
  const add = mayWrite && (
    <Button look="main" icon={<Plus />} onClick={() => open(NEW)}>
      {text("evaluators.add")}
    </Button>
  );
  return (
    <>
      {isMissing && <Notice tone="error">{text("evaluators.gone")}</Notice>}
      <SearchList
        name="evaluators"
        label={text("evaluators.title")}
        columns={columns}
        list={list}
        keyOf={keyOf}
        search={searching}
        note={(count) =>
          count ? `${text("evaluators.count", { count })} · ${text("evaluators.hint")}` : text("evaluators.hint")
        }
        empty={{ title: text("evaluators.empty.title"), text: text("evaluators.empty.text") }}
        {...(mayWrite ? { onOpen: ({ id }: ListedEvaluator) => open(id) } : {})}
        actions={add}
      />
      {(openId === NEW || edited !== null) && (
        <Late keys="page">
          <EvaluatorDialog
            key={openId}
            datasetId={datasetId}
            stored={openId === NEW ? null : edited}
            onClose={() => open(null)}
          />
        </Late>
      )}
      {detaching !== null && <DetachDialog evaluator={detaching} onClose={() => setDetaching(null)} />}
    </>
  );
}
