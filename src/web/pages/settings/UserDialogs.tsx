// What an administrator changes about one account, each in a dialog of its own that names the person.
import { useState } from "react";
import type { PersonRole } from "../../../modules/users/users.schema.ts";
import { roleChoices, roleText } from "../../account/roles.ts";
import { Button } from "../../kit/Button.tsx";
import { Dialog, FormDialog } from "../../kit/Dialog.tsx";
import { Select, TextField } from "../../kit/Field.tsx";
import { Notice } from "../../kit/States.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { useGraphqlMutation } from "../../lib/queries.ts";
import { leaveFor } from "../../lib/session.ts";
import { viewerQuery } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import { GivenPassword, useGivenPassword } from "./GivenPassword.tsx";
import styles from "./lists.module.css";
import { changeUser, deleteUser, type ListedUser, userList } from "./users.queries.ts";

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

/** Sends a change of the account and says what was done. */
function useChange({ user, onClose }: UserDialogProps) {
  const change = useGraphqlMutation(changeUser, [userList, viewerQuery]);
  const send = (changes: { newRole?: PersonRole; newUsername?: string; newPassword?: string }, done: string) => {
    if (change.isPending) return;
    const onSuccess = () => {
      showToast(done);
      onClose();
    };
    change.mutate({ input: { userId: user.id, ...changes } }, { onSuccess });
  };
  return { send, busy: change.isPending, problem: change.error?.message ?? null };
}

function RoleDialog(props: UserDialogProps) {
  const { user, onClose } = props;
  const { send, busy, problem } = useChange(props);
  const name = user.username;
  const [role, setRole] = useState<PersonRole>(
    () => roleChoices.find(({ value }) => value === user.role.name)?.value ?? "VIEWER",
  );
  return (
    <FormDialog
      open
      onClose={onClose}
      title={text("users.change.role.title", { name })}
      onSubmit={() => send({ newRole: role }, text("users.change.role.done", { name, role: roleText(role) }))}
      actions={<Actions onClose={onClose} busy={busy} save={text("users.change.role.save")} />}
    >
      <Select
        label={text("users.role")}
        hint={text(`role.${role}.hint`)}
        problem={problem}
        value={role}
        choices={roleChoices}
        onChange={setRole}
      />
      <p className={styles.text}>{text("users.change.role.text", { name })}</p>
    </FormDialog>
  );
}

function NameDialog(props: UserDialogProps) {
  const { user, onClose } = props;
  const { send, busy, problem } = useChange(props);
  const [name, setName] = useState(user.username);
  const isEmpty = name.trim() === "";
  const submit = () => {
    if (!isEmpty) send({ newUsername: name.trim() }, text("users.change.name.done", { name: name.trim() }));
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={text("users.change.name.title", { name: user.username })}
      onSubmit={submit}
      actions={<Actions onClose={onClose} busy={busy} save={text("users.change.name.save")} />}
    >
      <TextField
        label={text("users.name")}
        problem={isEmpty ? text("users.new.name.missing") : problem}
        value={name}
        onChange={setName}
        autoComplete="off"
      />
    </FormDialog>
  );
}

function PasswordDialog(props: UserDialogProps) {
  const { user, onClose } = props;
  const { send, busy, problem } = useChange(props);
  const password = useGivenPassword();
  const name = user.username;
  const submit = () => {
    if (password.check()) send({ newPassword: password.value }, text("users.change.password.done", { name }));
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={text("users.change.password.title", { name })}
      onSubmit={submit}
      actions={<Actions onClose={onClose} busy={busy} save={text("users.change.password.save")} />}
    >
      <GivenPassword label={text("password.new")} password={password} problem={problem} />
      <p className={styles.text}>{text("users.change.password.text", { name })}</p>
    </FormDialog>
  );
}

function DeleteDialog({ user, isSelf, onClose }: UserDialogProps & { readonly isSelf: boolean }) {
  const remove = useGraphqlMutation(deleteUser, isSelf ? [] : [userList]);
  const name = user.username;
  const submit = () => {
    if (remove.isPending) return;
    const onSuccess = () => {
      if (isSelf) return leaveFor(document.baseURI);
      showToast(text("users.delete.done", { name }));
      onClose();
    };
    remove.mutate({ id: user.id }, { onSuccess });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={text("users.delete.title", { name })}
      actions={
        <>
          <Button onClick={onClose}>{text("kit.cancel")}</Button>
          <Button look="danger" disabled={remove.isPending} onClick={submit}>
            {text("users.delete.confirm", { name })}
          </Button>
        </>
      }
    >
      <p>{text("users.delete.text", { name: user.email ?? name })}</p>
      {user.apiKeyCount > 0 && <p>{text("users.delete.keys", { count: user.apiKeyCount })}</p>}
      {isSelf && <Notice tone="warn">{text("users.delete.self")}</Notice>}
      {remove.error && <Notice tone="error">{remove.error.message}</Notice>}
    </Dialog>
  );
}

interface ActionsProps {
  readonly onClose: () => void;
  readonly busy: boolean;
  readonly save: string;
}

function Actions({ onClose, busy, save }: ActionsProps) {
  return (
    <>
      <Button onClick={onClose}>{text("kit.cancel")}</Button>
      <Button type="submit" look="main" disabled={busy}>
        {save}
      </Button>
    </>
  );
}
