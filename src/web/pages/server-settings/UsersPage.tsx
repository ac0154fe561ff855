// The accounts: who they are, what they may do, and everything an administrator changes about them.
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { possibleMethods } from "../../domain/account/methods.ts";
import { roleText } from "../../domain/account/roles.ts";
import { Button } from "../../kit/Button.tsx";
import { Tooltip } from "../../kit/Tooltip.tsx";
import { SearchList } from "../../kit/table/SearchList.tsx";
import type { ResultOf } from "../../lib/graphql.ts";
import { useGraphqlPages } from "../../lib/queries.ts";
import { useRights, useViewer } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import { NewUserDialog } from "./NewUserDialog.tsx";
import { SettingsPage } from "./SettingsPage.tsx";
import { type UserChange, UserDialogs } from "./UserDialogs.tsx";
import { userColumns } from "./user-columns.tsx";
import { type ListedUser, userList } from "./users.queries.ts";

export default function UsersPage() {
  return (
    <SettingsPage tab="users">
      <Users />
    </SettingsPage>
  );
}

const AT_ONCE = 200;
const keyOf = ({ id }: ListedUser) => id;
const usersOf = (answer: ResultOf<typeof userList>) => answer.users;

const searching = {
  label: "users.search",
  within: ({ username, email, role }: ListedUser) => [username, email ?? "", roleText(role.name)],
  none: (search: string) => ({ title: text("users.none.title"), text: text("users.none.text", { search }) }),
} as const;

function Users() {
  const list = useGraphqlPages(userList, { first: AT_ONCE }, usersOf);
  const [adding, setAdding] = useState(false);
  const [change, setChange] = useState<UserChange | null>(null);
  const ownId = useViewer()?.id ?? null;
  const { mayAdminister } = useRights();
  const columns = useMemo(
    () => userColumns({ ownId, onChange: mayAdminister ? setChange : null }),
    [ownId, mayAdminister],
  );
  return (
    <>
      <SearchList
        name="users"
        label={text("settings.tab.users")}
        columns={columns}
        list={list}
        keyOf={keyOf}
        search={searching}
        note={(count) => count !== undefined && text("users.count", { count })}
        empty={{ title: text("users.empty.title"), text: text("users.empty.text") }}
        actions={mayAdminister && <AddButton onClick={() => setAdding(true)} />}
      />
      {adding && <NewUserDialog onClose={() => setAdding(false)} />}
      <UserDialogs change={change} ownId={ownId} onClose={() => setChange(null)} />
    </>
  );
}

function AddButton({ onClick }: { readonly onClick: () => void }) {
  const possible = possibleMethods().length > 0;
  const button = (
    <Button look="main" icon={<Plus />} aria-disabled={!possible} onClick={() => possible && onClick()}>
      {text("users.new")}
    </Button>
  );
  return possible ? button : <Tooltip text={text("users.new.off")}>{button}</Tooltip>;
}
