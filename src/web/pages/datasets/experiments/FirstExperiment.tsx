// How to run the first experiment of a dataset: a program in one of two languages, which knows the dataset.
import { useState } from "react";
import { CodeBox } from "../../../explorer/onboarding/CodeBox.tsx";
import { Segmented } from "../../../kit/Field.tsx";
import { start } from "../../../lib/start.ts";
import { text } from "../../../texts/texts.ts";
import styles from "./FirstExperiment.module.css";
import { type ExperimentLanguage, experimentProgram, languages } from "./first-experiment.ts";

export default function FirstExperiment({ datasetId }: { readonly datasetId: string }) {
  const [language, setLanguage] = useState<ExperimentLanguage>("python");
  // Without the slash at its end: clients add their own paths.
  const base = document.baseURI.replace(/\/$/, "");
  const { install, file, code, run } = experimentProgram(language, { base, datasetId });
  return (
    <div className={styles.first}>
      <Segmented<ExperimentLanguage>
        label={text("onboarding.language")}
        value={language}
        choices={languages.map((value) => ({ value, label: text(`onboarding.${value}`) }))}
        onChange={setLanguage}
      />
      <CodeBox label={text("onboarding.install")} code={install} />
      <CodeBox label={file} code={code} />
      <CodeBox label={text("onboarding.shell")} code={run} />
      {start.authenticationEnabled && <p>{text("experiments.first.key")}</p>}
    </div>
  );
}
