// The accounts: who they are, what they may do, and everything an administrator changes about them.
import { Plus, Search } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { roleText } from "../../account/roles.ts";
import { Button } from "../../kit/Button.tsx";
import { TextField } from "../../kit/Field.tsx";
import { useShortcut } from "../../kit/keys.ts";
import { EmptyState, FailedState } from "../../kit/States.tsx";
import { Tooltip } from "../../kit/Tooltip.tsx";
import { DataTable } from "../../kit/table/DataTable.tsx";
import { useAddress } from "../../lib/address.ts";
import type { ResultOf } from "../../lib/graphql.ts";
import { useGraphqlPages } from "../../lib/queries.ts";
import { start } from "../../lib/start.ts";
import { useRights, useViewer } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import styles from "./lists.module.css";
import { NewUserDialog } from "./NewUserDialog.tsx";
import { SettingsFrame } from "./SettingsFrame.tsx";
import { type UserChange, UserDialogs } from "./UserDialogs.tsx";
import { userColumns } from "./user-columns.tsx";
import { type ListedUser, userList } from "./users.queries.ts";

export default function UsersPage() {
  return (
    <SettingsFrame tab="users">
      <Users />
    </SettingsFrame>
  );
}

const AT_ONCE = 200;
const keyOf = ({ id }: ListedUser) => id;
const usersOf = (answer: ResultOf<typeof userList>) => answer.users;

function Users() {
  const address = useAddress();
  const search = address.get("search") ?? "";
  const { rows, error, refetch, loadMore, loadingMore } = useGraphqlPages(userList, { first: AT_ONCE }, usersOf);
  // The search looks at what is there: it asks for the rest.
  useEffect(() => {
    if (search !== "") loadMore?.();
  }, [search, loadMore]);
  const found = useMemo(() => rows?.filter((user) => fits(user, search)), [rows, search]);
  const [adding, setAdding] = useState(false);
  const [change, setChange] = useState<UserChange | null>(null);
  const ownId = useViewer()?.id ?? null;
  const { mayAdminister } = useRights();
  const columns = useMemo(
    () => userColumns({ ownId, onChange: mayAdminister ? setChange : null }),
    [ownId, mayAdminister],
  );
  const field = useRef<HTMLInputElement>(null);
  useShortcut({ keys: "/", label: "keys.filter", group: "keys.list", run: () => field.current?.focus() });
  return (
    <>
      <div className={styles.bar}>
        <div className={styles.search}>
          <TextField
            label={text("users.search")}
            labelHidden
            type="search"
            placeholder={text("users.search")}
            icon={<Search />}
            inputRef={field}
            value={search}
            onChange={(value) => address.set({ search: value }, "replace")}
          />
        </div>
        <span className={styles.count}>{found !== undefined && text("users.count", { count: found.length })}</span>
        {mayAdminister && <AddButton onClick={() => setAdding(true)} />}
      </div>
      {error && rows === undefined ? (
        <FailedState failure={error} onRetry={refetch} />
      ) : (
        <DataTable
          name="users"
          label={text("settings.users")}
          columns={columns}
          rows={found}
          keyOf={keyOf}
          onEnd={loadMore}
          loadingMore={loadingMore}
          empty={
            <EmptyState
              title={text("users.none.title")}
              action={<Button onClick={() => address.set({ search: null })}>{text("secrets.clear")}</Button>}
            >
              {text("users.none.text", { search })}
            </EmptyState>
          }
        />
      )}
      <NewUserDialog open={adding} onClose={() => setAdding(false)} />
      <UserDialogs change={change} ownId={ownId} onClose={() => setChange(null)} />
    </>
  );
}

function fits({ username, email, role }: ListedUser, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return [username, email ?? "", roleText(role.name)].some((each) => each.toLowerCase().includes(wanted));
}

function AddButton({ onClick }: { readonly onClick: () => void }) {
  const possible = start.signIn?.password === true;
  const button = (
    <Button look="main" icon={<Plus />} aria-disabled={!possible} onClick={() => possible && onClick()}>
      {text("users.new")}
    </Button>
  );
  return possible ? button : <Tooltip text={text("users.new.off")}>{button}</Tooltip>;
}
