// In place of a page whose script could not be loaded. The server may be away: then the page comes by itself once it is back. It
// may have been upgraded: then everything is loaded again, where it stands.
import { LoaderCircle } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "../kit/Button.tsx";
import { EmptyState, Skeleton } from "../kit/States.tsx";
import { checkConnection, isAway, useConnection } from "../lib/connection.ts";
import { reloadByItself } from "../lib/reload.ts";
import { text } from "../texts/texts.ts";
import { Page } from "./Page.tsx";

interface MissingPageProps {
  /** Asks for the script again. */
  readonly onRetry: () => void;
  /** It was asked for again although the server was there. */
  readonly retried: boolean;
}

export function MissingPage({ onRetry, retried }: MissingPageProps) {
  const { kind } = useConnection();
  const away = isAway({ kind });
  const [checked, setChecked] = useState(false);
  const [stays, setStays] = useState(false);
  const wasAway = useRef(false);
  wasAway.current ||= away;
  useEffect(() => {
    void checkConnection().then(() => setChecked(true));
  }, []);
  useEffect(() => {
    if (!checked || away) return;
    if (kind === "connected" && (!retried || wasAway.current)) onRetry();
    else if (!reloadByItself()) setStays(true);
  }, [checked, away, kind, retried, onRetry]);
  if (away) {
    const title = text("shell.missing.away.title");
    return (
      <Page title={title}>
        <EmptyState title={title} icon={<LoaderCircle />}>
          <p>{text("shell.missing.away.text")}</p>
        </EmptyState>
      </Page>
    );
  }
  if (!stays) return <Skeleton lines={6} />;
  const title = text("shell.missing.title");
  return (
    <Page title={title}>
      <EmptyState
        title={title}
        action={<Button onClick={() => location.reload()}>{text("shell.crash.action")}</Button>}
      >
        <p>{text("shell.missing.text")}</p>
      </EmptyState>
    </Page>
  );
}
