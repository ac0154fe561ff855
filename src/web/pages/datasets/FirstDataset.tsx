// The three ways to a first dataset: a file, traces, or a program, which is here to be copied.
import { useState } from "react";
import { CodeBox } from "../../explorer/onboarding/CodeBox.tsx";
import { LinkButton } from "../../kit/Button.tsx";
import { Segmented } from "../../kit/Field.tsx";
import { linkTo } from "../../lib/links.ts";
import { start } from "../../lib/start.ts";
import { text } from "../../texts/texts.ts";
import { firstDatasetSnippet, installs, type Language, languages } from "./code/dataset-snippets.ts";
import styles from "./FirstDataset.module.css";
import { UploadButton } from "./upload/UploadButton.tsx";

export default function FirstDataset() {
  const [language, setLanguage] = useState<Language>("python");
  // Without the slash at its end: clients add their own paths.
  const base = document.baseURI.replace(/\/$/, "");
  return (
    <div className={styles.first}>
      <div className={styles.ways}>
        <UploadButton />
        <LinkButton to={linkTo("projects")}>{text("datasets.first.traces")}</LinkButton>
      </div>
      <p className={styles.hint}>{text("datasets.first.traces.hint")}</p>
      <Segmented
        label={text("datasets.code.language")}
        value={language}
        choices={languages.map((value) => ({ value, label: text(`datasets.code.${value}`) }))}
        onChange={setLanguage}
      />
      <CodeBox label={text("datasets.code.install")} code={installs[language]} />
      <CodeBox label={text("datasets.first.code")} code={firstDatasetSnippet(language, base)} />
      {start.authenticationEnabled && <p>{text("datasets.code.key")}</p>}
    </div>
  );
}
