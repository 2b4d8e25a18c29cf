/** Passkeys, where the browser and this address can have them. */

import { ask } from "./api";
import type { MyAccount } from "./types/server";

interface Parsing {
  parseCreationOptionsFromJSON?(options: unknown): PublicKeyCredentialCreationOptions;
  parseRequestOptionsFromJSON?(options: unknown): PublicKeyCredentialRequestOptions;
}

function parsing(): Parsing | null {
  return typeof PublicKeyCredential === "undefined" ? null : (PublicKeyCredential as unknown as Parsing);
}

export function canUsePasskeys(): boolean {
  return parsing()?.parseCreationOptionsFromJSON !== undefined;
}

/** Makes a passkey and keeps the name with it; null if the person thought better of it. */
export async function makePasskey(name: string, label: string): Promise<MyAccount | null> {
  const { options } = await ask("POST /api/me/passkeys/options", { body: { name } });
  const publicKey = parsing()?.parseCreationOptionsFromJSON?.(options);
  const made = publicKey && (await navigator.credentials.create({ publicKey }).catch(() => null));
  if (!(made instanceof PublicKeyCredential)) return null;
  return ask("POST /api/me/passkeys", { body: { credential: made.toJSON() as Record<string, unknown>, label, name } });
}

/** Signs in with a passkey of this device; null if none was chosen. */
export async function usePasskey(): Promise<MyAccount | null> {
  const { options } = await ask("POST /api/sign-in/passkey/options");
  const publicKey = parsing()?.parseRequestOptionsFromJSON?.(options);
  const found = publicKey && (await navigator.credentials.get({ publicKey }).catch(() => null));
  if (!(found instanceof PublicKeyCredential)) return null;
  return ask("POST /api/sign-in/passkey", { body: { credential: found.toJSON() as Record<string, unknown> } });
}
