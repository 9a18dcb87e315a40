/** How much a name says about what stands behind it. */
export type KeywordKind =
  /** Whatever stands behind the separator goes. */
  | 'secret'
  /** The same, and a sentence that tells it counts too. */
  | 'password'
  | 'authorization'
  | 'cookie'
  /** Goes when it looks like a secret. */
  | 'credential'
  | 'pass'
  | 'pwd'
  | 'auth'
  | 'signature'
  | 'jwt'
  | 'key'
  | 'identified'
  /** What stands behind it, with no separator, goes. */
  | 'directive';

/** Names that are followed by a secret, wherever they stand in an identifier's end. No quantifier but `?`. */
// eslint-disable-next-line @typescript-eslint/no-inferrable-types -- declarations are made without inference
export const KEYWORD: RegExp =
  /passw(?:or)?d|passphrase|passcode|passwort|kennwort|secret key|secret(?![_ -]?phrase)|api[_. -]?key|token|authorization|(?:private|access|account|encryption|signing|master|storage|shared|subscription|webhook|app|consumer|encrypt)[_. -]?key|credential|creds(?![a-z])|identified by|cookie|securestring|requirepass|masterauth|authident|unseal key(?: [0-9])?|pwd|pass|psk|_pw(?![a-z])|jwt|auth|sig|_key|mnemonic|(?:seed|recovery|secret)[_ -]?(?:phrase|code)|(?:wifi|wpa)[_-]?psk|contrase(?:ñ|n)a|senha|mot de passe|пароль|密码|密碼|パスワード/gi;

const KINDS: readonly (readonly [RegExp, KeywordKind])[] = [
  [/^(?:passw(?:or)?d|passphrase|passcode|mnemonic|seed|recovery|wifi|wpa|passwort|kennwort|contrase|senha|mot|пароль|密|パ|securestring)/i, 'password'],
  [/^authorization$/i, 'authorization'],
  [/^cookie$/i, 'cookie'],
  [/^cred/i, 'credential'],
  [/^(?:pass|psk|_pw)$/i, 'pass'],
  [/^(?:requirepass|masterauth)$/i, 'directive'],
  [/^pwd$/i, 'pwd'],
  [/^auth$/i, 'auth'],
  [/^sig$/i, 'signature'],
  [/^jwt$/i, 'jwt'],
  [/^_key$/i, 'key'],
  [/^identified by$/i, 'identified'],
];
const KNOWN = new Map<string, KeywordKind>();

export function kindOf(word: string): KeywordKind {
  const known = KNOWN.get(word);
  if (known !== undefined) return known;
  const kind = KINDS.find(([pattern]) => pattern.test(word))?.[1] ?? 'secret';
  if (KNOWN.size < 1000) KNOWN.set(word, kind);
  return kind;
}
