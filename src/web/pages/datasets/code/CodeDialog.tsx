// How programs read the dataset and add to it, to be copied.
import { LanguageChoice, type ProgramLanguage, serviceAddress } from "../../../explorer/onboarding/Programs.tsx";
import { Button } from "../../../kit/Button.tsx";
import { CodeView } from "../../../kit/CodeView.tsx";
import { Dialog } from "../../../kit/Dialog.tsx";
import { createPreference, usePreference } from "../../../lib/preferences.ts";
import { start } from "../../../lib/start.ts";
import { text } from "../../../texts/texts.ts";
import { datasetSnippet, installs, tasks } from "./dataset-snippets.ts";

interface CodeDialogProps {
  readonly name: string;
  readonly versionId: string | null;
  readonly onClose: () => void;
}

const languagePreference = createPreference<ProgramLanguage>("datasets.code", "python");

export default function CodeDialog({ name, versionId, onClose }: CodeDialogProps) {
  const [language, setLanguage] = usePreference(languagePreference);
  const base = serviceAddress();
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={text("datasets.code.title", { name })}
      actions={<Button onClick={onClose}>{text("kit.close")}</Button>}
    >
      <LanguageChoice value={language} onChange={setLanguage} />
      {start.authenticationEnabled && <p>{text("datasets.code.key")}</p>}
      <CodeView label={text("onboarding.install")} value={installs[language]} />
      {tasks.map((task) => (
        <section key={task}>
          <h3>{text(`datasets.code.${task}`)}</h3>
          <CodeView
            label={text(`datasets.code.${task}`)}
            value={datasetSnippet(language, task, { base, name, versionId })}
          />
        </section>
      ))}
    </Dialog>
  );
}
