// What an administrator changes about one account, each in a dialog of its own that names the person.
import type { PersonRole } from "../../../access/roles.ts";
import { keepsRules } from "../../domain/account/PasswordRules.tsx";
import { roleChoices, roleText } from "../../domain/account/roles.ts";
import { Select, TextField } from "../../kit/Field.tsx";
import { ConfirmDialog } from "../../kit/form/ConfirmDialog.tsx";
import { FormDialog } from "../../kit/form/FormDialog.tsx";
import { useForm } from "../../kit/form/use-form.ts";
import { Notice } from "../../kit/States.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { askGraphql } from "../../lib/graphql.ts";
import { leaveFor } from "../../lib/session.ts";
import { text } from "../../texts/texts.ts";
import { GivenPassword } from "./GivenPassword.tsx";
import styles from "./UserDialogs.module.css";
import { changeUser, deleteUser, type ListedUser } from "./users.queries.ts";

export interface UserChange {
  readonly kind: "role" | "name" | "password" | "delete";
  readonly user: ListedUser;
}

interface UserDialogsProps {
  readonly change: UserChange | null;
  readonly ownId: string | null;
  readonly onClose: () => void;
}

export function UserDialogs({ change, ownId, onClose }: UserDialogsProps) {
  if (change === null) return null;
  const { kind, user } = change;
  const props = { user, onClose };
  if (kind === "role") return <RoleDialog {...props} />;
  if (kind === "name") return <NameDialog {...props} />;
  if (kind === "password") return <PasswordDialog {...props} />;
  return <DeleteDialog {...props} isSelf={user.id === ownId} />;
}

interface UserDialogProps {
  readonly user: ListedUser;
  readonly onClose: () => void;
}

function RoleDialog({ user, onClose }: UserDialogProps) {
  const name = user.username;
  const current: PersonRole = roleChoices.find(({ value }) => value === user.role.name)?.value ?? "VIEWER";
  const form = useForm(
    { role: current },
    {
      send: ({ role }) => askGraphql(changeUser, { input: { userId: user.id, newRole: role } }),
      changes: ["users"],
      refusalAt: "role",
      done: (_, { role }) => showToast(text("users.change.role.done", { name, role: roleText(role) })),
      onClose,
    },
  );
  return (
    <FormDialog
      open
      form={form}
      title={text("users.change.role.title", { name })}
      submit={text("users.change.role.save")}
    >
      <Select
        label={text("users.role")}
        hint={text(`role.${form.values.role}.hint`)}
        choices={roleChoices}
        {...form.field("role")}
      />
      <p className={styles.text}>{text("users.change.role.text", { name })}</p>
    </FormDialog>
  );
}

function NameDialog({ user, onClose }: UserDialogProps) {
  const form = useForm(
    { name: user.username },
    {
      send: ({ name }) => askGraphql(changeUser, { input: { userId: user.id, newUsername: name.trim() } }),
      changes: ["users"],
      check: ({ name }) => ({ name: name.trim() === "" && text("users.new.name.missing") }),
      early: ["name"],
      refusalAt: "name",
      done: (_, { name }) => showToast(text("users.change.name.done", { name: name.trim() })),
      onClose,
    },
  );
  return (
    <FormDialog
      open
      form={form}
      title={text("users.change.name.title", { name: user.username })}
      submit={text("users.change.name.save")}
    >
      <TextField label={text("users.name")} autoComplete="off" {...form.field("name")} />
    </FormDialog>
  );
}

function PasswordDialog({ user, onClose }: UserDialogProps) {
  const name = user.username;
  const form = useForm(
    { password: "" },
    {
      send: ({ password }) => askGraphql(changeUser, { input: { userId: user.id, newPassword: password } }),
      changes: ["users"],
      check: ({ password }) => ({ password: !keepsRules(password) }),
      refusalAt: "password",
      done: () => showToast(text("users.change.password.done", { name })),
      onClose,
    },
  );
  return (
    <FormDialog
      open
      form={form}
      title={text("users.change.password.title", { name })}
      submit={text("users.change.password.save")}
    >
      <GivenPassword label={text("password.new")} tried={form.tried} {...form.field("password")} />
      <p className={styles.text}>{text("users.change.password.text", { name })}</p>
    </FormDialog>
  );
}

function DeleteDialog({ user, isSelf, onClose }: UserDialogProps & { readonly isSelf: boolean }) {
  const name = user.username;
  return (
    <ConfirmDialog
      title={text("users.delete.title", { name })}
      confirm={text("users.delete.confirm", { name })}
      send={() => askGraphql(deleteUser, { id: user.id })}
      // A deleted user may ask nothing any more.
      changes={isSelf ? [] : ["users", "apiKeys"]}
      done={isSelf ? null : text("users.delete.done", { name })}
      onDone={isSelf ? () => leaveFor(document.baseURI) : undefined}
      onClose={onClose}
    >
      <p>{text("users.delete.text", { name: user.email ?? name })}</p>
      {user.apiKeyCount > 0 && <p>{text("users.delete.keys", { count: user.apiKeyCount })}</p>}
      {isSelf && <Notice tone="warn">{text("users.delete.self")}</Notice>}
    </ConfirmDialog>
  );
}
