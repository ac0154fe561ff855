// What a project is called and how it looks. The name is fixed: programs send to it.
import { useState } from "react";
import { Button } from "../../kit/Button.tsx";
import { TextArea } from "../../kit/Field.tsx";
import { PlainForm } from "../../kit/form/PlainForm.tsx";
import { Facts, Section } from "../../kit/Section.tsx";
import { Notice } from "../../kit/States.tsx";
import { Time } from "../../kit/Time.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { useGraphqlMutation } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import styles from "./ProjectSettingsPage.module.css";
import { patchProject, type SettingsOfProject } from "./project-settings.queries.ts";

interface GeneralProps {
  readonly project: SettingsOfProject;
  readonly mayChange: boolean;
}

export function General({ project, mayChange }: GeneralProps) {
  return (
    <Section title={text("config.general")} hint={text("config.name.hint")}>
      <Facts
        facts={[
          { label: text("config.name"), value: project.name },
          { label: text("config.created"), value: <Time at={project.createdAt} /> },
          { label: text("config.updated"), value: <Time at={project.updatedAt} /> },
        ]}
      />
      {mayChange ? <Look project={project} /> : <FixedLook project={project} />}
    </Section>
  );
}

function FixedLook({ project }: { readonly project: SettingsOfProject }) {
  return (
    <>
      {project.description && <p className={styles.description}>{project.description}</p>}
      <p className={styles.note}>{text("config.admins")}</p>
    </>
  );
}

function Look({ project }: { readonly project: SettingsOfProject }) {
  const [description, setDescription] = useState(project.description ?? "");
  const [first, setFirst] = useState(project.gradientStartColor);
  const [second, setSecond] = useState(project.gradientEndColor);
  const patch = useGraphqlMutation(patchProject, ["projects"]);
  const changed =
    description !== (project.description ?? "") ||
    first !== project.gradientStartColor ||
    second !== project.gradientEndColor;
  const submit = () => {
    if (!changed || patch.isPending) return;
    patch.mutate(
      { input: { id: project.id, description, gradientStartColor: first, gradientEndColor: second } },
      { onSuccess: () => showToast(text("config.saved")) },
    );
  };
  return (
    <PlainForm className={styles.form} onSubmit={submit}>
      {patch.error && <Notice tone="error">{patch.error.message}</Notice>}
      <TextArea label={text("config.description")} value={description} onChange={setDescription} />
      <div className={styles.colors}>
        <label className={styles.color}>
          {text("config.color.first")}
          <input type="color" value={first} onChange={(event) => setFirst(event.target.value)} />
        </label>
        <label className={styles.color}>
          {text("config.color.second")}
          <input type="color" value={second} onChange={(event) => setSecond(event.target.value)} />
        </label>
        <span className={styles.swatch} style={{ background: `linear-gradient(90deg, ${first}, ${second})` }} />
      </div>
      <div>
        <Button type="submit" look="main" disabled={!changed || patch.isPending}>
          {text("config.save")}
        </Button>
      </div>
    </PlainForm>
  );
}
