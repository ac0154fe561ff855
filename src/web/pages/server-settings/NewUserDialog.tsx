// Adds an account: with a password for the first sign-in, or waiting for its owner to come from an identity provider.
import type { PersonRole } from "../../../access/roles.ts";
import { possibleMethods } from "../../domain/account/methods.ts";
import { keepsRules } from "../../domain/account/PasswordRules.tsx";
import { aboutNewPassword } from "../../domain/account/refusals.ts";
import { methodText, roleChoices } from "../../domain/account/roles.ts";
import { Checkbox, Select, TextField } from "../../kit/Field.tsx";
import { FormDialog } from "../../kit/form/FormDialog.tsx";
import { useForm } from "../../kit/form/use-form.ts";
import { showToast } from "../../kit/Toast.tsx";
import { askGraphql } from "../../lib/graphql.ts";
import { start } from "../../lib/start.ts";
import { text } from "../../texts/texts.ts";
import { GivenPassword } from "./GivenPassword.tsx";
import { createUser } from "./users.queries.ts";

const role: PersonRole = "MEMBER";
const methods = possibleMethods();
const methodChoices = methods.map((method) => ({ value: method, label: methodText(method) }));

export function NewUserDialog({ onClose }: { readonly onClose: () => void }) {
  const mailIsPossible = start.signIn?.passwordReset === true;
  const form = useForm(
    {
      email: "",
      username: "",
      role,
      authMethod: methods[0] ?? "LOCAL",
      password: "",
      sendWelcomeEmail: mailIsPossible,
    },
    {
      send: ({ password, ...values }) =>
        askGraphql(createUser, {
          input: {
            ...values,
            email: values.email.trim(),
            username: values.username.trim(),
            ...(values.authMethod === "LOCAL" ? { password } : {}),
          },
        }),
      changes: ["users"],
      check: ({ email, username, authMethod, password }) => ({
        email: email.trim() === "" && text("users.new.email.missing"),
        username: username.trim() === "" && text("users.new.name.missing"),
        password: authMethod === "LOCAL" && !keepsRules(password),
      }),
      done: (_, { username }) => showToast(text("users.new.created", { name: username.trim() })),
      onClose,
    },
  );
  const { newPassword, other } = aboutNewPassword(form.refusal);
  const { value: welcome, onChange: setWelcome } = form.field("sendWelcomeEmail");
  const isLocal = form.values.authMethod === "LOCAL";
  return (
    <FormDialog open form={{ ...form, refusal: other }} title={text("users.new")} submit={text("users.new.create")}>
      <TextField
        label={text("users.new.email")}
        hint={text("users.new.email.hint")}
        type="email"
        autoComplete="off"
        {...form.field("email")}
      />
      <TextField label={text("users.name")} autoComplete="off" {...form.field("username")} />
      <Select
        label={text("users.role")}
        hint={text(`role.${form.values.role}.hint`)}
        choices={roleChoices}
        {...form.field("role")}
      />
      {methods.length > 1 && (
        <Select
          label={text("users.method")}
          {...(isLocal ? {} : { hint: text("users.new.provider.hint") })}
          choices={methodChoices}
          {...form.field("authMethod")}
        />
      )}
      {isLocal && (
        <GivenPassword
          label={text("users.new.password")}
          hint={text("users.new.password.hint")}
          tried={form.tried}
          {...form.field("password")}
          problem={newPassword}
        />
      )}
      {mailIsPossible && <Checkbox label={text("users.new.mail")} checked={welcome} onChange={setWelcome} />}
    </FormDialog>
  );
}
