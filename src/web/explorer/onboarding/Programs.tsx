// Programs to be copied, in the language that the reader chooses.
import { type ReactNode, useState } from "react";
import { Segmented } from "../../kit/Field.tsx";
import { text } from "../../texts/texts.ts";
import styles from "./Programs.module.css";

const programLanguages = ["python", "typescript"] as const;
export type ProgramLanguage = (typeof programLanguages)[number];

interface LanguageChoiceProps {
  readonly value: ProgramLanguage;
  readonly onChange: (language: ProgramLanguage) => void;
}

export function LanguageChoice({ value, onChange }: LanguageChoiceProps) {
  const choices = programLanguages.map((each) => ({ value: each, label: text(`onboarding.${each}`) }));
  return <Segmented label={text("onboarding.language")} {...{ value, choices, onChange }} />;
}

/** Where the service answers. Without the slash at its end: clients add their own paths. */
export function serviceAddress(): string {
  return document.baseURI.replace(/\/$/, "");
}

interface ProgramsProps {
  /** Above the choice. */
  readonly lead?: ReactNode;
  readonly children: (language: ProgramLanguage) => ReactNode;
}

export function Programs({ lead, children }: ProgramsProps) {
  const [language, setLanguage] = useState<ProgramLanguage>("python");
  return (
    <div className={styles.programs}>
      {lead}
      <LanguageChoice value={language} onChange={setLanguage} />
      {children(language)}
    </div>
  );
}
