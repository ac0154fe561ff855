// A name and a password, checked by this service or by a directory.
import { useEffect, useRef, useState } from "react";
import { PasswordField } from "../../domain/account/PasswordField.tsx";
import { Button } from "../../kit/Button.tsx";
import { TextField } from "../../kit/Field.tsx";
import { useAddress } from "../../lib/address.ts";
import { returnPath } from "../../lib/return-address.ts";
import { start } from "../../lib/start.ts";
import { text } from "../../texts/texts.ts";
import { CardForm, CardMessage } from "./SignInCard.tsx";

interface CredentialsFormProps {
  /** Of the name. */
  readonly label: string;
  readonly type: "email" | "text";
  /** The message when a field is empty. */
  readonly missing: string;
  /** Resolves to what went wrong as a sentence, or to null. */
  readonly signIn: (name: string, password: string) => Promise<string | null>;
  readonly submit: string;
  /** Whether this is the way in that most people take: where they begin to type. */
  readonly isFirst: boolean;
}

export function CredentialsForm({ label, type, missing, signIn, submit, isFirst }: CredentialsFormProps) {
  const address = useAddress();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst) first.current?.focus();
  }, [isFirst]);
  const send = async () => {
    if (busy) return;
    // The message about the last attempt does not apply any more.
    address.set({ message: null, error: null }, "replace");
    if (name.trim() === "" || password === "") return setProblem(missing);
    setProblem(null);
    setBusy(true);
    const refusal = await signIn(name, password);
    setBusy(false);
    if (refusal !== null) return setProblem(refusal);
    // A full page load: nothing of the person who was signed in before stays.
    location.assign(start.basePath + returnPath(location.search));
  };
  return (
    <CardForm onSubmit={() => void send()}>
      {problem !== null && <CardMessage tone="error">{problem}</CardMessage>}
      <TextField label={label} type={type} autoComplete="username" inputRef={first} value={name} onChange={setName} />
      <PasswordField
        label={text("login.password")}
        purpose="current-password"
        value={password}
        onChange={setPassword}
      />
      <Button type="submit" {...(isFirst ? { look: "main" } : {})} disabled={busy}>
        {submit}
      </Button>
    </CardForm>
  );
}
