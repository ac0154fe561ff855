// Everything that is known about a provider, and the models that its endpoint lists.
import { Button } from "../../../kit/Button.tsx";
import { Dialog } from "../../../kit/Dialog.tsx";
import { Facts } from "../../../kit/Section.tsx";
import { Notice } from "../../../kit/States.tsx";
import { Time } from "../../../kit/Time.tsx";
import { text } from "../../../texts/texts.ts";
import { EndpointModels } from "./EndpointModels.tsx";
import styles from "./ProviderDetails.module.css";
import { KeyCell } from "./provider-columns.tsx";
import { addressOf, interfaceOf, type ProviderRow } from "./provider-rows.ts";
import type { BuiltInProvider, CustomProvider } from "./providers.queries.ts";

interface ProviderDetailsProps {
  readonly row: ProviderRow;
  /** Null where nothing may be changed. */
  readonly onEdit: ((provider: CustomProvider) => void) | null;
  readonly onStoreKey: ((name: string) => void) | null;
  /** Whether its models may be asked for. */
  readonly mayList: boolean;
  readonly onClose: () => void;
}

export function ProviderDetails({ row, onEdit, onStoreKey, mayList, onClose }: ProviderDetailsProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={row.name}
      actions={
        <>
          <Button onClick={onClose}>{text("kit.close")}</Button>
          {row.kind === "custom" && onEdit !== null && (
            <Button onClick={() => onEdit(row.custom)}>{text("providers.edit")}</Button>
          )}
        </>
      }
    >
      <div className={styles.parts}>
        <Facts facts={row.kind === "custom" ? customFacts(row) : builtInFacts(row)} />
        {row.kind === "builtIn" && <Credentials provider={row.builtIn} onStoreKey={onStoreKey} />}
        {row.kind === "custom" && row.config === null && (
          <Notice tone="error">{text("providers.state.again.hint")}</Notice>
        )}
        {mayList && <EndpointModels row={row} />}
      </div>
    </Dialog>
  );
}

function customFacts(row: Extract<ProviderRow, { readonly kind: "custom" }>) {
  const { custom, config } = row;
  const { description, provider, promptCount, promptNames, createdAt, updatedAt, user } = custom;
  const names = config?.headerNames ?? [];
  return [
    { label: text("providers.description"), value: description },
    { label: text("providers.interface"), value: interfaceOf(row) },
    { label: text("providers.address"), value: addressText(row) },
    { label: text("providers.region"), value: config?.region ?? null },
    { label: text("providers.organization"), value: config?.organization ?? null },
    { label: text("providers.project"), value: config?.project ?? null },
    { label: text("providers.credentials"), value: <KeyCell row={row} /> },
    { label: text("providers.headers"), value: names.length === 0 ? null : <code>{names.join(", ")}</code> },
    { label: text("providers.provider"), value: <code>{provider}</code> },
    { label: text("providers.prompts"), value: promptsText(promptCount, promptNames) },
    { label: text("providers.creator"), value: user?.username ?? null },
    { label: text("providers.created"), value: <Time at={createdAt} /> },
    { label: text("providers.updated"), value: updatedAt === createdAt ? null : <Time at={updatedAt} /> },
  ];
}

function builtInFacts(row: Extract<ProviderRow, { readonly kind: "builtIn" }>) {
  const { baseUrlEnvVarName } = row.builtIn;
  return [
    { label: text("providers.address"), value: addressText(row) },
    { label: text("providers.address.variable"), value: baseUrlEnvVarName && <code>{baseUrlEnvVarName}</code> },
  ];
}

function addressText(row: ProviderRow) {
  const address = addressOf(row);
  if (address === null) return null;
  if (address.tone === "address") return <code>{address.word}</code>;
  if (address.problem === null) return <span className={styles.quiet}>{address.word}</span>;
  return (
    <span className={styles.error}>
      {address.word}: {address.problem}
    </span>
  );
}

/** The first names, and how many more there are. */
export function promptsText(count: number, names: readonly string[]): string | null {
  if (count === 0) return null;
  const more = count - names.length;
  return [...names, ...(more > 0 ? [text("providers.prompts.more", { count: more })] : [])].join(", ");
}

interface CredentialsProps {
  readonly provider: BuiltInProvider;
  readonly onStoreKey: ((name: string) => void) | null;
}

function Credentials({ provider, onStoreKey }: CredentialsProps) {
  const { credentialRequirements } = provider;
  if (credentialRequirements.length === 0) return <p className={styles.note}>{text("providers.none-needed")}</p>;
  return (
    <div>
      <h3 className={styles.title}>{text("providers.credentials")}</h3>
      <ul className={styles.credentials}>
        {credentialRequirements.map(({ envVarName, isRequired, source }) => (
          <li key={envVarName}>
            <code>{envVarName}</code>
            <span className={source === "UNREADABLE_SECRET" ? styles.error : styles.quiet}>
              {source === null
                ? text(isRequired ? "providers.state.none" : "providers.optional")
                : text(`providers.source.${source}`)}
            </span>
            {onStoreKey !== null && (
              <Button
                aria-label={text("providers.store.of", { variable: envVarName })}
                onClick={() => onStoreKey(envVarName)}
              >
                {text(source === "SECRET" || source === "UNREADABLE_SECRET" ? "providers.replace" : "providers.store")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p className={styles.note}>{text("providers.credentials.hint")}</p>
    </div>
  );
}
