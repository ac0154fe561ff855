// The head of a version: its number, the tags that point at it, and what moves them.
import { Pencil, SquareTerminal, Tag, X } from "lucide-react";
import { useState } from "react";
import { Button, IconButton, LinkButton } from "../../kit/Button.tsx";
import { Select } from "../../kit/Field.tsx";
import { Badge } from "../../kit/States.tsx";
import { linkTo } from "../../lib/links.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import { CodeButton } from "./code/CodeButton.tsx";
import type { ListedVersion, ShownPrompt } from "./prompts.queries.ts";
import { RemoveTagDialog, TagDialog } from "./TagDialogs.tsx";
import styles from "./VersionHeader.module.css";

interface VersionHeaderProps {
  readonly prompt: ShownPrompt;
  /** Undefined while its page of the list has not come. */
  readonly version: ListedVersion | undefined;
  readonly versions: readonly ListedVersion[];
  /** Empty when it is read alone. */
  readonly comparedId: string;
  readonly onCompare: (versionId: string) => void;
}

export function VersionHeader({ prompt, version, versions, comparedId, onCompare }: VersionHeaderProps) {
  const { mayWrite } = useRights();
  const [setting, setSetting] = useState(false);
  const [removed, setRemoved] = useState<ListedVersion["tags"][number] | null>(null);
  if (version === undefined) return null;
  const others = versions
    .filter(({ id }) => id !== version.id)
    .map(({ id, sequenceNumber }) => ({ value: id, label: text("prompts.number", { number: sequenceNumber }) }));
  return (
    <header className={styles.header}>
      <h2 className={styles.number}>{text("prompts.number", { number: version.sequenceNumber })}</h2>
      {version.tags.map((tag) => (
        <span key={tag.id} className={styles.tag} title={tag.description ?? undefined}>
          <Badge tone="accent">{tag.name}</Badge>
          {mayWrite && (
            <IconButton
              small
              label={text("prompts.tag.remove", { name: tag.name })}
              icon={<X />}
              onClick={() => setRemoved(tag)}
            />
          )}
        </span>
      ))}
      <span className={styles.space} />
      {others.length > 0 && (
        <Select
          labelHidden
          label={text("prompts.compare")}
          choices={[{ value: "", label: text("prompts.compare.none") }, ...others]}
          value={comparedId}
          onChange={onCompare}
        />
      )}
      <CodeButton prompt={prompt} version={version} />
      {mayWrite && (
        <Button icon={<Tag />} onClick={() => setSetting(true)}>
          {text("prompts.tag.set")}
        </Button>
      )}
      {mayWrite && (
        <LinkButton icon={<SquareTerminal />} to={`${linkTo("playground")}?version=${encodeURIComponent(version.id)}`}>
          {text("playground.title")}
        </LinkButton>
      )}
      {mayWrite && (
        <LinkButton icon={<Pencil />} to={linkTo("newPromptVersion", { promptId: prompt.id, versionId: version.id })}>
          {text("prompts.version.edit")}
        </LinkButton>
      )}
      {setting && <TagDialog version={version} versions={versions} onClose={() => setSetting(false)} />}
      {removed !== null && <RemoveTagDialog tag={removed} onClose={() => setRemoved(null)} />}
    </header>
  );
}
