// The three ways to a first dataset: a file, traces, or a program, which is here to be copied.
import { CodeBox } from "../../explorer/onboarding/CodeBox.tsx";
import { Programs, serviceAddress } from "../../explorer/onboarding/Programs.tsx";
import { LinkButton } from "../../kit/Button.tsx";
import { linkTo } from "../../lib/links.ts";
import { start } from "../../lib/start.ts";
import { text } from "../../texts/texts.ts";
import { firstDatasetSnippet, installs } from "./code/dataset-snippets.ts";
import styles from "./FirstDataset.module.css";
import { UploadButton } from "./upload/UploadButton.tsx";

const ways = (
  <>
    <div className={styles.ways}>
      <UploadButton />
      <LinkButton to={linkTo("projects")}>{text("datasets.first.traces")}</LinkButton>
    </div>
    <p className={styles.hint}>{text("datasets.first.traces.hint")}</p>
  </>
);

export default function FirstDataset() {
  return (
    <Programs lead={ways}>
      {(language) => (
        <>
          <CodeBox label={text("onboarding.install")} code={installs[language]} />
          <CodeBox label={text("datasets.first.code")} code={firstDatasetSnippet(language, serviceAddress())} />
          {start.authenticationEnabled && <p>{text("datasets.code.key")}</p>}
        </>
      )}
    </Programs>
  );
}
