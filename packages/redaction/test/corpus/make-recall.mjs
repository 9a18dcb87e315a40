// Writes recall.jsonl: made-up secrets of all kinds where people and programs leave them. `node test/corpus/make-recall.mjs`
// A line is [kind, text]; ⟦ ⟧ stand around what has to go, and · splits tokens so that no scanner of hosting sites stops at the file.
import { writeFileSync } from 'node:fs';

let state = 7;
function random(below) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}
const from = (alphabet) => (n) => Array.from({ length: n }, () => alphabet[random(alphabet.length)]).join('');
const DIGITS = '0123456789';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const alnum = from(UPPER + LOWER + DIGITS);
const word = from(`${UPPER}${LOWER}${DIGITS}_-`);
const hex = from('0123456789abcdef');
const upper = from(UPPER + DIGITS);
const base64 = from(`${UPPER}${LOWER}${DIGITS}+/`);
const url64 = from(`${UPPER}${LOWER}${DIGITS}-_`);
const digits = from(DIGITS);
/** A split behind the third character and in the middle: no half of it is a token. */
const split = (token) => `${token.slice(0, 3)}·${token.slice(3, token.length >> 1)}·${token.slice(token.length >> 1)}`;
const s = (token) => `⟦${split(token)}⟧`;
const password = () => `${alnum(5)}${'!#$%^*+?'[random(8)]}${alnum(4)}${digits(1)}`;
const pem = (feed, label = 'RSA PRIVATE KEY') => `⟦-----BE·GIN ${label}-----${feed}${base64(64)}${feed}${base64(64)}${feed}${base64(30)}==${feed}-----E·ND ${label}-----⟧`;
const jwt = () => `eyJ${url64(33)}.eyJ${url64(60)}.${url64(43)}`;

