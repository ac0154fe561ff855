// What a project without traces shows: how to send the first one, ready to be copied. It looks whether one has come.
import { useEffect, useState } from "react";
import { useParams } from "wouter";
import { CopyButton } from "../../kit/CopyButton.tsx";
import { Tabs } from "../../kit/Tabs.tsx";
import { useGraphql, useRefresh } from "../../lib/queries.ts";
import { start } from "../../lib/start.ts";
import { text } from "../../texts/texts.ts";
import { projectHead, projectOf } from "../explorer.queries.ts";
import { KeyHint } from "./KeyHint.tsx";
import styles from "./Onboarding.module.css";
import { type Language, languages, snippet } from "./snippets.ts";

const LOOK_EVERY_MS = 2000;
const DEFAULT_PROJECT = "default";
/** The official clients and the last example read it. */
const KEY_VARIABLE = 'export PHOENIX_API_KEY="…"';

const arriving = ["traces"] as const;

export function Onboarding() {
  const { projectId = "" } = useParams<{ projectId: string }>();
  const [language, setLanguage] = useState<Language>("python");
  const { data, refetch } = useGraphql(projectHead, { id: projectId });
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void refetch();
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [refetch]);
  // What the lists found before the first trace came is no answer any more.
  const refresh = useRefresh(arriving);
  useEffect(() => refresh, [refresh]);
  const project = projectOf(data)?.name ?? DEFAULT_PROJECT;
  // Without the slash at its end: clients add their own paths.
  const base = document.baseURI.replace(/\/$/, "");
  const withKey = start.authenticationEnabled;
  const { install, code } = snippet(language, { base, project, withKey });
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <h2 className={styles.title}>{text("onboarding.title")}</h2>
        <p className={styles.text}>{text("onboarding.text", { project })}</p>
        {withKey && <KeyHint />}
        <Tabs
          label={text("onboarding.language")}
          tabs={languages.map((key) => ({ key, label: text(`onboarding.${key}`) }))}
          current={language}
          onChange={setLanguage}
        >
          {install !== null && <Snippet label={text("onboarding.install")} code={install} />}
          {withKey && <Snippet label={text("onboarding.key")} code={KEY_VARIABLE} />}
          <Snippet label={text("onboarding.send")} code={code} />
        </Tabs>
        <p role="status" className={styles.waiting}>
          <span className={styles.dot} />
          {text("onboarding.waiting")}
        </p>
      </div>
    </div>
  );
}

function Snippet({ label, code }: { readonly label: string; readonly code: string }) {
  return (
    <section className={styles.snippet} aria-label={label}>
      <header>
        <span>{label}</span>
        <CopyButton value={code} />
      </header>
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </section>
  );
}
