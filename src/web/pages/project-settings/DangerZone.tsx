// What cannot be undone: taking traces out of a project, and the project itself.
import { useState } from "react";
import { Button } from "../../kit/Button.tsx";
import { Section } from "../../kit/Section.tsx";
import { text } from "../../texts/texts.ts";
import { ClearDialog } from "./ClearDialog.tsx";
import { DeleteDialog } from "./DeleteDialog.tsx";
import styles from "./ProjectSettingsPage.module.css";
import type { SettingsOfProject } from "./project-settings.queries.ts";

interface DangerZoneProps {
  readonly project: SettingsOfProject;
  readonly mayDelete: boolean;
}

export function DangerZone({ project, mayDelete }: DangerZoneProps) {
  const [asking, setAsking] = useState<"clear" | "delete" | null>(null);
  const close = () => setAsking(null);
  return (
    <Section title={text("config.danger")} hint={text("config.danger.hint")}>
      <div className={styles.danger}>
        <div>
          <h3 className={styles.name}>{text("config.clear")}</h3>
          <p>{text(mayDelete ? "config.clear.text" : "config.clear.admins")}</p>
        </div>
        {mayDelete && (
          <Button look="danger" onClick={() => setAsking("clear")}>
            {text("config.clear.open")}
          </Button>
        )}
      </div>
      <div className={styles.danger}>
        <div>
          <h3 className={styles.name}>{text("config.delete")}</h3>
          <p>{text(mayDelete ? "config.delete.text" : "config.delete.admins")}</p>
        </div>
        {mayDelete && (
          <Button look="danger" onClick={() => setAsking("delete")}>
            {text("config.delete.open")}
          </Button>
        )}
      </div>
      {asking === "clear" && <ClearDialog project={project} onClose={close} />}
      {asking === "delete" && <DeleteDialog project={project} onClose={close} />}
    </Section>
  );
}
