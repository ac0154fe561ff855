// The models that an endpoint lists, asked for at a click: each time is a request to the provider.
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../kit/Button.tsx";
import { Notice, Skeleton } from "../../../kit/States.tsx";
import { useGraphql } from "../../../lib/queries.ts";
import { text } from "../../../texts/texts.ts";
import styles from "./ProviderDetails.module.css";
import type { ProviderRow } from "./provider-rows.ts";
import { endpointModels } from "./providers.queries.ts";

export function EndpointModels({ row }: { readonly row: ProviderRow }) {
  const [isAsked, setAsked] = useState(false);
  const input = row.kind === "custom" ? { customProviderId: row.id } : { providerKey: row.builtIn.key };
  const query = useGraphql(endpointModels, { input }, { enabled: isAsked });
  const ask = () => (isAsked ? void query.refetch() : setAsked(true));
  const answer = query.data?.endpointModels;
  const problem = query.error?.message ?? answer?.error ?? null;
  return (
    <div>
      <Button icon={<RefreshCw />} aria-disabled={query.isFetching} onClick={ask}>
        {text("providers.models.list")}
      </Button>
      <div aria-live="polite" className={styles.answer}>
        {query.isFetching ? (
          <Skeleton lines={2} label={text("providers.models.asking")} />
        ) : problem !== null ? (
          <Notice tone="error">{problem}</Notice>
        ) : (
          answer !== undefined && <Names names={answer.names} />
        )}
      </div>
    </div>
  );
}

function Names({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return <p className={styles.note}>{text("providers.models.none")}</p>;
  return (
    <>
      <p className={styles.note}>{text("providers.models.count", { count: names.length })}</p>
      {/* It scrolls: keys must reach it. */}
      <ul className={styles.models} tabIndex={0} aria-label={text("providers.models")}>
        {names.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
