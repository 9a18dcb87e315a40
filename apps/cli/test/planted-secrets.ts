/** A secret as it stands in a text, and what of it must be found nowhere. */
export interface Planted {
  readonly kind: string;
  /** The surroundings with the secret. */
  readonly text: string;
  readonly secret: string;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
let state = 20_261_130;

function random(length: number, letters: string = LETTERS): string {
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return letters[state % letters.length] ?? 'x';
  }).join('');
}

function planted(kind: string, secret: string, around: (secret: string) => string = (text) => text): Planted {
  return { kind, secret, text: around(secret) };
}

const pem = [random(64), random(64), random(40)];

/** The value of this variable is named as secret. */
export const SECRET_VARIABLE = 'SHOP_DB_PASSWORD';
/** No rule knows it: it is a word among others. */
export const NAMED = `correct horse ${random(6)} staple`;

/** Secrets of different kinds, made anew, since a scanner of repositories would find others. */
export const PLANTED: readonly Planted[] = [
  planted('AWS key id', `AKIA${random(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`),
  planted('AWS secret key', random(40), (key) => `aws_secret_access_key = ${key}`),
  planted('GitHub token', `ghp_${random(36)}`, (token) => `git clone https://x-access-token:${token}@github.com/a/b`),
  planted('GitHub fine-grained token', `github_pat_${random(22)}_${random(59)}`),
  planted('GitLab token', `glpat-${random(20)}`),
  planted('Slack token', `xoxb-${random(12, '0123456789')}-${random(12, '0123456789')}-${random(24)}`),
  planted('OpenAI key', `sk-proj-${random(48)}`, (key) => `OPENAI_API_KEY=${key}`),
  planted('Anthropic key', `sk-ant-api03-${random(80)}AA`),
  planted('Google API key', `AIza${random(35)}`, (key) => `https://maps.example/api?key=${key}`),
  planted('Stripe key', `sk_live_${random(24)}`),
  planted('npm token', `npm_${random(36)}`, (token) => `//registry.npmjs.org/:_authToken=${token}`),
  planted('PyPI token', `pypi-AgEIcHlwaS5vcmc${random(120)}`),
  planted('JWT', `eyJ${random(30)}.eyJ${random(60)}.${random(43)}`),
  planted('password in a URL', random(18), (password) => `postgres://shop:${password}@db.internal:5432/shop`),
  planted('authorization header', random(32), (token) => `curl -H 'Authorization: Bearer ${token}' https://api.internal`),
  planted('basic authorization', `${random(30)}==`, (value) => `Authorization: Basic ${value}`),
  planted('cookie', random(40), (value) => `Cookie: session=${value}; theme=dark`),
  planted('private key', pem[1] ?? '', () => `-----BEGIN RSA PRIVATE KEY-----\n${pem.join('\n')}\n-----END RSA PRIVATE KEY-----`),
  planted('private key in one line', pem[0] ?? '', () => `"-----BEGIN PRIVATE KEY-----\\n${pem.join('\\n')}\\n-----END PRIVATE KEY-----\\n"`),
  planted('quoted value', random(24), (value) => `{"client_secret": "${value}"}`),
  planted('value on the next line', random(20), (value) => `password:\n  ${value}\n`),
  planted('Azure account key', `${random(86)}==`, (key) => `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${key};EndpointSuffix=core.windows.net`),
  planted('configured value', NAMED, (value) => `the passphrase is ${value}, do not tell`),
];

/** A value that a member is named for. */
export const MEMBER_SECRET = random(14);
