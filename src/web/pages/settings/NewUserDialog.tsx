// Adds an account with a password for the first sign-in.
import { useState } from "react";
import type { PersonRole } from "../../../modules/users/users.schema.ts";
import { roleChoices } from "../../account/roles.ts";
import { Button } from "../../kit/Button.tsx";
import { FormDialog } from "../../kit/Dialog.tsx";
import { Checkbox, Select, TextField } from "../../kit/Field.tsx";
import { Notice } from "../../kit/States.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { useGraphqlMutation } from "../../lib/queries.ts";
import { start } from "../../lib/start.ts";
import { text } from "../../texts/texts.ts";
import { GivenPassword, useGivenPassword } from "./GivenPassword.tsx";
import { createUser, userList } from "./users.queries.ts";

export function NewUserDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return open ? <NewUserForm onClose={onClose} /> : null;
}

function NewUserForm({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [username, setUsername] = useState("");
  const [role, setRole] = useState<PersonRole>("MEMBER");
  const mailIsPossible = start.signIn?.passwordReset === true;
  const [welcome, setWelcome] = useState(mailIsPossible);
  const [tried, setTried] = useState(false);
  const password = useGivenPassword();
  const create = useGraphqlMutation(createUser, [userList]);
  const refusal = create.error?.message ?? null;
  const name = username.trim();
  const submit = () => {
    setTried(true);
    const allowed = password.check();
    if (email.trim() === "" || name === "" || !allowed || create.isPending) return;
    const onSuccess = () => {
      showToast(text("users.new.created", { name }));
      onClose();
    };
    const input = { email: email.trim(), username: name, password: password.value, role, sendWelcomeEmail: welcome };
    create.mutate({ input }, { onSuccess });
  };
  const missing = (value: string, sentence: string) => (tried && value.trim() === "" ? sentence : null);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={text("users.new")}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{text("kit.cancel")}</Button>
          <Button type="submit" look="main" disabled={create.isPending}>
            {text("users.new.create")}
          </Button>
        </>
      }
    >
      {refusal !== null && <Notice tone="error">{refusal}</Notice>}
      <TextField
        label={text("users.new.email")}
        hint={text("users.new.email.hint")}
        type="email"
        autoComplete="off"
        value={email}
        onChange={setEmail}
        problem={missing(email, text("users.new.email.missing"))}
      />
      <TextField
        label={text("users.name")}
        autoComplete="off"
        value={username}
        onChange={setUsername}
        problem={missing(username, text("users.new.name.missing"))}
      />
      <Select
        label={text("users.role")}
        hint={text(`role.${role}.hint`)}
        value={role}
        choices={roleChoices}
        onChange={setRole}
      />
      <GivenPassword label={text("users.new.password")} hint={text("users.new.password.hint")} password={password} />
      {mailIsPossible && <Checkbox label={text("users.new.mail")} checked={welcome} onChange={setWelcome} />}
    </FormDialog>
  );
}
