// The program for a version, as the reader chooses it, to be copied.
import { useState } from "react";
import { useVersionContent } from "../../../domain/prompts/version-content.ts";
import type { PromptVersionContent } from "../../../domain/prompts/version-parts.ts";
import { CodeView } from "../../../kit/CodeView.tsx";
import { Dialog } from "../../../kit/Dialog.tsx";
import { Segmented, Select } from "../../../kit/Field.tsx";
import { Loaded } from "../../../kit/States.tsx";
import { start } from "../../../lib/start.ts";
import { textsOf } from "../../../texts/texts.ts";
import type { ListedVersion, ShownPrompt } from "../prompts.queries.ts";
import styles from "./CodeDialog.module.css";
import { codeDialogTexts } from "./code-dialog.late-texts.ts";
import type { Language } from "./code-values.ts";
import { exportedCode, type Library, languages, librariesOf, libraryOf, type PromptSource } from "./exported-code.ts";

const codeText = textsOf(codeDialogTexts);

interface CodeDialogProps {
  readonly prompt: ShownPrompt;
  readonly version: ListedVersion;
  readonly onClose: () => void;
}

export default function CodeDialog({ prompt, version, onClose }: CodeDialogProps) {
  const content = useVersionContent(version.id);
  const title = codeText("prompts.code.title", { name: prompt.name, number: version.sequenceNumber });
  return (
    <Dialog open full title={title} onClose={onClose}>
      <Loaded query={content}>{(loaded) => <Program prompt={prompt} version={version} content={loaded} />}</Loaded>
    </Dialog>
  );
}

interface ProgramProps extends Pick<CodeDialogProps, "prompt" | "version"> {
  readonly content: PromptVersionContent;
}

function Program({ prompt, version, content }: ProgramProps) {
  const [language, setLanguage] = useState<Language>("typescript");
  const [chosenLibrary, setLibrary] = useState<Library>(() => libraryOf(content));
  const sources = sourcesOf(version);
  const [sourceKey, setSourceKey] = useState(Object.keys(sources)[0] ?? INLINE);
  const libraries = librariesOf(language);
  const library = libraries.includes(chosenLibrary) ? chosenLibrary : libraryOf(content);
  const source = sources[sourceKey] ?? { kind: "inline" };
  const code = exportedCode(
    {
      name: prompt.name,
      description: prompt.description,
      number: version.sequenceNumber,
      content,
      address: location.origin + start.basePath,
    },
    { language, library, source },
  );
  return (
    <div className={styles.program}>
      <div className={styles.choices}>
        <Segmented
          label={codeText("prompts.code.language")}
          choices={languages.map((value) => ({ value, label: codeText(`prompts.code.language.${value}`) }))}
          value={language}
          onChange={setLanguage}
        />
        <Select
          label={codeText("prompts.code.library")}
          choices={libraries.map((value) => ({ value, label: codeText(`prompts.code.library.${value}`) }))}
          value={library}
          onChange={(chosen) => setLibrary(chosen as Library)}
        />
        <Select
          label={codeText("prompts.code.source")}
          choices={Object.entries(sources).map(([value, each]) => ({
            value,
            label: sourceLabel(each, version, library),
          }))}
          value={sourceKey}
          onChange={setSourceKey}
        />
      </div>
      <CodeView high wrap={false} label={codeText("prompts.code.text")} value={code} />
    </div>
  );
}

const VERSION = "version";
const INLINE = "inline";

/** By what stands in the choice; a tag cannot be called as the others, for its name has a prefix here. */
function sourcesOf({ id, tags }: ListedVersion): Readonly<Record<string, PromptSource>> {
  return Object.fromEntries<PromptSource>([
    ...tags.map(({ name }) => [`tag ${name}`, { kind: "tag", tag: name }] as const),
    [VERSION, { kind: "version", versionId: id }],
    [INLINE, { kind: "inline" }],
  ]);
}

function sourceLabel(source: PromptSource, { sequenceNumber: number }: ListedVersion, library: Library): string {
  switch (source.kind) {
    case "tag":
      return codeText("prompts.code.source.tag", { tag: source.tag });
    case "version":
      return codeText("prompts.code.source.version", { number });
    case "inline":
      return library === "client" ? codeText("prompts.code.source.create") : codeText("prompts.code.source.inline");
  }
}