/** Tokens that are known by their form. */
const TOKENS = {
  'aws-key-id': () => `AKIA${upper(16)}`,
  'aws-temporary-key-id': () => `ASIA${upper(16)}`,
  'github-classic': () => `ghp_${alnum(36)}`,
  'github-oauth': () => `gho_${alnum(36)}`,
  'github-app': () => `ghs_${alnum(36)}`,
  'github-refresh': () => `ghr_${alnum(76)}`,
  'github-fine': () => `github_pat_${alnum(22)}_${alnum(59)}`,
  gitlab: () => `glpat-${word(19)}a`,
  'gitlab-deploy': () => `gldt-${word(19)}a`,
  'slack-bot': () => `xoxb-${digits(12)}-${digits(13)}-${alnum(24)}`,
  'slack-user': () => `xoxp-${digits(12)}-${digits(12)}-${hex(32)}`,
  'slack-app': () => `xapp-1-A${upper(10)}-${digits(13)}-${hex(64)}`,
  openai: () => `sk-${alnum(48)}`,
  'openai-project': () => `sk-proj-${url64(74)}T3BlbkFJ${url64(74)}`,
  anthropic: () => `sk-ant-api03-${url64(93)}AA`,
  openrouter: () => `sk-or-v1-${hex(64)}`,
  groq: () => `gsk_${alnum(52)}`,
  xai: () => `xai-${alnum(80)}`,
  perplexity: () => `pplx-${alnum(48)}`,
  huggingface: () => `hf_${alnum(34)}`,
  replicate: () => `r8_${alnum(37)}`,
  'google-api': () => `AIza${url64(34)}x`,
  'google-secret': () => `GOCSPX-${url64(28)}`,
  'google-access': () => `ya29.${url64(100)}`,
  'stripe-live': () => `sk_live_${alnum(24)}`,
  'stripe-restricted': () => `rk_live_${alnum(24)}`,
  'stripe-hook': () => `whsec_${alnum(32)}`,
  npm: () => `npm_${alnum(36)}`,
  pypi: () => `pypi-AgEIcHlwaS5vcmc${url64(150)}`,
  sendgrid: () => `SG.${url64(22)}.${url64(43)}`,
  mailgun: () => `key-${hex(32)}`,
  twilio: () => `SK${hex(32)}`,
  digitalocean: () => `dop_v1_${hex(64)}`,
  shopify: () => `shpat_${hex(32)}`,
  vault: () => `hvs.${url64(90)}`,
  databricks: () => `dapi${hex(32)}`,
  'new-relic': () => `NRAK-${upper(26)}7`,
  grafana: () => `glsa_${alnum(32)}_${hex(8)}`,
  linear: () => `lin_api_${alnum(39)}4`,
  docker: () => `dckr_pat_${url64(26)}1`,
  supabase: () => `sbp_${hex(40)}`,
  atlassian: () => `ATATT3xFfGF0${url64(180)}`,
  doppler: () => `dp.pt.${alnum(43)}`,
  airtable: () => `pat${alnum(14)}.${hex(64)}`,
  terraform: () => `${alnum(14)}.atlasv1.${url64(67)}`,
  postman: () => `PMAK-${hex(24)}-${hex(34)}`,
  telegram: () => `${1 + random(8)}${digits(9)}:AA${url64(33)}`,
  discord: () => `M${alnum(23)}.${url64(6)}.${url64(38)}`,
  jwt,
  'azure-secret': () => `${alnum(3)}8Q~${alnum(34)}`,
  'azure-devops': () => `${alnum(76)}AZDO${alnum(4)}`,
  alibaba: () => `LTAI${alnum(20)}`,
  age: () => `AGE-SECRET-KEY-1${upper(58)}`,
};
const PLACES = [
  (t) => `I get 401 with ${t} since this morning, can you look?`,
  (t) => `{"type":"text","text":"use ${t}, please"}`,
  (t) => `{\\"output\\":\\"done\\n${t}\\nbye\\"}`,
  (t) => `+  "value": "${t}",`,
  (t) => `config.set('x', '${t}');`,
  (t) => `     12→export const CLIENT = "${t}";`,
  (t) => `curl 'https://api.example.com/v1/x?k=${t}&y=1'`,
  (t) => `\u001b[32m${t}\u001b[0m`,
  (t) => `| prod | ${t} | active |`,
  (t) => `<td>${t}</td>`,
  (t) => `x_${t}`,
  (t) => `args=%7B%22k%22%3A%22${t}%22%7D`,
];
const NAMES = ['password', 'DB_PASSWORD', 'POSTGRES_PASSWORD', 'passwd', 'secret', 'CLIENT_SECRET', 'clientSecret', 'api_key', 'API-KEY', 'apiKey', 'OPENAI_API_KEY', 'token', 'AUTH_TOKEN', 'accessToken', 'refresh_token', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'SECRET_KEY_BASE', 'private_key', 'passphrase', 'encryption_key', 'X-Api-Key', 'x-vault-token', 'spring.datasource.password', 'SENTRY_AUTH_TOKEN'];
const ASSIGNED = [
  (n, v) => `${n}=${v}`,
  (n, v) => `export ${n}="${v}"`,
  (n, v) => `${n}: ${v}`,
  (n, v) => `${n}: '${v}'`,
  (n, v) => `"${n}": "${v}",`,
  (n, v) => `{\\"${n}\\":\\"${v}\\",\\"n\\":1}`,
  (n, v) => `${n} =\n    "${v}"`,
  (n, v) => `'${n}' => '${v}',`,
  (n, v) => `os.environ["${n}"] = "${v}"`,
  (n, v) => `const ${n} = \`${v}\`;`,
  (n, v) => `- name: ${n}\n  value: "${v}"`,
  (n, v) => `{"name":"${n}","value":"${v}"}`,
  (n, v) => `HOME=/root\n${n}=${v}\nSHELL=/bin/sh`,
  (n, v) => `set ${n}=${v}`,
  (n, v) => `$env:${n} = "${v}"`,
  (n, v) => `ENV ${n} ${n}=${v}`,
  (n, v) => `**${n}:** ${v}`,
  (n, v) => `<add key="${n}" value="${v}" />`,
  (n, v) => `%22${n}%22%3A%22${v}%22`,
  (n, v) => `&quot;${n}&quot;:&quot;${v}&quot;`,
];
const OTHERS = [
  ['pem', () => `$ cat id_rsa\n${pem('\n')}\n$`],
  ['pem-one-line', () => `"private_key": "${pem('\\n')}\\n",`],
  ['pem-twice-escaped', () => `"{\\"key\\":\\"${pem('\\\\n')}\\"}"`],
  ['pem-numbered', () => `     1→${pem('\n     2→', 'EC PRIVATE KEY')}`],
  ['pem-openssh', () => pem('\r\n', 'OPENSSH PRIVATE KEY')],
  ['pem-pgp', () => pem('\n', 'PGP PRIVATE KEY BLOCK')],
  ['pem-cut', () => `⟦-----BE·GIN PRIVATE KEY-----\n${base64(64)}\n${base64(64)}⟧\n... [truncated]`],
  ['pem-encoded', () => `tls.key: ⟦LS0·tLS1CRUdJTi·BQUklWQVRFIEtFWS0tLS0t${base64(80)}⟧==`],
  ['gcp-service-account', () => `{"type":"service_account","private_key_id":"⟦${hex(40)}⟧","private_key":"${pem('\\n')}\\n","client_email":"⟦svc@proj.iam.gserviceaccount.com⟧"}`],
  ['aws-pair', () => `${s(`AKIA${upper(16)}`)}\n⟦${base64(20)}·${base64(20)}⟧`],
  ['aws-csv', () => `User,Access key ID,Secret access key\nbob,${s(`AKIA${upper(16)}`)},⟦${base64(20)}·${base64(20)}⟧`],
  ['aws-credentials', () => `[default]\naws_access_key_id = ${s(`AKIA${upper(16)}`)}\naws_secret_access_key = ⟦${base64(20)}·${base64(20)}⟧`],
  ['bearer', () => `Authorization: Bearer ⟦${url64(40)}⟧`],
  ['bearer-lower', () => `authorization: bearer ⟦${url64(24)}⟧`],
  ['bearer-curl', () => `curl -H "Authorization: Bearer ⟦${url64(40)}⟧" https://api.example.com`],
  ['basic', () => `Authorization: Basic ⟦${base64(24)}⟧==`],
  ['basic-json', () => `{"headers":{"Authorization":"⟦Basic ${base64(24)}==⟧"}}`],
  ['proxy-authorization', () => `Proxy-Authorization: Basic ⟦${base64(24)}⟧`],
  ['digest', () => `Authorization: Digest ⟦username="bob", nonce="${hex(16)}", response="${hex(32)}"⟧`],
  ['aws-signature', () => `Authorization: AWS4-HMAC-SHA256 ⟦Credential=x/20261130/eu/s3/aws4_request, SignedHeaders=host, Signature=${hex(64)}⟧`],
  ['token-scheme', () => `Authorization: token ⟦${hex(40)}⟧`],
  ['api-key-header', () => `curl -H 'X-API-Key: ⟦${alnum(32)}⟧' http://x`],
  ['cookie', () => `Cookie: ⟦session=${hex(32)}; csrf=${hex(16)}⟧`],
  ['set-cookie', () => `Set-Cookie: ⟦sid=${hex(32)}; Path=/; HttpOnly; Expires=Wed, 21 Oct 2026 07:28:00 GMT⟧`],
  ['cookie-curl', () => `curl -H 'Cookie: ⟦sid=${hex(32)}⟧' http://x`],
  ['curl-user', () => `curl -u admin:⟦${password()}⟧ https://x`],
  ['curl-user-quoted', () => `curl --user "admin:⟦${password()}⟧" https://x`],
  ['url-postgres', () => `DATABASE=postgresql://app:⟦${alnum(16)}⟧@db.internal:5432/app?sslmode=require`],
  ['url-mongo', () => `mongodb+srv://app:⟦${alnum(14)}⟧@cluster0.abcde.mongodb.net/test`],
  ['url-redis', () => `redis://:⟦${alnum(20)}⟧@cache:6379/0`],
  ['url-amqp', () => `amqps://user:⟦${alnum(12)}⟧@mq/vhost`],
  ['url-odd', () => `mysql://root:⟦p@ss/${alnum(6)}⟧@127.0.0.1/x`],
  ['url-git', () => `git clone https://bob:⟦${alnum(20)}⟧@git.example.com/r.git`],
  ['url-token', () => `https://⟦${alnum(15)}${digits(5)}⟧@git.example.com/r.git`],
  ['url-encoded', () => `u=postgres%3A%2F%2Fapp%3A⟦${alnum(16)}⟧%40db`],
  ['go-dsn', () => `app:⟦${alnum(12)}⟧@tcp(db:3306)/app`],
  ['oracle', () => `jdbc:oracle:thin:scott/⟦${alnum(9)}⟧@//db:1521/x`],
  ['ado', () => `Server=tcp:db,1433;User ID=sa;Password=⟦${alnum(14)}!⟧;Encrypt=True;`],
  ['ado-pwd', () => `Driver={x};Uid=sa;Pwd=⟦${alnum(10)}⟧;Database=x`],
  ['azure-storage', () => `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=⟦${base64(86)}==⟧;EndpointSuffix=core.windows.net`],
  ['azure-sas', () => `https://x.blob.core.windows.net/c?sv=2024-01-01&sig=⟦${alnum(40)}%2B${alnum(4)}%3D⟧&se=x`],
  ['azure-bus', () => `Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=⟦${base64(43)}=⟧`],
  ['s3-signed', () => `https://b.s3.amazonaws.com/x?X-Amz-Expires=60&X-Amz-Signature=⟦${hex(64)}⟧`],
  ['slack-hook', () => `https://hooks.sla·ck.com/services/⟦T${upper(8)}/B${upper(8)}/${alnum(24)}⟧`],
  ['discord-hook', () => `https://discord.com/api/web·hooks/⟦${digits(18)}/${url64(68)}⟧`],
  ['npmrc', () => `//registry.npmjs.org/:_authToken=⟦${uuidLike()}⟧`],
  ['npmrc-auth', () => `_auth=⟦${base64(24)}⟧`],
  ['docker-config', () => `{"auths":{"r.example.com":{"auth":"⟦${Buffer.from(`bob:${alnum(12)}`).toString('base64')}⟧"}}}`],
  ['netrc', () => `machine api.example.com login bob password ⟦${alnum(12)}⟧`],
  ['kubernetes', () => `apiVersion: v1\nkind: Secret\ndata:\n  password: ⟦${base64(20)}⟧`],
  ['yaml-next-line', () => `password:\n  ⟦${alnum(12)}⟧`],
  ['yaml-block', () => `secret: |\n  ⟦${alnum(30)}\n  ${alnum(30)}⟧\nnext: 1`],
  ['toml', () => `api_key = """⟦${alnum(20)}⟧"""`],
  ['ini', () => `[db]\npassword = ⟦${alnum(4)};${alnum(5)}⟧`],
  ['properties', () => `spring.datasource.password=⟦${password()}⟧`],
  ['python-default', () => `os.environ.get("DB_PASSWORD", "x") or password == "⟦${alnum(9)}⟧"`],
  ['typescript', () => `const password: string = "⟦two ${alnum(6)}⟧";`],
  ['go', () => `password := "⟦${alnum(9)} x⟧"`],
  ['php', () => `define('DB_PASSWORD', '⟦${alnum(9)}⟧');`],
  ['concatenated', () => `secret = "⟦${alnum(8)}⟧" + "⟦${alnum(8)}⟧"`],
  ['flag', () => `tool login --password ⟦${alnum(10)}⟧ --force`],
  ['flag-equals', () => `tool --api-key=⟦${alnum(20)}⟧ run`],
  ['flag-next-line', () => `tool --token \\\n  ⟦${alnum(20)}⟧`],
  ['mysql', () => `mysqldump -u root -p⟦${alnum(10)}⟧ db`],
  ['sshpass', () => `sshpass -p '⟦${alnum(5)} x⟧' ssh h`],
  ['redis-cli', () => `redis-cli -h x -a ⟦${alnum(12)}⟧ ping`],
  ['docker-login', () => `docker login -u bob -p ⟦${alnum(12)}⟧ r.example.com`],
  ['openssl', () => `openssl rsa -in k -passin pass:⟦${alnum(10)}⟧`],
  ['htpasswd', () => `htpasswd -cb .htpasswd bob ⟦${alnum(10)}⟧`],
  ['pgpassword', () => `PGPASSWORD=⟦${alnum(10)}⟧ psql -h x`],
  ['sql', () => `CREATE USER bob WITH PASSWORD '⟦${alnum(10)}⟧';`],
  ['sql-identified', () => `CREATE USER 'bob'@'%' IDENTIFIED BY '⟦${alnum(5)} x⟧';`],
  ['xml', () => `<server><username>bob</username><password>⟦${alnum(10)}⟧</password></server>`],
  ['plist', () => `<key>ApiKey</key>\n<string>⟦${alnum(20)}⟧</string>`],
  ['android', () => `<string name="api_key">⟦${alnum(20)}⟧</string>`],
  ['told', () => `the admin password is ⟦${password()}⟧, do not share it`],
  ['told-for', () => `Password for bob: ⟦${password()}⟧`],
  ['told-phrase', () => `the password is ⟦correct-horse-battery-staple⟧`],
  ['told-bare', () => `log in as bob with password ⟦${alnum(5)}aB${digits(3)}⟧`],
  ['env-dump', () => `declare -x GITHUB_TOKEN="${s(`ghp_${alnum(36)}`)}"\ndeclare -x STRIPE_KEY="⟦${alnum(24)}7a⟧"`],
  ['env-array', () => `"Env":["PATH=/bin","MYSQL_ROOT_PASSWORD=⟦${alnum(12)}⟧","X=1"]`],
  ['form', () => `grant_type=password&client_secret=⟦${alnum(20)}⟧&username=bob&password=⟦${alnum(9)}⟧&x=1`],
  ['form-encoded', () => `body=client_secret%3D⟦${alnum(20)}⟧%26x`],
  ['german', () => `Passwort: ⟦${alnum(10)}⟧`],
  ['russian', () => `Пароль: ⟦${alnum(10)}⟧`],
  ['chinese', () => `密码：⟦${alnum(10)}⟧`],
  ['e-mail', () => `mail ⟦bob.${LOWER.slice(0, 1 + random(20))}@example.com⟧ about it`],
  ['phone', () => `call ⟦+49 30 ${digits(7)}⟧`],
  ['home', () => `cat ⟦/home/alice⟧/.ssh/config`],
];

function uuidLike() {
  return `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`;
}

export const cases = [
  ...Object.entries(TOKENS).flatMap(([kind, make], index) => [0, 1, 2].map((round) => [kind, PLACES[(index + round * 5) % PLACES.length](s(make()))])),
  ...NAMES.flatMap((name, index) => [0, 1, 2, 3, 4].map((round) => [`named ${name}`, ASSIGNED[(index * 5 + round) % ASSIGNED.length](name, `⟦${round % 2 === 0 ? alnum(6 + random(20)) : password()}⟧`)])),
  ...OTHERS.map(([kind, make]) => [kind, make()]),
];

if (process.argv[1] === import.meta.filename) writeFileSync(new URL('recall.jsonl', import.meta.url), `${cases.map((one) => JSON.stringify(one)).join('\n')}\n`);
