// The columns of the users table, and the menu of each account. What the server refuses cannot be chosen, and says why.
import { Ellipsis, KeyRound, Pencil, Trash2, UserCog } from "lucide-react";
import {
  hasDefaultAdminEmail,
  isDefaultAdmin,
} from "../../../modules/accounts/users/provisioning/protected-accounts.rules.ts";
import { methodText, roleText } from "../../domain/account/roles.ts";
import { IconButton } from "../../kit/Button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../kit/Menu.tsx";
import { Badge } from "../../kit/States.tsx";
import { Tooltip } from "../../kit/Tooltip.tsx";
import type { Column } from "../../kit/table/DataTable.tsx";
import { agoColumn, menuColumn, nameColumn, Quiet } from "../../kit/table/thing-columns.tsx";
import { formatCount } from "../../lib/format.ts";
import { text } from "../../texts/texts.ts";
import type { UserChange } from "./UserDialogs.tsx";
import type { ListedUser } from "./users.queries.ts";

interface UserColumnsOptions {
  readonly ownId: string | null;
  /** Null when nothing may be changed. */
  readonly onChange: ((change: UserChange) => void) | null;
}

export function userColumns({ ownId, onChange }: UserColumnsOptions): readonly Column<ListedUser>[] {
  return [
    nameColumn({
      title: text("users.name"),
      width: 180,
      grow: 1,
      nameOf: ({ username }) => username,
      badges: ({ id, passwordNeedsReset }) => (
        <>
          {id === ownId && <Badge tone="accent">{text("users.you")}</Badge>}
          {passwordNeedsReset && (
            <Tooltip text={text("users.waiting.hint")}>
              <span>
                <Badge>{text("users.waiting")}</Badge>
              </span>
            </Tooltip>
          )}
        </>
      ),
    }),
    {
      key: "email",
      title: text("users.email"),
      width: 200,
      grow: 1,
      narrow: "line",
      render: ({ email }) => email ?? <Quiet />,
    },
    {
      key: "role",
      title: text("users.role"),
      width: 120,
      narrow: "line",
      render: ({ role }) => roleText(role.name),
    },
    {
      key: "method",
      title: text("users.method"),
      width: 130,
      render: ({ authMethod }) => methodText(authMethod),
    },
    {
      key: "keys",
      title: text("users.keys"),
      width: 90,
      align: "end",
      render: ({ apiKeyCount }) => formatCount(apiKeyCount),
    },
    agoColumn("created", text("users.created"), ({ createdAt }) => createdAt, { width: 110 }),
    ...(onChange === null
      ? []
      : [
          menuColumn<ListedUser>(70, (user) => <UserMenu user={user} isSelf={user.id === ownId} onChange={onChange} />),
        ]),
  ];
}

interface UserMenuProps {
  readonly user: ListedUser;
  readonly isSelf: boolean;
  readonly onChange: (change: UserChange) => void;
}

function UserMenu({ user, isSelf, onChange }: UserMenuProps) {
  const { username, email, authMethod } = user;
  const role = hasDefaultAdminEmail({ email })
    ? text("users.protected.admin")
    : isSelf
      ? text("users.protected.self")
      : null;
  const password = authMethod === "LOCAL" ? null : text("users.protected.method");
  const deletion = isProtected(user) ? text("users.protected.delete") : null;
  const item = (kind: UserChange["kind"]) => () => onChange({ kind, user });
  return (
    <Menu trigger={<IconButton small label={text("users.menu", { name: username })} icon={<Ellipsis />} />}>
      <MenuItem icon={<UserCog />} reason={role} onSelect={item("role")}>
        {text("users.change.role")}
      </MenuItem>
      <MenuItem icon={<Pencil />} onSelect={item("name")}>
        {text("users.change.name")}
      </MenuItem>
      <MenuItem icon={<KeyRound />} reason={password} onSelect={item("password")}>
        {text("users.change.password")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 />} reason={deletion} onSelect={item("delete")}>
        {text("users.delete")}
      </MenuItem>
    </Menu>
  );
}

function isProtected({ role, username, email }: ListedUser): boolean {
  return role.name === "ADMIN" && isDefaultAdmin({ role: "ADMIN", username, email });
}
