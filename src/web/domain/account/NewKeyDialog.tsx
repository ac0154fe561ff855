// Makes an API key and shows it, once.
import { useState } from "react";
import { Button } from "../../kit/Button.tsx";
import { CopyButton } from "../../kit/CopyButton.tsx";
import { Dialog } from "../../kit/Dialog.tsx";
import { Select, TextField } from "../../kit/Field.tsx";
import { FormDialog } from "../../kit/form/FormDialog.tsx";
import { useForm } from "../../kit/form/use-form.ts";
import { text } from "../../texts/texts.ts";
import { createKey } from "./create-key.ts";
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
  const forget = () => setKey(null);
  return (
    <>
      <KeyForm open={open} onClose={onClose} onMade={setKey} system={system} />
      <Dialog
        firm
        open={key !== null}
        onClose={forget}
        title={text("keys.api.made.title")}
        actions={
          <Button look="main" onClick={forget}>
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

const empty: { name: string; description: string; expiry: Expiry; day: string } = {
  name: "",
  description: "",
  expiry: "never",
  day: "",
};

function KeyForm({ open, onClose, onMade, system }: KeyFormProps) {
  const form = useForm(empty, {
    send: ({ name, description, expiry, day }) =>
      createKey(system, {
        name: name.trim(),
        description: description.trim() || null,
        expiresAt: endOf(expiry, day),
      }),
    changes: ["apiKeys"],
    check: ({ name, expiry, day }) => ({
      name: name.trim() === "" && text("keys.api.name.empty"),
      day: expiry === "date" && isPast(endOf(expiry, day)) && text("keys.api.expiry.past"),
    }),
    refusalAt: "name",
    done: onMade,
    onClose,
  });
  return (
    <FormDialog
      open={open}
      form={form}
      title={text(system ? "keys.api.new.system" : "keys.api.new")}
      submit={text("keys.api.create")}
    >
      <TextField
        label={text("keys.api.name")}
        hint={text("keys.api.name.hint")}
        autoComplete="off"
        {...form.field("name")}
      />
      <TextField
        label={text("keys.api.description")}
        note={text("kit.optional")}
        autoComplete="off"
        {...form.field("description")}
      />
      <Select label={text("keys.api.expiry")} choices={expiryChoices} {...form.field("expiry")} />
      {form.values.expiry === "date" && (
        <TextField label={text("keys.api.expiry.day")} type="date" {...form.field("day")} />
      )}
    </FormDialog>
  );
}

function isPast(instant: string | null): boolean {
  return instant === null || Date.parse(instant) <= Date.now();
}

/** Null for "never" and for an invalid date; otherwise the end of the chosen day. */
function endOf(expiry: Expiry, day: string): string | null {
  if (expiry === "never") return null;
  if (expiry !== "date") return new Date(Date.now() + Number(expiry) * DAY_MS).toISOString();
  return /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T23:59:59Z` : null;
}
