// Name, address and role of the current user, who may change only the name.
import { useState } from "react";
import { methodText, roleText } from "../../domain/account/roles.ts";
import { Button } from "../../kit/Button.tsx";
import { TextField } from "../../kit/Field.tsx";
import { PlainForm } from "../../kit/form/PlainForm.tsx";
import { Facts } from "../../kit/Section.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { graphql } from "../../lib/graphql.ts";
import { useGraphqlMutation } from "../../lib/queries.ts";
import { start } from "../../lib/start.ts";
import type { useViewer } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import styles from "./profile.module.css";

const renameViewer = graphql(`
  mutation RenameViewer($name: String!) {
    patchViewer(input: { newUsername: $name }) { user { id username } }
  }
`);

export function Account({ viewer }: { readonly viewer: NonNullable<ReturnType<typeof useViewer>> }) {
  const [name, setName] = useState(viewer.username);
  const rename = useGraphqlMutation(renameViewer, ["users"]);
  const wanted = name.trim();
  const submit = () => {
    if (wanted === "" || wanted === viewer.username || rename.isPending) return;
    rename.mutate({ name: wanted }, { onSuccess: () => showToast(text("profile.username.saved", { name: wanted })) });
  };
  return (
    <>
      <Facts
        facts={[
          { label: text("profile.email"), value: viewer.email },
          { label: text("profile.role"), value: roleText(viewer.role.name) },
          { label: text("profile.method"), value: methodText(viewer.authMethod) },
        ]}
      />
      <PlainForm className={styles.line} onSubmit={submit}>
        <TextField
          label={text("profile.username")}
          value={name}
          onChange={setName}
          disabled={start.readOnly}
          autoComplete="nickname"
          problem={wanted === "" ? text("profile.username.empty") : rename.error?.message}
        />
        <Button type="submit" disabled={start.readOnly || wanted === viewer.username || rename.isPending}>
          {text("profile.username.save")}
        </Button>
      </PlainForm>
    </>
  );
}
