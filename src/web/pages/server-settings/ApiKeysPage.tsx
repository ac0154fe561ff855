// API keys of the installation: those of the system, and those that people made for themselves.
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { DeleteKeyDialog } from "../../domain/account/DeleteKeyDialog.tsx";
import { keyColumns } from "../../domain/account/key-columns.tsx";
import { keysOfPeople, type ListedKey, systemKeys } from "../../domain/account/keys.queries.ts";
import { NewKeyDialog } from "../../domain/account/NewKeyDialog.tsx";
import { Button } from "../../kit/Button.tsx";
import { Segmented } from "../../kit/Field.tsx";
import { SearchList } from "../../kit/table/SearchList.tsx";
import { useAddress } from "../../lib/address.ts";
import { useGraphql } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import { SettingsPage } from "./SettingsPage.tsx";

type Which = "system" | "people";

const choices = [
  { value: "system", label: text("apikeys.system") },
  { value: "people", label: text("apikeys.people") },
] as const satisfies readonly { value: Which; label: string }[];

export default function ApiKeysPage() {
  return (
    <SettingsPage tab="apiKeys">
      <Keys />
    </SettingsPage>
  );
}

const keyOf = ({ id }: ListedKey) => id;

function Keys() {
  const address = useAddress();
  const which: Which = address.get("of") === "people" ? "people" : "system";
  const ofSystem = useGraphql(systemKeys, {}, { enabled: which === "system" });
  const ofPeople = useGraphql(keysOfPeople, {}, { enabled: which === "people" });
  const query = which === "system" ? ofSystem : ofPeople;
  const rows: readonly ListedKey[] | undefined =
    which === "system" ? ofSystem.data?.systemApiKeys : ofPeople.data?.userApiKeys;
  const [making, setMaking] = useState(false);
  const [asked, setAsked] = useState<ListedKey | null>(null);
  const { mayAdminister } = useRights();
  const columns = useMemo(() => keyColumns({ withOwner: which === "people", onDelete: setAsked }), [which]);
  return (
    <>
      <SearchList
        name={`api-keys.${which}`}
        label={text("settings.tab.apiKeys")}
        columns={columns}
        list={{ rows, error: query.error, refetch: query.refetch }}
        keyOf={keyOf}
        note={() => text(`apikeys.${which}.hint`)}
        empty={{ title: text(`apikeys.${which}.none`), text: text(`apikeys.${which}.none.text`) }}
        lead={
          <Segmented
            label={text("apikeys.which")}
            value={which}
            choices={choices}
            onChange={(chosen) => address.set({ of: chosen === "people" ? chosen : null })}
          />
        }
        actions={
          which === "system" &&
          mayAdminister && (
            <Button look="main" icon={<Plus />} onClick={() => setMaking(true)}>
              {text("keys.api.new.system")}
            </Button>
          )
        }
      />
      <NewKeyDialog system open={making} onClose={() => setMaking(false)} />
      {asked !== null && <DeleteKeyDialog system={which === "system"} apiKey={asked} onClose={() => setAsked(null)} />}
    </>
  );
}
