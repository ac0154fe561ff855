// Credentials of model providers, by name. Values are stored and replaced here, and never shown.
import { Plus } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { Button } from "../../kit/Button.tsx";
import { SearchList } from "../../kit/table/SearchList.tsx";
import type { ResultOf } from "../../lib/graphql.ts";
import { useGraphqlPages } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import { DeleteSecretDialog, SecretDialog } from "./SecretDialogs.tsx";
import { SettingsPage } from "./SettingsPage.tsx";
import { secretColumns } from "./secret-columns.tsx";
import { type ListedSecret, secretList } from "./secrets.queries.ts";

export default function SecretsPage() {
  return (
    <SettingsPage tab="secrets">
      <Secrets />
    </SettingsPage>
  );
}

const AT_ONCE = 200;
const keyOf = ({ id }: ListedSecret) => id;
const secretsOf = (answer: ResultOf<typeof secretList>) => answer.secrets;

const searching = {
  label: "secrets.search",
  within: ({ key, user }: ListedSecret) => [key, user?.username ?? ""],
  none: (search: string) => ({
    title: text("secrets.notfound.title"),
    text: text("secrets.notfound.text", { search }),
  }),
} as const;

function Secrets() {
  const list = useGraphqlPages(secretList, { first: AT_ONCE }, secretsOf);
  const { rows, loadMore } = list;
  // The warning that a name is taken needs all names.
  useEffect(() => loadMore?.(), [loadMore]);
  const names = useMemo(() => new Set(rows?.map(({ key }) => key)), [rows]);
  const [storing, setStoring] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<string | null>(null);
  const { mayAdminister } = useRights();
  const columns = useMemo(
    () => secretColumns(mayAdminister ? { onReplace: setStoring, onDelete: setDeleting } : null),
    [mayAdminister],
  );
  return (
    <>
      <SearchList
        name="secrets"
        label={text("settings.tab.secrets")}
        columns={columns}
        list={list}
        keyOf={keyOf}
        search={searching}
        note={(count) =>
          count ? `${text("secrets.count", { count })} · ${text("secrets.hint")}` : text("secrets.hint")
        }
        empty={{ title: text("secrets.none.title"), text: text("secrets.none.text") }}
        actions={
          mayAdminister && (
            <Button look="main" icon={<Plus />} onClick={() => setStoring("")}>
              {text("secrets.new")}
            </Button>
          )
        }
      />
      {storing !== null && <SecretDialog name={storing} taken={names} onClose={() => setStoring(null)} />}
      {deleting !== null && <DeleteSecretDialog name={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}
