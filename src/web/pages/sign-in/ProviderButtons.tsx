// The ways in by identity providers: links that leave the page, because a policy of ours keeps forms within it.
import { useEffect, useId, useState } from "react";
import { ServerLinkButton } from "../../kit/Button.tsx";
import { returnPath } from "../../lib/return-address.ts";
import { leaveFor } from "../../lib/session.ts";
import { start } from "../../lib/start.ts";
import { text } from "../../texts/texts.ts";
import styles from "./ProviderButtons.module.css";
import { CardDivider } from "./SignInCard.tsx";

const ASK_AGAIN_MS = 15_000;

const providers = start.signIn?.providers ?? [];

/** Nothing without providers. `divided` sets them apart from what is above. */
export function ProviderButtons({ divided = false }: { readonly divided?: boolean }) {
  const away = useProvidersAway();
  useTrigger();
  if (providers.length === 0) return null;
  return (
    <div className={styles.providers}>
      {divided && <CardDivider>{text("login.or")}</CardDivider>}
      {providers.map(({ name, displayName }) => (
        <Provider key={name} name={name} displayName={displayName} isAway={away.has(name)} />
      ))}
    </div>
  );
}

interface ProviderProps {
  readonly name: string;
  readonly displayName: string;
  readonly isAway: boolean;
}

function Provider({ name, displayName, isAway }: ProviderProps) {
  const noteId = useId();
  return (
    <div className={styles.provider}>
      <ServerLinkButton to={loginOf(name)} {...(isAway ? { "aria-describedby": noteId } : {})}>
        {text("login.provider", { name: displayName })}
      </ServerLinkButton>
      {isAway && (
        <p id={noteId} role="status" className={styles.away}>
          {text("login.provider.away", { name: displayName })}
        </p>
      )}
    </div>
  );
}

function loginOf(name: string): string {
  const path = returnPath(location.search);
  return `oauth2/${name}/login${path === "/" ? "" : `?returnUrl=${encodeURIComponent(path)}`}`;
}

/** An address of the login page may name the provider that it is to lead to. */
function useTrigger(): void {
  useEffect(() => {
    const wanted = new URLSearchParams(location.search).get("trigger")?.toLowerCase();
    if (providers.some(({ name }) => name === wanted)) leaveFor(loginOf(wanted as string));
  }, []);
}

/** Names of those that do not answer; asked again while there are some. */
function useProvidersAway(): ReadonlySet<string> {
  const [away, setAway] = useState<ReadonlySet<string>>(new Set());
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (providers.length === 0) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    void askAway(stop.signal).then((names) => {
      if (stop.signal.aborted) return;
      setAway(names);
      if (names.size > 0) timer = setTimeout(() => setRound(round + 1), ASK_AGAIN_MS);
    });
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [round]);
  return away;
}

interface ProviderState {
  readonly name: string;
  readonly available: boolean;
}

async function askAway(signal: AbortSignal): Promise<ReadonlySet<string>> {
  try {
    const answer = await fetch("auth/providers", { signal });
    const { providers: states } = (await answer.json()) as { readonly providers: readonly ProviderState[] };
    return new Set(states.filter(({ available }) => !available).map(({ name }) => name));
  } catch {
    // The buttons say what is known: nothing.
    return new Set();
  }
}
