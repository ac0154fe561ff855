// Changes one's own password: folded until it is opened.
import { useState } from "react";
import { OwnPasswordForm } from "../../domain/account/OwnPasswordForm.tsx";
import { Button } from "../../kit/Button.tsx";
import { Notice } from "../../kit/States.tsx";
import { linkTo } from "../../lib/links.ts";
import { start } from "../../lib/start.ts";
import { text } from "../../texts/texts.ts";
import styles from "./profile.module.css";

export function OwnPassword({ name }: { readonly name: string }) {
  const [open, setOpen] = useState(false);
  return open ? (
    <OwnPasswordForm
      name={name}
      back={linkTo("profile")}
      className={styles.form}
      problem={(message) => <Notice tone="error">{message}</Notice>}
    />
  ) : (
    <Button disabled={start.readOnly} onClick={() => setOpen(true)}>
      {text("profile.password.change")}
    </Button>
  );
}
