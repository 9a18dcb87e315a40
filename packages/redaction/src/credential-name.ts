/** Names whose value goes whatever it is (AEP-0003 §9.4, O-85), without separators and in lower case. */
const WHOLE: ReadonlySet<string> = new Set([
  'password', 'passwd', 'passphrase', 'passcode', 'passwort', 'kennwort', 'secret', 'apikey', 'xapikey', 'token', 'authorization', 'proxyauthorization',
  'credential', 'credentials', 'privatekey', 'accesskey', 'secretkey', 'secretaccesskey', 'awssecretaccesskey', 'accesstoken', 'refreshtoken', 'idtoken',
  'authtoken', 'sessiontoken', 'securitytoken', 'bearertoken', 'clientsecret', 'appsecret', 'apisecret', 'apitoken', 'signingkey', 'signingsecret', 'encryptionkey', 'masterkey',
  'accountkey', 'storagekey', 'sharedaccesskey', 'webhooksecret', 'dbpassword', 'userpassword', 'newpassword', 'oldpassword', 'currentpassword', 'secretid',
  'privatekeyid', 'cookie', 'cookies', 'setcookie', 'jwt', 'bearer', 'totpsecret', 'otpsecret', 'mfasecret', 'clientkey', 'appkey', 'consumerkey', 'subscriptionkey', 'ocpapimsubscriptionkey',
]);
/** Names whose texts go; numbers and switches under them mean something else. */
const ENDING = /(?:passw(?:or)?d|passphrase|passcode|passwort|kennwort|secret|apikey|token|authorization|credential|privatekey|accesskey|secretkey|accountkey|encryptionkey|signingkey|masterkey|cookie|contraseña|senha|пароль|密码|密碼|パスワード)s?$/;
const SUFFIXED = /(?:passw(?:or)?d|secret|secretkey|apikey|privatekey)(?:base|value|plain|raw|text|prod|production|dev|development|test|staging|live|old|new|current|primary|secondary|default|main|id|\d{1,3})$/;

/** How much a member name says about its value. */
export type CredentialName = 'whole' | 'text' | undefined;

export function credentialName(name: string): CredentialName {
  if (name.length > 128 || name.length < 3) return undefined;
  const bare = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  if (WHOLE.has(bare)) return 'whole';
  if (bare.endsWith('tokens')) return undefined;
  return ENDING.test(bare) || SUFFIXED.test(bare) ? 'text' : undefined;
}
