// Makes an API key and shows it, once.
import { useState } from "react";
import { Button } from "../kit/Button.tsx";
import { CopyButton } from "../kit/CopyButton.tsx";
import { Dialog, FormDialog } from "../kit/Dialog.tsx";
import { Select, TextField } from "../kit/Field.tsx";
import { useGraphqlMutation } from "../lib/queries.ts";
import { text } from "../texts/texts.ts";
import { createOwnKey, createSystemKey, keysOfPeople, ownKeys, systemKeys } from "./keys.queries.ts";
import styles from "./NewKeyDialog.module.css";

const expiries = ["never", "7", "30", "90", "365", "date"] as const;
type Expiry = (typeof expiries)[number];
const DAY_MS = 86_400_000;

const expiryChoices = expiries.map((value) => ({
  value,
  label:
    value === "never" || value === "date"
      ? text(`keys.api.expiry.${value}`)
      : text("keys.api.expiry.days", { count: Number(value) }),
}));

interface NewKeyDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Of the whole installation instead of one's own. */
  readonly system?: boolean;
}

export function NewKeyDialog({ open, onClose, system = false }: NewKeyDialogProps) {
  const [key, setKey] = useState<string | null>(null);
  const close = () => {
    setKey(null);
    onClose();
  };
  return (
    <>
      <KeyForm open={open && key === null} onClose={close} onMade={setKey} system={system} />
      <Dialog
        firm
        open={open && key !== null}
        onClose={close}
        title={text("keys.api.made.title")}
        actions={
          <Button look="main" onClick={close}>
            {text("keys.api.made.done")}
          </Button>
        }
      >
        <p className={styles.text}>{text("keys.api.made")}</p>
        {key !== null && <MadeKey value={key} />}
      </Dialog>
    </>
  );
}

function MadeKey({ value }: { readonly value: string }) {
  return (
    <>
      <div className={styles.key}>
        <code data-testid="key">{value}</code>
        <CopyButton small={false} value={value} />
      </div>
      <p className={styles.use}>
        {text("keys.api.made.use")} <code>{HEADER}</code>
      </p>
    </>
  );
}

/** As exporters and clients send it. */
const HEADER = "Authorization: Bearer …";

interface KeyFormProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onMade: (key: string) => void;
  readonly system: boolean;
}

function KeyForm({ open, onClose, onMade, system }: KeyFormProps) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [expiry, setExpiry] = useState<Expiry>("never");
  const [day, setDay] = useState("");
  const [tried, setTried] = useState(false);
  const createOwn = useGraphqlMutation(createOwnKey, [ownKeys, keysOfPeople]);
  const createOfSystem = useGraphqlMutation(createSystemKey, [systemKeys]);
  const { error, isPending } = system ? createOfSystem : createOwn;
  const expiresAt = endOf(expiry, day);
  const isPast = expiry === "date" && (expiresAt === null || Date.parse(expiresAt) <= Date.now());

  const forget = () => {
    setName("");
    setDescription("");
    setExpiry("never");
    setDay("");
    setTried(false);
    createOwn.reset();
    createOfSystem.reset();
  };
  const close = () => {
    if (!open) return;
    forget();
    onClose();
  };
  const made = (key: string) => {
    forget();
    onMade(key);
  };
  const submit = () => {
    setTried(true);
    if (name.trim() === "" || isPast || isPending) return;
    const input = { name: name.trim(), description: description.trim() || null, expiresAt };
    if (system) createOfSystem.mutate({ input }, { onSuccess: (answer) => made(answer.createSystemApiKey.jwt) });
    else createOwn.mutate({ input }, { onSuccess: (answer) => made(answer.createUserApiKey.jwt) });
  };
  return (
    <FormDialog
      open={open}
      onClose={close}
      title={text(system ? "keys.api.new.system" : "keys.api.new")}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={close}>{text("kit.cancel")}</Button>
          <Button type="submit" look="main" disabled={isPending}>
            {text("keys.api.create")}
          </Button>
        </>
      }
    >
      <TextField
        label={text("keys.api.name")}
        hint={text("keys.api.name.hint")}
        problem={tried && name.trim() === "" ? text("keys.api.name.empty") : error?.message}
        value={name}
        onChange={setName}
        autoComplete="off"
      />
      <TextField
        label={text("keys.api.description")}
        note={text("keys.api.optional")}
        value={description}
        onChange={setDescription}
        autoComplete="off"
      />
      <Select label={text("keys.api.expiry")} value={expiry} choices={expiryChoices} onChange={setExpiry} />
      {expiry === "date" && (
        <TextField
          label={text("keys.api.expiry.day")}
          type="date"
          value={day}
          onChange={setDay}
          problem={tried && isPast ? text("keys.api.expiry.past") : null}
        />
      )}
    </FormDialog>
  );
}

/** The end of the chosen day; null for never, and for a day that is none. */
function endOf(expiry: Expiry, day: string): string | null {
  if (expiry === "never") return null;
  if (expiry !== "date") return new Date(Date.now() + Number(expiry) * DAY_MS).toISOString();
  return /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T23:59:59Z` : null;
}
