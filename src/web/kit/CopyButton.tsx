// Copies a text and says so for a moment, in place.
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { text } from "../texts/texts.ts";
import { IconButton } from "./Button.tsx";

const SHOWN_MS = 1_500;

interface CopyButtonProps {
  /** The text, or what makes it when it is long. */
  readonly value: string | (() => string);
  readonly label?: string;
  readonly small?: boolean;
}

export function CopyButton({ value, label = text("kit.copy"), small = true }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      small={small}
      label={copied ? text("kit.copied") : label}
      icon={copied ? <Check /> : <Copy />}
      onClick={() => void copyText(typeof value === "function" ? value() : value).then(setCopied)}
    />
  );
}

/** Also on plain HTTP, where browsers give pages no clipboard. */
export async function copyText(value: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(value).then(
      () => true,
      () => false,
    );
  }
  const field = document.createElement("textarea");
  field.value = value;
  (document.querySelector("dialog:modal") ?? document.body).append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
