// Writes precision.txt: what developers and agents write all day, without a secret. `node test/corpus/make-precision.mjs`
import { writeFileSync } from 'node:fs';

let state = 20261130;
function random(below) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}
const pick = (list) => list[random(list.length)];
const hex = (n) => Array.from({ length: n }, () => '0123456789abcdef'[random(16)]).join('');
const base64 = (n) => Array.from({ length: n }, () => 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'[random(64)]).join('');
const digits = (n) => Array.from({ length: n }, (_, i) => (i === 0 ? 1 + random(9) : random(10))).join('');
const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
const time = () => `2026-${String(1 + random(12)).padStart(2, '0')}-${String(1 + random(28)).padStart(2, '0')}T${String(random(24)).padStart(2, '0')}:${String(random(60)).padStart(2, '0')}:${String(random(60)).padStart(2, '0')}.${digits(3)}Z`;
const version = () => `${random(30)}.${random(20)}.${random(400)}`;
const file = () => `${pick(['src', 'lib', 'packages/core/src', 'test', 'apps/web/components'])}/${pick(['index', 'token-list', 'passwordField', 'secret-santa', 'auth', 'api-keys', 'cookie-banner', 'user'])}.${pick(['ts', 'tsx', 'py', 'go', 'rs', 'test.ts'])}`;

const made = [
  () => `commit ${hex(40)}`,
  () => `${hex(7)} ${pick(['Fix', 'Add', 'Remove', 'Rename'])} ${pick(['token refresh', 'the password field', 'secret rotation docs', 'api key page', 'cookie banner', 'auth flow'])} (#${digits(4)})`,
  () => `index ${hex(7)}..${hex(7)} 100644`,
  () => `@@ -${digits(2)},${digits(1)} +${digits(2)},${digits(1)} @@ export function tokenize(source: string): Token[] {`,
  () => `+++ b/${file()}`,
  () => `${file()}:${digits(2)}:${digits(1)} - error TS2345: Argument of type 'string' is not assignable to parameter of type 'number'.`,
  () => `    at Object.<anonymous> (${file()}:${digits(3)}:${digits(2)})`,
  () => `[${time()}] INFO  request ${uuid()} done in ${digits(3)} ms`,
  () => `${time()} level=info msg="session started" session=${uuid()} seq=${digits(3)}`,
  () => `"node_modules/${pick(['lodash', 'react', '@types/node', 'vite'])}": { "version": "${version()}", "integrity": "sha512-${base64(86)}==" },`,
  () => `sha256:${hex(64)}  ${file()}`,
  () => `FROM node:${version()}-alpine@sha256:${hex(64)}`,
  () => `  ✓ ${file()} (${digits(2)} tests) ${digits(3)}ms`,
  () => `Test Files  ${digits(2)} passed (${digits(2)})  Tests  ${digits(4)} passed (${digits(4)})  Duration  ${digits(1)}.${digits(2)}s`,
  () => `{"id":"${uuid()}","at":${digits(13)},"ratio":0.${digits(15)},"sha":"${hex(40)}","v":"${version()}","n":${digits(10)}}`,
  () => `{"input_tokens":${digits(4)},"output_tokens":${digits(3)},"cache_read_input_tokens":${digits(5)},"total_tokens":${digits(5)}}`,
  () => `drwxr-xr-x  ${digits(1)} root root ${digits(4)} Nov ${10 + random(19)} 12:${10 + random(49)} ${pick(['dist', 'node_modules', 'coverage'])}`,
  () => `GET /api/v1/users/${digits(4)}/sessions?page=${digits(1)}&per_page=50 HTTP/1.1" 200 ${digits(4)}`,
  () => `${digits(2)}.${digits(2)}.${digits(2)}.${digits(2)} - - [30/Nov/2026:12:${10 + random(49)}:00 +0000] "POST /login HTTP/1.1" 302 0`,
  () => `${hex(8)}: ${Array.from({ length: 8 }, () => hex(4)).join(' ')}  ................`,
  () => `0000${hex(3)}0  ${Array.from({ length: 16 }, () => hex(2)).join(' ')}`,
  () => `v${version()}, v${version()}-rc.${digits(1)}, ^${version()}, ~${version()}, >=${version()} <${version()}`,
  () => `const id = '${uuid()}'; // generated`,
  () => `etag: W/"${hex(32)}"`,
  () => `cache-key: node-modules-${hex(64)}`,
  () => `Downloaded ${digits(2)}.${digits(1)} MB in ${digits(1)}.${digits(2)} s (${digits(3)} packages, ${digits(2)} reused)`,
  () => `rgb(${digits(2)}, ${digits(2)}, ${digits(2)}) #${hex(6)} translate(${digits(2)}px, -${digits(2)}px)`,
  () => `import { ${pick(['createToken', 'hashPassword', 'SecretStore', 'apiKeyGuard'])} } from './${pick(['tokens', 'passwords', 'secrets', 'guards'])}.js';`,
  () => `(${digits(3)}, ${digits(3)}, ${digits(4)}) ${digits(3)} x ${digits(3)} x ${digits(4)}`,
  () => `data:image/png;base64,${base64(60)}`,
];

const written = String.raw`
The token parameter is required, and so is the user name.
usage: aep [--token TOKEN] [--url URL]
Options: --api-key KEY, --secret NAME
  --token <token>      token of the endpoint
--password-stdin takes the password from standard input
echo $PW | docker login --username bob --password-stdin
cat pw.txt | docker login --username bob --password-stdin
ssh-keygen -t ed25519 -N "" -f key
curl -fsSL https://example.com/install.sh | sh
curl -sSu "$USER" https://example.com
zip -r out.zip dist -x '*.map'
sqlplus / as sysdba
http GET https://example.com/a accept:application/json
bundle config set --local path vendor/bundle
poetry config virtualenvs.in-project true
src/db.ts:5432:12: warning: unused variable
const [password, setPassword] = useState('');
setToken(undefined); setPassword(event.target.value);
<path d="M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2z"/>
{"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","use":"sig"}
{"data":{"cursor":"Y3Vyc29yOnYyOjEyMzQ1Ng==","hasNextPage":true}}
{"q":"how do I rotate a token","d":"2026-11-30","k":10}
data: { mode: production }
Unexpected token '<', "<!DOCTYPE "... is not valid JSON
SyntaxError: Unexpected token } in JSON at position 42
risk-adjusted return, task-level logs, disk-usage, desk-top, ask-me-anything-about-everything
.sk-folding-cube-wrapper .sk-cube-grid-animation-delay { animation: none }
authorType: human
com.example.service.v1.UserService.getUser
The bearer of this letter is a friend.
She was a bearer of bad news.
Please reset your password in the settings.
Passwords should have at least twelve characters.
The password field stays empty until you type.
We never log a secret, a token or an API key.
Secrets are stored in the vault; see docs/secrets.md.
A secret manager is better than a file.
max_tokens: 4096
"max_tokens": 1024,
--max-tokens 200
num_tokens = 17
tokens_per_second: 31.5
const tokens = tokenize(source);
for (const token of tokens) console.log(token);
if (!token) return undefined;
token?: string | undefined;
function isTokenKind(kind: number): boolean { return kind > 3; }
the tokenizer splits words at hyphens
tokenizer: bpe
import tokenize, secrets, getpass
import { randomBytes } from 'node:crypto';
PWD=/srv/app
OLDPWD=/srv
SHELL=/bin/bash
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
LANG=en_US.UTF-8
NODE_ENV=production
PORT=8787
EDITOR=vim
PRIMARY_KEY=id
primary_key: user_id
foreign_key: accounts.id
cache_key: users/42
sort_key = created_at
public_key: ed25519
partition_key: tenant
key: value
"key": "ArrowDown",
tests pass: 12, fail: 0
all tests passed
pass: true
bypass: cache
compass: north
passive: true, passenger: 4, passage: 2
Passing by reference is not by value.
auth: required
author: Jane
authority: example.com
authentication is off
credentials: 'include'
credentials: 'same-origin'
cookie: the small one
cookies: 3
Cookies help us to remember you.
signature: (a: number, b: number) => number
jwt: see RFC 7519
docker run -u 1000:1000 -p 80:80 -v data:/data nginx
docker run --user node:node app
mkdir -p a/b/c && cp -p x y
ps -u root -o pid,comm
mysql -u root -p
ssh -p 2222 deploy@host
git push -u origin main
git log -p -2
git remote set-url origin git@github.com:octo/hello.git
git clone ssh://git@example.org:2222/team/repo.git
git+https://github.com/octo/hello.git#v1.2.3
npm install --save-dev @types/node@22 typescript@5.9
npx --yes create-vite@latest my-app
pnpm add lodash@4.17.21 react@18.2.0
http://localhost:5173/@vite/client
http://127.0.0.1:8787/events
https://registry.npmjs.org/@scope/pkg/-/pkg-1.0.0.tgz
https://example.com/home/about?ref=nav#top
https://example.com/search?q=how+to+reset+password
https://en.wikipedia.org/wiki/Secret_(disambiguation)
https://host:8443/path@v2/x
https://fonts.googleapis.com/css2?family=Inter:wght@400;700&display=swap
https://user:${"$"}{PASS}@db.internal/x
ws://localhost:9229/0b5f3a70-1b1a-4a3c-9a57-6f3d7b8f1c2e
src/home/index.ts
/homeassistant/config.yaml
/homes/shared
docs/Users/guide.md
/usr/share/doc
/etc/passwd
/var/log/syslog
/tmp/build-1234/output.txt
C:\Windows\System32\drivers\etc\hosts
C:\Program Files\nodejs\node.exe
icon@2x.png logo@3x.webp
a @ b
@decorator() class X {}
@media (min-width: 40em) { a { color: red } }
x = a @ b.T
return@forEach
super@Outer.toString()
root@localhost
user@host
dependabot[bot]
512 256 1024 2048
10 000 000 rows
1 000 000,50
2026-11-30 12:00:01
12:34:56.789
30.11.2026
11/30/2026
3074185296
0.250750683890174
1787412345678
3.14159265358979
1.2.3.4
192.168.100.1:8080
fe80::1ff:fe23:4567:890a
10.0.0.0/8
00:1A:2B:3C:4D:5E
978-3-16-148410-0
1-2-3-4
100-200 items, 300-400 ms
UTC+0530, GMT+2
+1 and -1
a+b=c
x += 1234567
diff +12 -7
1e10, 2.5e-8, 0xDEADBEEF
SELECT id, name FROM users WHERE age > 30 ORDER BY created_at DESC LIMIT 10;
CREATE TABLE tokens (id serial primary key, created_at timestamptz);
ALTER TABLE secrets ADD COLUMN note text;
INSERT INTO t VALUES (1, 'a', 2.5);
BEGIN; UPDATE t SET a = 1; END;
BEGIN TRANSACTION; COMMIT; END
----- BEGIN -----
-----
the BEGIN and END marks of a block
kubectl get pods -n kube-system
kubectl get secrets
secret "db-creds" not found
Error: secret not found
kind: Secret
secretName
apiVersion: v1
    image: nginx:1.25
replicas: 3
uses: actions/checkout@v4
runs-on: ubuntu-latest
  - run: npm ci
secrets: inherit
permissions: read-all
AKIA is the prefix of key ids
eyJ begins base64 of JSON
{ "alg": "HS256", "typ": "JWT" }
sourceMappingURL=data:application/json;charset=utf-8;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbXX0=
ghp_ is how tokens of GitHub begin
glpat- and xoxb- are prefixes too
use sk- for secret keys
npm_config_registry=https://registry.npmjs.org/
npm_lifecycle_event=test
npm_package_name=hello
hf_hub_download(repo_id, filename)
re_match_group_names
SG-1 and SG.1
SKU12345
key-value store
dapi, dose
pattern.matches(whole.line)
patch.diff
cio
AC_CONFIG_FILES
the curl -u option takes a name
use --password-stdin instead
the --token flag is needed
--token is required
Pass --api-key or set the variable.
the password is wrong
the password is required
the password is hashed with argon2
the token is base64 text
the token is expired
the secret is out
your token was revoked
api key is missing
API keys are listed below.
The access key of the page is K.
private key files end in .pem
a shared secret nobody knows
Password must not be empty
Enter password to continue
Forgot password?
passwordless login
password-protected file
tokenized, detokenize, tokenization
secretary, secretion, secretly
Authorization is handled by the proxy.
WWW-Authenticate and Authorization headers
Bearer, Basic and Digest are schemes.
"Accept": "application/json",
Content-Type: text/plain; charset=utf-8
Content-Length: 348
Cache-Control: max-age=31536000, immutable
User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0
Strict-Transport-Security: max-age=63072000; includeSubDomains
X-Request-Id: 7d3f0f0e
HTTP/2 404
The meeting is at 10:30, room 4.15.
Call me later.
The phone rang twice.
phone number
Invoice 2026-0042
Order #100234567
ticket ABC-1234
Chapter 12, pages 100-112
Thanks! 👍🏽 Über, naïve, 東京, Ελλάδα
const re = /^[A-Za-z0-9_-]{20,}$/;
let x = a ? b : c;
export default defineConfig({ test: { include: ['test/**/*.test.ts'] } });
"scripts": { "build": "tsc -p tsconfig.build.json" },
def hash_password(value): return hasher.hash(value)
class PasswordField(Field): pass
fn parse_token(input: &str) -> Option<usize> { None }
type TokenRow struct { ID int }
public static void main(String[] args) {
<input type="password" autocomplete="off">
<label for="password">Password</label>
<a href="/reset-password">reset</a>
.password-field { width: 100% }
#token-list > li { margin: 0 }
i18n.t('password.reset.title')
rm -rf node_modules dist
tar -xzf release.tar.gz
grep -rn "token" src
find . -name '*.pem' -not -path './node_modules/*'
cat package.json | jq .version
curl -fsSL https://example.com/install.sh | sh
curl -H 'Accept: application/json' http://127.0.0.1:8787/healthz
ls -la /opt
du -sh .git
chmod 600 id_ed25519
openssl rand -hex 16
ssh-keygen -t ed25519
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0 build-box
`
  .split('\n')
  .filter((line) => line !== '');

export const lines = [...written, ...Array.from({ length: 150 }, (_, index) => made[index % made.length]())];

if (process.argv[1] === import.meta.filename) writeFileSync(new URL('precision.txt', import.meta.url), `${lines.join('\n')}\n`);
