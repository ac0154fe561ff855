// Credentials of model providers, by name. Values are stored and replaced here, and never shown.
import { Plus, Search } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "../../kit/Button.tsx";
import { TextField } from "../../kit/Field.tsx";
import { useShortcut } from "../../kit/keys.ts";
import { EmptyState, FailedState } from "../../kit/States.tsx";
import { DataTable } from "../../kit/table/DataTable.tsx";
import { useAddress } from "../../lib/address.ts";
import type { ResultOf } from "../../lib/graphql.ts";
import { useGraphqlPages } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import styles from "./lists.module.css";
import { DeleteSecretDialog, SecretDialog } from "./SecretDialogs.tsx";
import { SettingsFrame } from "./SettingsFrame.tsx";
import { secretColumns } from "./secret-columns.tsx";
import { type ListedSecret, secretList } from "./secrets.queries.ts";

export default function SecretsPage() {
  return (
    <SettingsFrame tab="secrets">
      <Secrets />
    </SettingsFrame>
  );
}

const AT_ONCE = 200;
const keyOf = ({ id }: ListedSecret) => id;
const secretsOf = (answer: ResultOf<typeof secretList>) => answer.secrets;

function Secrets() {
  const address = useAddress();
  const search = address.get("search") ?? "";
  const { rows, error, refetch, loadMore, loadingMore } = useGraphqlPages(secretList, { first: AT_ONCE }, secretsOf);
  // The search, and the warning that a name is taken, look at what is there: ask for the rest.
  useEffect(() => loadMore?.(), [loadMore]);
  const found = useMemo(() => rows?.filter((secret) => fits(secret, search)), [rows, search]);
  const names = useMemo(() => new Set(rows?.map(({ key }) => key)), [rows]);
  const [storing, setStoring] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<string | null>(null);
  const { mayAdminister } = useRights();
  const columns = useMemo(
    () => secretColumns(mayAdminister ? { onReplace: setStoring, onDelete: setDeleting } : null),
    [mayAdminister],
  );
  const field = useRef<HTMLInputElement>(null);
  useShortcut({ keys: "/", label: "keys.filter", group: "keys.list", run: () => field.current?.focus() });
  const add = mayAdminister && (
    <Button look="main" icon={<Plus />} onClick={() => setStoring("")}>
      {text("secrets.new")}
    </Button>
  );
  return (
    <>
      <div className={styles.bar}>
        <div className={styles.search}>
          <TextField
            label={text("secrets.search")}
            labelHidden
            type="search"
            placeholder={text("secrets.search")}
            icon={<Search />}
            inputRef={field}
            value={search}
            onChange={(value) => address.set({ search: value }, "replace")}
          />
        </div>
        <span className={styles.count}>
          {found !== undefined && found.length > 0
            ? `${text("secrets.count", { count: found.length })} · ${text("secrets.hint")}`
            : text("secrets.hint")}
        </span>
        {add}
      </div>
      {error && rows === undefined ? (
        <FailedState failure={error} onRetry={refetch} />
      ) : (
        <DataTable
          name="secrets"
          label={text("settings.secrets")}
          columns={columns}
          rows={found}
          keyOf={keyOf}
          loadingMore={loadingMore}
          empty={
            search === "" ? (
              <EmptyState title={text("secrets.none.title")}>{text("secrets.none.text")}</EmptyState>
            ) : (
              <EmptyState
                title={text("secrets.notfound.title")}
                action={<Button onClick={() => address.set({ search: null })}>{text("secrets.clear")}</Button>}
              >
                {text("secrets.notfound.text", { search })}
              </EmptyState>
            )
          }
        />
      )}
      {storing !== null && <SecretDialog name={storing} taken={names} onClose={() => setStoring(null)} />}
      {deleting !== null && <DeleteSecretDialog name={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

function fits({ key, user }: ListedSecret, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return [key, user?.username ?? ""].some((each) => each.toLowerCase().includes(wanted));
}
