// An image of a message: by its address, or a file whose content becomes part of the message.
import { useRef, useState } from "react";
import { Button } from "../../../kit/Button.tsx";
import { TextField } from "../../../kit/Field.tsx";
import { formatBytes } from "../../../lib/format.ts";
import { text } from "../../../texts/texts.ts";
import styles from "./MessageFields.module.css";

/** Larger ones are refused by the providers. */
const MOST_BYTES = 5 * 1024 * 1024;
/** Stands in the empty field. */
const SCHEME = "https://";

interface ImageFieldProps {
  readonly label: string;
  /** An address, or `data:image/…`. */
  readonly value: string;
  readonly problem: string | null;
  readonly onChange: (value: string) => void;
}

export function ImageField({ label, value, problem, onChange }: ImageFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const isFile = value.startsWith("data:");
  const take = (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > MOST_BYTES) {
      setRefused(text("prompts.editor.image.large", { size: formatBytes(MOST_BYTES) }));
      return;
    }
    const reader = new FileReader();
    reader.onload = () => {
      setRefused(null);
      onChange(String(reader.result));
    };
    reader.onerror = () => setRefused(text("prompts.editor.image.unreadable"));
    reader.readAsDataURL(file);
  };
  return (
    <div className={styles.image}>
      <TextField
        mono
        label={label}
        placeholder={SCHEME}
        readOnly={isFile}
        value={isFile ? text("prompts.editor.image.file", { size: formatBytes(sizeOf(value)) }) : value}
        problem={refused ?? problem}
        onChange={onChange}
      />
      {/* Images of other hosts are not fetched: who owns the host would see who looks. */}
      {isFile && <img className={styles.picture} src={value} alt="" />}
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        onChange={(event) => {
          take(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
      {isFile ? (
        <Button onClick={() => onChange("")}>{text("prompts.editor.image.address")}</Button>
      ) : (
        <Button onClick={() => input.current?.click()}>{text("prompts.editor.image.choose")}</Button>
      )}
    </div>
  );
}

/** Bytes of the file in a data address. */
function sizeOf(value: string): number {
  return Math.floor(((value.length - value.indexOf(",") - 1) * 3) / 4);
}
