// A field for a password, which its owner may look at while typing.
import { Eye, EyeOff } from "lucide-react";
import { type RefObject, useState } from "react";
import { IconButton } from "../../kit/Button.tsx";
import { TextField } from "../../kit/Field.tsx";
import { text } from "../../texts/texts.ts";

interface PasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What password managers make of it. */
  readonly purpose: "current-password" | "new-password" | "off";
  readonly problem?: string | null | undefined;
  readonly hint?: string;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
  readonly shownAtFirst?: boolean;
}

export function PasswordField({ purpose, shownAtFirst = false, ...rest }: PasswordFieldProps) {
  const [shown, setShown] = useState(shownAtFirst);
  const end = (
    <IconButton
      label={text(shown ? "password.hide" : "password.show", { label: rest.label })}
      icon={shown ? <EyeOff /> : <Eye />}
      onClick={() => setShown(!shown)}
    />
  );
  return <TextField {...rest} end={end} type={shown ? "text" : "password"} autoComplete={purpose} spellCheck={false} />;
}
