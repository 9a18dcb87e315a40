import type { Rule, RuleStep } from './rule.js';

const R = '[REDACTED:secret]';
const P = '[REDACTED:pii]';

/** Rules for what is known by what stands around it. See `rules.ts` for how examples are written. */
export const DETECTED: readonly Rule[] = [
  rule('secret', 'bearer-token', 'what follows `Bearer `; in another spelling from eight characters on', 'AEP-0003 §9.4a; RFC 6750', [['Bearer x', `Bearer ${R}`], ['-H "authorization: bearer abcdefgh1"', `-H "authorization: bearer ${R}"`], ['BEARER {a20}', `BEARER ${R}`], ['Bearer%20{a20}', `Bearer%20${R}`]], ['the bearer of news', 'a bearer token', 'forbearer abcdefghijk']),
  rule(
    'secret',
    'named-value',
    'values behind names such as password, secret, api_key and token: assigned, as members, on the next line, in XML, in lists of variables',
    'AEP-0003 §9.4a, O-85, O-87',
    [
      ['password=hunter2', `password=${R}`],
      ['PASSWORD : a,b;c', `PASSWORD : ${R}`],
      ['{"api-key": "two words", "n": 1}', `{"api-key": "${R}", "n": 1}`],
      ['{\\"token\\":\\"a \\\\\\"b\\",\\"n\\":1}', `{\\"token\\":\\"${R}\\",\\"n\\":1}`],
      ['secret:\n    it', `secret:\n    ${R}`],
      ['export DB_PASSWORD="a b"c', `export DB_PASSWORD="${R}"${R}`],
      ['password%3Dhunter2', `password%3D${R}`],
      ['?token=abc&user=bob', `?token=${R}&user=bob`],
      ['Server=db;Password=a1;Encrypt=true', `Server=db;Password=${R};Encrypt=true`],
      ['const apiKey: string = "a b";', `const apiKey: ${R} = "${R}";`],
      ['token = "abc" + \'def\'', `token = "${R}" + '${R}'`],
      ['password: |\n  one\n  two\nnext: 1', `password: |\n  ${R}\nnext: 1`],
      ['- name: DB_PASSWORD\n  value: "x y"', `- name: DB_PASSWORD\n  value: "${R}"`],
      ['<password>a b</password>', `<password>${R}</password>`],
      ['machine h login me password pw', `machine h login me password ${R}`],
      ['STRIPE_KEY={a24}', `STRIPE_KEY=${R}`],
      ['AccountKey={a86}==;EndpointSuffix=core.windows.net', `AccountKey=${R};EndpointSuffix=core.windows.net`],
      ['https://b/x?se=1&sig={a40}%3D', `https://b/x?se=1&sig=${R}`],
      ['"auth": "dXNlcjpwYXNz"', `"auth": "${R}"`],
      ['password = \\\n  "a b"', `password = \\\n  "${R}"`],
      ['password = "a" -> "b"', `password = "${R}" -> "${R}"`],
      ['variable "db_password" {\n  type    = string\n  default = "a"\n}\n', `variable "db_password" {\n  type    = string\n  default = "${R}"\n}\n`],
      ['<b>Password:</b> pw', `<b>Password:</b> ${R}`],
      ['“password”: pw', `“password”: ${R}`],
      ['client.setPassword("pw")', `client.setPassword("${R}")`],
      ['["password"]=>\n  string(2) "pw"', `["password"]=>\n  string(2) "${R}"`],
      ['grep: \u001b[01;31m\u001b[Kpassword\u001b[m\u001b[K=pw', `grep: \u001b[01;31m\u001b[Kpassword\u001b[m\u001b[K=${R}`],
      ['token\u200b=a1', `token\u200b=${R}`],
      ['<wsse:Password Type="PasswordText">a b</wsse:Password>', `<wsse:Password Type="PasswordText">${R}</wsse:Password>`],
      ['ROOT_PW=pw', `ROOT_PW=${R}`],
      ['\tpsk="pw pw"', `\tpsk="${R}"`],
      ['put API_KEY <<< "pw"', `put API_KEY <<< "${R}"`],
      ['::add-mask::pw', `::add-mask::${R}`],
      ['"keyName": "key1", "permissions": "FULL", "value": "{a86}=="', `"keyName": "key1", "permissions": "FULL", "value": "${R}"`],
    ],
    ['token parameter is required', 'authorType: human', 'max_tokens: 4096', 'token?: string', 'PWD=/srv/app', 'tests pass: 12', 'primary_key: id', 'password', 'Unexpected token \'<\'', 'a tokenizer: bpe'],
  ),
  rule('secret', 'authorization-header', 'credentials of an Authorization header', 'RFC 9110 §11', [['Authorization: Basic dXNlcjpw', `Authorization: Basic ${R}`], ["-H 'Authorization: Digest username=\"a\", nonce=\"b\"' x", `-H 'Authorization: Digest ${R}' x`], ['Authorization: AWS4-HMAC-SHA256 Credential=x, Signature=y', `Authorization: AWS4-HMAC-SHA256 ${R}`]], ['authorization is needed']),
  rule('secret', 'cookie', 'cookies in headers', 'RFC 6265', [['Cookie: sid=a; theme=b', `Cookie: ${R}`], ['Set-Cookie: sid=a; Path=/; HttpOnly', `Set-Cookie: ${R}`], ["-H 'Cookie: a=b' -v", `-H 'Cookie: ${R}' -v`], ['{"Set-Cookie":["a=b; Path=/","c=d"],"n":1}', `{"Set-Cookie":["${R}","${R}"],"n":1}`]], ['cookie: the small one', 'cookies: 3']),
  rule('secret', 'flag-value', 'arguments of options such as --password and --token', 'POSIX utility conventions', [['x --password hunter2 -v', `x --password ${R} -v`], ['requirepass pw', `requirepass ${R}`], ["login --api-key 'a b'", `login --api-key '${R}'`], ['["--password","a b","-v"]', `["--password","${R}","-v"]`]], ['usage: x [--token TOKEN] [--api-key <key>]', '  --token <token>      token of the endpoint', '["--password","--force"]', 'the --token flag', 'use --password-stdin here', '--token is required']),
  rule('secret', 'told-secret', 'passwords in sentences', 'AEP-0003 §9.4, more may be redacted', [['the password is hunter22', `the password is ${R}`], ['invalid token "{a20}"', `invalid token "${R}"`], ['DB_PASSWORD      hunter22', `DB_PASSWORD      ${R}`], ['│ DB_PASSWORD │ hunter22 │', `│ DB_PASSWORD │ ${R} │`], ['password for bob: S3cretS3cret', `password for bob: ${R}`], ["ALTER USER x WITH PASSWORD 'a1'", `ALTER USER x WITH PASSWORD '${R}'`], ["IDENTIFIED BY 'a b'", `IDENTIFIED BY '${R}'`]], ['the password is wrong', 'the token is base64 text', 'a password field', 'secret "db-creds" not found']),
  rule('secret', 'command-password', 'passwords as arguments of well-known programs', 'manual pages of curl, mysql, sshpass, redis-cli, docker, openssl and others', [['curl -u me:pw http://x', `curl -u me:${R} http://x`], ['mysql -u root -pS3cret db', `mysql -u root -p${R} db`], ['sshpass -p pw ssh h', `sshpass -p ${R} ssh h`], ['redis-cli -h x -a pw', `redis-cli -h x -a ${R}`], ['docker login -u me -p pw reg', `docker login -u me -p ${R} reg`], ['openssl rsa -passin pass:pw', `openssl rsa -passin pass:${R}`], ['curl -sSLu me:pw https://x', `curl -sSLu ${R} https://x`], ['echo "a b" | docker login -u me --password-stdin', `echo "${R}" | docker login -u me --password-stdin`], ["echo 'pw' | sudo -S ls", `echo '${R}' | sudo -S ls`], ['sqlplus app/pw1@db', `sqlplus app/${R}`], ['rabbitmqctl add_user app pw', `rabbitmqctl add_user app ${R}`], ['ssh-keygen -t ed25519 -N "a b" -f k', `ssh-keygen -t ed25519 -N "${R}" -f k`]], ['echo $PW | docker login --password-stdin', 'cat pw | docker login --password-stdin', 'ssh-keygen -N "" -f k', 'docker run -u 1000:1000 x', 'mkdir -p a/b', 'mysql -u root -p', 'docker run -p 80:80 x']),
  rule('secret', 'url-password', 'passwords and tokens in front of the host of an address', 'RFC 3986 §3.2.1', [['postgres://app:p@s/s@db:5432/x', `postgres://app:${R}@db:5432/x`], ['redis://:pw@h', `redis://:${R}@h`], ['https://{a24}@h/x', `https://${R}@h/x`], ['me:pw@tcp(db:3306)/x', `me:${R}@tcp(db:3306)/x`], ['https%3A%2F%2Fme%3Apw%40h', `https%3A%2F%2Fme%3A${R}%40h`]], ['http://localhost:5173/@vite/client', 'https://h/@scope/pkg', 'ssh://git@host/x', 'https://u:${PASS}@h']),
  rule('secret', 'webhook-url', 'addresses that whoever has them may post to', 'Slack, Discord, Microsoft Teams: incoming webhooks', [['https://hooks.sl·ack.com/services/T0000000/B0000000/{a24}', `https://hooks.sl·ack.com/services/${R}`], ['https://discord.com/api/web·hooks/123456789012345678/{a60}', `https://discord.com/api/web·hooks/${R}`], ['https://outlook.office.com/web·hook/{x32}@{x32}/IncomingWebhook/{x32}', `https://outlook.office.com/web·hook/${R}`]], ['https://hooks.slack.com/services/', 'https://discord.com/channels/1']),
  rule('secret', 'signed-url', 'signatures and keys in queries', 'AWS Signature Version 4; Azure SAS; Google Cloud signed URLs', [['https://b/x?X-Amz-Signature={x64}&y=1', `https://b/x?X-Amz-Signature=${R}&y=1`]], ['?key=name', '?code=404']),
  rule('secret', 'kubernetes-secret', 'entries under `data:` that are base64 of a text', 'Kubernetes API reference, Secret v1', [['kind: Secret\ndata:\n  user: YWRtaW4tdXNlcg==\n', `kind: Secret\ndata:\n  user: ${R}\n`], ['{"apiVersion":"v1","data":{"pgpass":"aG9zdDo1NDMy"},"kind":"Secret"}', `{"apiVersion":"v1","data":{"pgpass":"${R}"},"kind":"Secret"}`]], ['data:\n  mode: production\n  level: administrator123\n', 'data:\nuser: YWRtaW4tdXNlcg==', '{"data":{"cursor":"Y3Vyc29yOnYyOjEy"}}']),
  rule('secret', 'json-web-key', 'private members of JSON Web Keys', 'RFC 7518 §6', [['{"kty":"EC","crv":"P-256","d":"{a43}"}', `{"kty":"EC","crv":"P-256","d":"${R}"}`], ['{"kty":"oct","k":"{a22}"}', `{"kty":"oct","k":"${R}"}`]], ['{"kty":"EC","x":"{a43}"}', '{"q":"what is a JSON Web Key"}', '<path d="M10-10h4v4z"/>']),
  rule('secret', 'password-hash', 'passwords as crypt keeps them', 'crypt(5); PHC string format', [['bob:$apr1$q7Gw2ZtK$9vXb4LmR1sYc8PnH5dJf3A', `bob:${R}`], ['$2b$12${a53}', R], ['$argon2id$v=19$m=65536,t=3,p=4${a22}${a43}', R]], ['echo $1', 'sed s/$5/$6/', 'costs $5 or $6']),
  rule('secret', 'password-file', 'lines of password files of PostgreSQL', 'PostgreSQL documentation, The Password File', [['db.example.com:5432:app:bob:pw', `db.example.com:5432:app:bob:${R}`], ['*:*:*:bob:p:w', `*:*:*:bob:${R}`]], ['src/a.ts:12:3:error:x', 'localhost:5432']),
  rule('name', 'configured-name', 'values that were configured, as they are and as JSON, addresses and HTML write them', 'AEP-0003 §9.4b', [], []),
  rule('secret', 'configured-token', 'tokens that were configured', 'AEP-0003 §9.4', [], []),
  rule('home', 'home-path', 'home folders at path boundaries', 'AEP-0003 §9.4c, O-89', [['cd /home/alice/src', 'cd ~/src'], ['/Users/Bob', '~'], ['C:\\Users\\John Smith\\x', '~\\x'], ['"C:\\\\Users\\\\al\\\\x"', '"~\\\\x"'], ['file:///home/al/x', 'file://~/x'], ['/mnt/c/Users/al/x', '~/x']], ['https://example.com/home/about', 'src/home/index.ts', '/homes/alice', '/homeassistant/x', 'a/Users/b']),
  rule('pii', 'e-mail', 'e-mail addresses', 'AEP-0003 §9.4d; RFC 5322', [['write to bob.x+y@example.co.uk.', `write to ${P}.`], ['<a@b.io>', `<${P}>`], ['x%40example.com', P], ['jörg@müller.de', P]], ['git@github.com:o/r.git', 'react@18.2.0', 'icon@2x.png', '@types/node', 'root@localhost', 'a @ b.com']),
  rule('pii', 'phone', 'telephone numbers that are written as such', 'AEP-0003 §9.4d; ITU-T E.123, E.164', [['call +1 415 555 2671 now', `call ${P} now`], ['+14155552671', P], ['(415) 555-2671', P], ['415-555-2671', P], ['tel 4155552671', `tel ${P}`], ['06 12 34 56 78', P], ['+49 (0)30 1234567', P]], ['1.2.3', '2026-11-30 12:00:01', '1787412345678', '0.250750683890174', '3074185296', '192.168.100.1', '512 256 1024', '10 000 000', '1-2-3', '978-3-16-148410-0', '+0530']),
];

function rule(step: RuleStep, id: string, what: string, source: string, finds: readonly (readonly [string, string])[], leaves: readonly string[]): Rule {
  return { id, step, what, source, finds, leaves };
}
