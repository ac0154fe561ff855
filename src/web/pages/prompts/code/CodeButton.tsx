// Opens the program for a version; its script is loaded when it is asked for.
import { Code } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../kit/Button.tsx";
import { Late, late } from "../../../lib/late.tsx";
import { text } from "../../../texts/texts.ts";
import type { ListedVersion, ShownPrompt } from "../prompts.queries.ts";

const { Part: CodeDialog } = late(() => import("./CodeDialog.tsx"));

interface CodeButtonProps {
  readonly prompt: ShownPrompt;
  readonly version: ListedVersion;
}

export function CodeButton({ prompt, version }: CodeButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={<Code />} onClick={() => setOpen(true)}>
        {text("prompts.code")}
      </Button>
      {open && (
        <Late keys="page">
          <CodeDialog prompt={prompt} version={version} onClose={() => setOpen(false)} />
        </Late>
      )}
    </>
  );
}
