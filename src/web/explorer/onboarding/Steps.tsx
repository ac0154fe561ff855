// The three steps: choose a language and a framework, paste a program, run it.
import { type ReactNode, useState } from "react";
import { Segmented } from "../../kit/Field.tsx";
import { createPreference, usePreference } from "../../lib/preferences.ts";
import { start } from "../../lib/start.ts";
import { text } from "../../texts/texts.ts";
import { CodeBox } from "./CodeBox.tsx";
import { KeyStep } from "./KeyStep.tsx";
import styles from "./Onboarding.module.css";
import { serviceAddress } from "./Programs.tsx";
import { type Framework, frameworks, type Language, languages, snippet } from "./snippets.ts";

const languagePreference = createPreference<string>("onboarding.language", "python");

export function Steps({ project }: { readonly project: string }) {
  const [remembered, setLanguage] = usePreference(languagePreference);
  const language = languages.find((each) => each === remembered) ?? "python";
  const [framework, setFramework] = useState<Framework>("plain");
  const offered: readonly Framework[] = frameworks[language];
  const chosen = offered.includes(framework) ? framework : offered[0]!;
  const base = serviceAddress();
  const withKey = start.authenticationEnabled;
  const { install, file, code, run, asksModel } = snippet(language, chosen, { base, project, withKey });
  return (
    <ol className={styles.list}>
      <Step number={1} title={text("onboarding.choose")}>
        <div className={styles.choices}>
          <Segmented<Language>
            label={text("onboarding.language")}
            value={language}
            choices={languages.map((value) => ({ value, label: text(`onboarding.${value}`) }))}
            onChange={setLanguage}
          />
          <Segmented<Framework>
            label={text("onboarding.framework")}
            value={chosen}
            choices={offered.map((value) => ({ value, label: text(`onboarding.${value}`) }))}
            onChange={setFramework}
          />
        </div>
      </Step>
      <Step number={2} title={text("onboarding.paste")}>
        {withKey && <KeyStep project={project} />}
        {install !== null && <CodeBox label={text("onboarding.install")} code={install} />}
        <CodeBox label={file ?? text("onboarding.shell")} code={code} />
      </Step>
      <Step number={3} title={text("onboarding.run")}>
        {run !== null && <CodeBox label={text("onboarding.shell")} code={run} />}
        <p className={styles.note}>{runNote(language, chosen, asksModel)}</p>
      </Step>
    </ol>
  );
}

function runNote(language: Language, framework: Framework, asksModel: boolean): string {
  if (asksModel) return text("onboarding.run.model");
  if (framework === "environment") return text("onboarding.run.environment");
  return text(language === "other" ? "onboarding.run.pasted" : "onboarding.run.plain");
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly children: ReactNode;
}

function Step({ number, title, children }: StepProps) {
  return (
    <li className={styles.step}>
      <span className={styles.number} aria-hidden="true">
        {number}
      </span>
      <div className={styles.body}>
        <h3 className={styles.heading}>{title}</h3>
        {children}
      </div>
    </li>
  );
}
