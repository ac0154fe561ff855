// The columns of the list of providers.
import { KeyRound, Pencil, Trash2 } from "lucide-react";
import { IconButton } from "../../../kit/Button.tsx";
import { Badge } from "../../../kit/States.tsx";
import { Tooltip } from "../../../kit/Tooltip.tsx";
import type { Column } from "../../../kit/table/DataTable.tsx";
import { text } from "../../../texts/texts.ts";
import styles from "./Providers.module.css";
import { addressOf, interfaceOf, keyStateOf, type ProviderRow } from "./provider-rows.ts";
import type { CustomProvider } from "./providers.queries.ts";

interface ProviderActions {
  readonly onEdit: (provider: CustomProvider) => void;
  readonly onDelete: (provider: CustomProvider) => void;
  /** Stores a secret of that name. */
  readonly onStoreKey: (name: string) => void;
}

/** Without actions nothing may be changed. */
export function providerColumns(actions: ProviderActions | null): readonly Column<ProviderRow>[] {
  return [
    {
      key: "name",
      title: text("providers.name"),
      width: 180,
      grow: 2,
      pinned: true,
      narrow: "title",
      render: ({ name, kind }) => (
        <>
          <span className={styles.name}>{name}</span>
          {kind === "custom" && (
            <span className={styles.badge}>
              <Badge>{text("providers.custom")}</Badge>
            </span>
          )}
        </>
      ),
    },
    {
      key: "interface",
      title: text("providers.interface"),
      width: 200,
      render: (row) => interfaceOf(row),
    },
    {
      key: "address",
      title: text("providers.address"),
      width: 260,
      grow: 2,
      narrow: "line",
      render: (row) => <AddressCell row={row} />,
    },
    {
      key: "key",
      title: text("providers.credentials"),
      width: 220,
      grow: 1,
      narrow: "line",
      render: (row) => <KeyCell row={row} />,
    },
    ...(actions === null ? [] : [buttonColumn(actions)]),
  ];
}

function AddressCell({ row }: { readonly row: ProviderRow }) {
  const address = addressOf(row);
  if (address === null) return null;
  const look = { address: styles.mono, missing: styles.quiet, error: styles.error }[address.tone];
  const word = <span className={look}>{address.word}</span>;
  return address.problem === null ? word : <Tooltip text={address.problem}>{word}</Tooltip>;
}

export function KeyCell({ row }: { readonly row: ProviderRow }) {
  const { tone, word, hint } = keyStateOf(row);
  if (tone === "neutral") return <span className={styles.quiet}>{word}</span>;
  if (tone === "error") {
    return (
      <Tooltip text={hint ?? word}>
        <span>
          <Badge tone="error">{word}</Badge>
        </span>
      </Tooltip>
    );
  }
  return (
    <>
      <Badge tone="ok">{word}</Badge>
      {hint !== null && <span className={styles.hint}>{hint}</span>}
    </>
  );
}

function buttonColumn({ onEdit, onDelete, onStoreKey }: ProviderActions): Column<ProviderRow> {
  return {
    key: "actions",
    title: text("settings.actions"),
    width: 80,
    align: "end",
    narrow: "aside",
    render: (row) => {
      const { name } = row;
      if (row.kind === "builtIn") {
        const [first] = row.builtIn.credentialRequirements;
        if (first === undefined) return null;
        return (
          <span className={styles.actions}>
            <IconButton
              small
              label={text("providers.store.of", { variable: first.envVarName })}
              icon={<KeyRound />}
              onClick={() => onStoreKey(first.envVarName)}
            />
          </span>
        );
      }
      return (
        <span className={styles.actions}>
          <IconButton
            small
            label={text("providers.edit.of", { name })}
            icon={<Pencil />}
            onClick={() => onEdit(row.custom)}
          />
          <IconButton
            small
            label={text("providers.delete.of", { name })}
            icon={<Trash2 />}
            onClick={() => onDelete(row.custom)}
          />
        </span>
      );
    },
  };
}
