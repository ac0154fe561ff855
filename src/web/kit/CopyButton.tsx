// Copies a text and confirms it for a short time, in place.
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { text } from "../texts/texts.ts";
import { IconButton } from "./Button.tsx";

const SHOWN_MS = 1_500;

interface CopyButtonProps {
  /** The text, or what makes it when it is long. */
  readonly value: string | (() => string | Promise<string>);
  readonly label?: string;
  readonly small?: boolean;
}

export function CopyButton({ value, label = text("kit.copy"), small = true }: CopyButtonProps) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <IconButton
      small={small}
      label={done ? text("kit.copied") : label}
      icon={done ? <Check /> : <Copy />}
      onClick={() => void copied(value).then(setDone)}
    />
  );
}

/** False where the text could not be had, or the browser did not allow it. */
async function copied(value: CopyButtonProps["value"]): Promise<boolean> {
  try {
    return await copyText(typeof value === "function" ? await value() : value);
  } catch {
    return false;
  }
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
