// One's own API keys.
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { DeleteKeyDialog } from "../../domain/account/DeleteKeyDialog.tsx";
import { keyColumns } from "../../domain/account/key-columns.tsx";
import { type ListedKey, ownKeys } from "../../domain/account/keys.queries.ts";
import { NewKeyDialog } from "../../domain/account/NewKeyDialog.tsx";
import { Button } from "../../kit/Button.tsx";
import { useNarrow } from "../../kit/media.ts";
import { Loaded } from "../../kit/States.tsx";
import { DataTable } from "../../kit/table/DataTable.tsx";
import { useGraphql } from "../../lib/queries.ts";
import { start } from "../../lib/start.ts";
import { text } from "../../texts/texts.ts";
import styles from "./profile.module.css";

const keyOf = ({ id }: ListedKey) => id;
/** Pixels: the table has no height of its own. */
const HEAD = 30;
const ROW = 32;
const TWO_LINES = 52;
const MOST_ROWS = 10;

export function OwnKeys() {
  const [making, setMaking] = useState(false);
  const [asked, setAsked] = useState<ListedKey | null>(null);
  const query = useGraphql(ownKeys, {});
  return (
    <>
      <Loaded query={query}>{({ viewer }) => <KeyTable keys={viewer?.apiKeys ?? []} onDelete={setAsked} />}</Loaded>
      <Button icon={<Plus />} disabled={start.readOnly} onClick={() => setMaking(true)}>
        {text("keys.api.new")}
      </Button>
      <NewKeyDialog open={making} onClose={() => setMaking(false)} />
      {asked !== null && <DeleteKeyDialog apiKey={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

interface KeyTableProps {
  readonly keys: readonly ListedKey[];
  readonly onDelete: (key: ListedKey) => void;
}

function KeyTable({ keys, onDelete }: KeyTableProps) {
  const columns = useMemo(() => keyColumns({ onDelete }), [onDelete]);
  const narrow = useNarrow();
  if (keys.length === 0) return <p className={styles.none}>{text("profile.keys.none")}</p>;
  const rows = Math.min(keys.length, MOST_ROWS);
  const height = narrow ? rows * TWO_LINES + 2 : HEAD + rows * ROW;
  return (
    <div className={styles.keys} style={{ height }}>
      <DataTable name="api-keys.own" label={text("profile.keys")} columns={columns} rows={keys} keyOf={keyOf} />
    </div>
  );
}
