// The columns of the list of providers.
import { KeyRound, Pencil, Trash2 } from "lucide-react";
import { Badge } from "../../../kit/States.tsx";
import { Tooltip } from "../../../kit/Tooltip.tsx";
import type { Column } from "../../../kit/table/DataTable.tsx";
import { actionsColumn, Mono, nameColumn, Quiet } from "../../../kit/table/thing-columns.tsx";
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

const buttons = ({ onEdit, onDelete, onStoreKey }: ProviderActions) =>
  actionsColumn<ProviderRow>(80, (row) => {
    if (row.kind === "builtIn") {
      const [first] = row.builtIn.credentialRequirements;
      if (first === undefined) return [];
      const { envVarName: variable } = first;
      return [{ label: text("providers.store.of", { variable }), icon: <KeyRound />, run: () => onStoreKey(variable) }];
    }
    const { name, custom } = row;
    return [
      { label: text("providers.edit.of", { name }), icon: <Pencil />, run: () => onEdit(custom) },
      { label: text("providers.delete.of", { name }), icon: <Trash2 />, run: () => onDelete(custom) },
    ];
  });

/** Without actions nothing may be changed. */
export function providerColumns(actions: ProviderActions | null): readonly Column<ProviderRow>[] {
  return [
    nameColumn({
      title: text("providers.name"),
      width: 180,
      grow: 2,
      nameOf: ({ name }) => name,
      badges: ({ kind }) => kind === "custom" && <Badge>{text("providers.custom")}</Badge>,
    }),
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
    ...(actions === null ? [] : [buttons(actions)]),
  ];
}

function AddressCell({ row }: { readonly row: ProviderRow }) {
  const address = addressOf(row);
  if (address === null) return null;
  const { tone, word, problem } = address;
  if (tone === "address") return <Mono>{word}</Mono>;
  if (tone === "missing") return <Quiet>{word}</Quiet>;
  const shown = <span className={styles.error}>{word}</span>;
  return problem === null ? shown : <Tooltip text={problem}>{shown}</Tooltip>;
}

export function KeyCell({ row }: { readonly row: ProviderRow }) {
  const { tone, word, hint } = keyStateOf(row);
  if (tone === "neutral") return <Quiet>{word}</Quiet>;
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
