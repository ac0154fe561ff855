// Where programs need an API key: one is made here and stands ready to be pasted. It is shown this once.
import { useState } from "react";
import { createKey } from "../../domain/account/create-key.ts";
import { Button } from "../../kit/Button.tsx";
import { Notice } from "../../kit/States.tsx";
import { useChange } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import { CodeBox } from "./CodeBox.tsx";
import styles from "./Onboarding.module.css";

/** The official clients and the snippets read it. */
const variableOf = (key: string) => `export PHOENIX_API_KEY="${key}"`;

const changes = ["apiKeys"] as const;

export function KeyStep({ project }: { readonly project: string }) {
  const { mayWrite, isAdministrator } = useRights();
  const [key, setKey] = useState<string | null>(null);
  const making = useChange(
    () =>
      createKey(isAdministrator, {
        name: text("onboarding.key.name", { project }),
        description: null,
        expiresAt: null,
      }),
    changes,
  );
  if (!mayWrite) return <p className={styles.note}>{text("onboarding.key.viewer")}</p>;
  if (key !== null) {
    return (
      <>
        <CodeBox label={text("onboarding.key")} code={variableOf(key)} />
        <p className={styles.note}>{text("onboarding.key.once")}</p>
      </>
    );
  }
  return (
    <div className={styles.key}>
      <p>{text("onboarding.key.text")}</p>
      <Button disabled={making.isPending} onClick={() => making.mutate(undefined, { onSuccess: setKey })}>
        {text("onboarding.key.make")}
      </Button>
      {making.error && <Notice tone="error">{making.error.message}</Notice>}
    </div>
  );
}
