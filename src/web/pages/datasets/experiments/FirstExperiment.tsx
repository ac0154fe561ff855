// How to run the first experiment of a dataset: a program in one of two languages, which knows the dataset.
import { CodeBox } from "../../../explorer/onboarding/CodeBox.tsx";
import { Programs, serviceAddress } from "../../../explorer/onboarding/Programs.tsx";
import { start } from "../../../lib/start.ts";
import { text } from "../../../texts/texts.ts";
import { experimentProgram } from "./first-experiment.ts";

export default function FirstExperiment({ datasetId }: { readonly datasetId: string }) {
  return (
    <Programs>
      {(language) => {
        const { install, file, code, run } = experimentProgram(language, { base: serviceAddress(), datasetId });
        return (
          <>
            <CodeBox label={text("onboarding.install")} code={install} />
            <CodeBox label={file} code={code} />
            <CodeBox label={text("onboarding.shell")} code={run} />
            {start.authenticationEnabled && <p>{text("experiments.first.key")}</p>}
          </>
        );
      }}
    </Programs>
  );
}
