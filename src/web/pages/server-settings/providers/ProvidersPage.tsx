// Providers of models: custom ones, which administrators enter here, and built-in ones with what the server has for them.
import { Plus } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { Button } from "../../../kit/Button.tsx";
import { Segmented } from "../../../kit/Field.tsx";
import { SearchList } from "../../../kit/table/SearchList.tsx";
import { useAddress } from "../../../lib/address.ts";
import type { ResultOf } from "../../../lib/graphql.ts";
import { useGraphql, useGraphqlPages } from "../../../lib/queries.ts";
import { useRights } from "../../../lib/viewer.ts";
import { text } from "../../../texts/texts.ts";
import { SecretDialog } from "../SecretDialogs.tsx";
import { SettingsPage } from "../SettingsPage.tsx";
import { DeleteProviderDialog } from "./DeleteProviderDialog.tsx";
import { ProviderDetails } from "./ProviderDetails.tsx";
import { ProviderDialog } from "./ProviderDialog.tsx";
import { providerColumns } from "./provider-columns.tsx";
import { type Preset, presets } from "./provider-form.ts";
import { addressOf, interfaceOf, type ProviderRow, rowsOf } from "./provider-rows.ts";
import {
  type BuiltInProvider,
  builtInProviders,
  type CustomProvider,
  customProviderList,
} from "./providers.queries.ts";

export default function ProvidersPage() {
  return (
    <SettingsPage tab="modelProviders">
      <Providers />
    </SettingsPage>
  );
}

const AT_ONCE = 200;
const keyOf = ({ id }: ProviderRow) => id;
const customOf = (answer: ResultOf<typeof customProviderList>) => answer.generativeModelCustomProviders;

const searching = {
  label: "providers.search",
  within: (row: ProviderRow) => [row.name, interfaceOf(row), addressOf(row)?.word ?? ""],
  none: (search: string) => ({
    title: text("providers.notfound.title"),
    text: text("providers.notfound.text", { search }),
  }),
} as const;

const shares = ["all", "custom", "builtIn"] as const;
const shareChoices = shares.map((value) => ({ value, label: text(`providers.show.${value}`) }));
/** Parameter of the address. */
const SHOW = "show";

type Asked =
  | { readonly about: "new"; readonly preset?: Preset }
  | { readonly about: "show"; readonly row: ProviderRow }
  | { readonly about: "edit" | "delete"; readonly provider: CustomProvider }
  | { readonly about: "secret"; readonly name: string };

function Providers() {
  const { get, set } = useAddress();
  const share = shares.find((each) => each === get(SHOW)) ?? "all";
  const custom = useGraphqlPages(customProviderList, { first: AT_ONCE }, customOf);
  const builtIn = useGraphql(builtInProviders, {});
  const { loadMore } = custom;
  // Custom providers stand before built-in ones: all of them are needed.
  useEffect(() => loadMore?.(), [loadMore]);
  const [asked, setAsked] = useState<Asked | null>(null);
  const { mayAdminister, mayWrite } = useRights();
  const close = () => setAsked(null);
  const actions = useMemo(
    () =>
      mayAdminister
        ? {
            onEdit: (provider: CustomProvider) => setAsked({ about: "edit", provider }),
            onDelete: (provider: CustomProvider) => setAsked({ about: "delete", provider }),
            onStoreKey: (name: string) => setAsked({ about: "secret", name }),
          }
        : null,
    [mayAdminister],
  );
  const columns = useMemo(() => providerColumns(actions), [actions]);
  const known = builtIn.data?.modelProviders;
  const rows = useMemo(() => {
    if (custom.rows === undefined || known === undefined) return undefined;
    return rowsOf(custom.rows, known).filter(({ kind }) => share === "all" || kind === share);
  }, [custom.rows, known, share]);
  const refetch = () => {
    void custom.refetch();
    void builtIn.refetch();
  };
  return (
    <>
      <SearchList
        name="providers"
        label={text("settings.tab.modelProviders")}
        columns={columns}
        list={{ rows, error: custom.error ?? builtIn.error, refetch }}
        keyOf={keyOf}
        onOpen={(row) => setAsked({ about: "show", row })}
        search={searching}
        note={(count) => count !== undefined && text("providers.count", { count })}
        empty={{
          title: text(`providers.none.${share}`),
          text: text(`providers.none.${share}.text`),
          action: share !== "builtIn" && mayAdminister && (
            <Button onClick={() => setAsked({ about: "new", preset: presets[0]! })}>
              {text("providers.none.ollama")}
            </Button>
          ),
        }}
        lead={
          <Segmented
            label={text("providers.show")}
            value={share}
            choices={shareChoices}
            onChange={(next) => set({ [SHOW]: next === "all" ? null : next }, "replace")}
          />
        }
        actions={
          mayAdminister && (
            <Button look="main" icon={<Plus />} onClick={() => setAsked({ about: "new" })}>
              {text("providers.new")}
            </Button>
          )
        }
      />
      {asked?.about === "show" && (
        <ProviderDetails
          row={asked.row}
          onEdit={actions?.onEdit ?? null}
          onStoreKey={actions?.onStoreKey ?? null}
          mayList={mayWrite}
          onClose={close}
        />
      )}
      {asked?.about === "new" && <ProviderDialog provider={null} preset={asked.preset} onClose={close} />}
      {asked?.about === "edit" && <ProviderDialog provider={asked.provider} onClose={close} />}
      {asked?.about === "delete" && <DeleteProviderDialog provider={asked.provider} onClose={close} />}
      {asked?.about === "secret" && (
        <SecretDialog name={asked.name} taken={storedSecrets(known ?? [])} onClose={close} />
      )}
    </>
  );
}

/** Names of secrets that are stored. */
function storedSecrets(providers: readonly BuiltInProvider[]): ReadonlySet<string> {
  const stored = providers.flatMap(({ credentialRequirements }) =>
    credentialRequirements.filter(({ source }) => source === "SECRET" || source === "UNREADABLE_SECRET"),
  );
  return new Set(stored.map(({ envVarName }) => envVarName));
}
