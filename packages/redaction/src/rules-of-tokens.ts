import type { Rule } from './rule.js';

const R = '[REDACTED:secret]';

/** Rules for tokens that are known by their form. See `rules.ts` for how examples are written. */
export const TOKENS: readonly Rule[] = [
  rule('aws-key-id', 'access key ids of AWS, long-lived ones anywhere in the text', 'AEP-0003 §9.4a; AWS IAM, unique identifiers', [['key AK·IA{u16}.', `key ${R}.`], ['FOO_AK·IA{u16}_BAR', `FOO_${R}_BAR`], ['xAK·IA{u16}', `x${R}`], ['AS·IA{u16}', R]], ['AKIA is a prefix', 'AKIASHORT1', 'FANTASIA2024EDITIONFINALCUT']),
  rule('aws-secret-key', 'forty characters of base64 within 256 of a key id of AWS', 'AWS IAM, access keys', [['AK·IA{u16},{a40}', `${R},${R}`], ['{a40}\nAK·IA{u16}', `${R}\n${R}`]], ['{a40}', 'AKIA and {x40}']),
  rule('aws-bedrock-key', 'API keys of Amazon Bedrock', 'Amazon Bedrock, API keys', [['ABSK·QmVkcm9ja{a100}', R]], ['ABSKQmVkcm9ja']),
  rule('github-token', 'tokens of GitHub: personal, OAuth, app, refresh, fine-grained', 'GitHub, token formats', [['gh·p_{a36}', R], ['gh·o_{a36} gh·u_{a36} gh·s_{a36} gh·r_{a36}', `${R} ${R} ${R} ${R}`], ['git·hub_pat_{a22}_{a59}', R], ['x-gh·p_{a36}', `x-${R}`], ['"a\\ngh·p_{a36}"', `"a\\n${R}"`]], ['ghp_short', 'agh·p_{a36}', 'github_pattern_of_the_day']),
  rule('gitlab-token', 'tokens of GitLab: personal, deploy, runner, feed and others', 'GitLab, token prefixes', [['gl·pat-{a20}', R], ['gl·rt-{a20}', R], ['GR·1348941{a20}', R]], ['glpat-short', 'glrt-x']),
  rule('slack-token', 'tokens of Slack', 'Slack, token types', [['xo·xb-1234567890-1234567890123-{a24}', R], ['xo·xp-1234567890-{a10}', R], ['xa·pp-1-A0123-1234567890-{x64}', R]], ['xoxb-', 'xapp-launcher-window-frame']),
  rule('sk-key', 'keys that begin with sk-, as OpenAI, Anthropic and many others give them', 'OpenAI and Anthropic, API keys', [['s·k-{a48}', R], ['s·k-proj-{a40}_{a40}', R], ['s·k-ant-api03-{a93}', R], ['s·k-or-v1-{x64}', R], ['FOO_s·k-{a24}', `FOO_${R}`], ['s·k-{l20}', R]], ['risk-adjusted', 'task-level', 'sk-folding-cube-wrapper-animation', 'the disk-full-and-nothing-else-works state', 'sk-short']),
  rule('google-key', 'API keys, client secrets and access tokens of Google', 'Google Cloud, API keys; OAuth 2.0', [['AI·za{a35}', R], ['GOC·SPX-{a28}', R], ['ya·29.{a60}', R]], ['AIza', 'AIzaShort', 'ya29.x']),
  rule('stripe-key', 'secret and restricted keys of Stripe, and secrets of its webhooks', 'Stripe, API keys', [['sk_·live_{a24}', R], ['rk_·test_{a24}', R], ['wh·sec_{a32}', R]], ['sk_live_', 'pk_test_key', 'task_live_reload_is_on']),
  rule('npm-token', 'access tokens of npm', 'npm, about access tokens', [['np·m_{a36}', R], ['//registry.npmjs.org/:_authToken=np·m_{a36}', `//registry.npmjs.org/:_authToken=${R}`]], ['npm_config_registry', 'npm_lifecycle_script', 'npm_package_version']),
  rule('pypi-token', 'API tokens of PyPI', 'PyPI, API tokens', [['py·pi-AgEIcHlwaS5vcmc{a60}', R]], ['pypi-Agent', 'pypi-publish']),
  rule('azure-client-secret', 'client secrets of Azure applications', 'Microsoft Entra, application secrets', [['abc8·Q~{a34}', R]], ['8Q~', 'Q~{a34}']),
  rule('azure-devops-token', 'personal access tokens of Azure DevOps', 'Azure DevOps, PAT format', [['{a38}{a38}AZ·DO{a4}', R]], ['AZDO', 'the AZDO pipeline']),
  rule('openai-style-key', 'keys of model providers with prefixes of their own', 'Groq, xAI, Perplexity, Cerebras, NVIDIA, Pinecone, Tavily, LangSmith: API keys', [['gs·k_{a52}', R], ['xa·i-{a80}', R], ['pp·lx-{a48}', R], ['nv·api-{a64}', R], ['tv·ly-{a32}', R]], ['gsk_short', 'xai-grok', 'vk-api']),
  rule('huggingface-token', 'user access tokens of Hugging Face', 'Hugging Face, user access tokens', [['h·f_{a34}', R]], ['hf_hub_download', 'hf_xet']),
  rule('replicate-token', 'tokens of Replicate', 'Replicate, API tokens', [['r·8_{a37}', R]], ['r8_x']),
  rule('sendgrid-key', 'API keys of SendGrid', 'SendGrid, API keys', [['S·G.{a22}.{a43}', R]], ['SG.1', 'MSG.example.com']),
  rule('mail-key', 'keys of Mailgun, Brevo and Resend', 'Mailgun, Brevo, Resend: API keys', [['ke·y-{x32}', R], ['xkey·sib-{x64}-{a16}', R], ['r·e_{a8}_{a24}', R]], ['key-value', 'key-{x16}', 're_match_all_of_these_words']),
  rule('twilio-key', 'API keys of Twilio', 'Twilio, API keys', [['S·K{x32}', R]], ['SK{x8}', 'TASK{x32}']),
  rule('digitalocean-token', 'tokens of DigitalOcean', 'DigitalOcean, personal access tokens', [['do·p_v1_{x64}', R]], ['dop_v1_x']),
  rule('shopify-token', 'tokens of Shopify', 'Shopify, access tokens', [['shp·at_{x32}', R]], ['shpat_x']),
  rule('vault-token', 'tokens of HashiCorp Vault', 'Vault, tokens', [['hv·s.{a90}', R]], ['hvs.x', 'hvs.example']),
  rule('databricks-token', 'tokens of Databricks', 'Databricks, personal access tokens', [['da·pi{x32}', R]], ['dapi', 'dapi{x8}']),
  rule('observability-key', 'keys of New Relic, Grafana, Sentry, Dynatrace, PostHog, Linear', 'their documentation of API keys', [['NR·AK-{u27}', R], ['gl·sa_{a32}_{x8}', R], ['sn·trys_{a60}', R], ['lin·_api_{a40}', R]], ['glsa_x', 'NRAK-x']),
  rule('platform-token', 'tokens of other platforms by their prefixes', 'Docker, Supabase, Figma, Postman, Pulumi, Atlassian, Doppler, Airtable, Terraform and others: tokens', [['dck·r_pat_{a27}', R], ['AT·ATT3{a100}', R], ['dp·.pt.{a43}', R], ['pa·t{a14}.{x64}', R], ['{a14}.atlas·v1.{a67}', R], ['PM·AK-{x24}-{x34}', R]], ['patch.diff', 'pattern.matches.the.whole.line', 'cio', 'sbp_x']),
  rule('cloud-key-id', 'key ids of Alibaba Cloud and Tencent Cloud', 'Alibaba Cloud, Tencent Cloud: access keys', [['LT·AI{a20}', R], ['AK·ID{a32}', R]], ['LTAI', 'AKID{a8}']),
  rule('age-key', 'secret keys of age', 'age, file format', [['AGE-·SECRET-KEY-1{u58}', R]], ['AGE-SECRET-KEY-1']),
  rule('telegram-token', 'tokens of Telegram bots', 'Telegram, Bot API', [['1234567890:A·A{a33}', R]], ['12:AA', '10:20:AAA']),
  rule('discord-token', 'tokens of Discord bots', 'Discord, authentication', [['M{a23}.{a6}.{a30}', R]], ['Module.exports.default', 'com.example.service.v1']),
  rule('jwt', 'JSON Web Tokens, signed, encrypted, or without a signature', 'AEP-0003 §9.4a; RFC 7515, 7516, 7519', [['ey·JhbGciOiJIUzI1NiJ9.ey·JzdWIiOiIxIn0.{a43}', R], ['xey·Ja.b.c', `x${R}`], ['ey·JhbGciOiJub25lIn0.ey·JzdWIiOiIxIn0.', R]], ['eyJhbGciOiJIUzI1NiJ9', 'sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozfQ==', 'com.example.service.v1']),
  rule('pem-block', 'PEM blocks, in lines or with escaped line ends, and what looks like one without an end', 'AEP-0003 §9.4a; RFC 7468', [['a\n-----BEGIN RSA PRIVATE KEY-----\n{a64}\n{a20}\n-----END RSA PRIVATE KEY-----\nb', `a\n${R}\nb`], ['"-----BEGIN PRIVATE KEY-----\\n{a64}\\n-----END PRIVATE KEY-----\\n"', `"${R}\\n"`], ['-----BEGIN OPENSSH PRIVATE KEY-----\n{a64}\n{a64}\n[cut here]', `${R}\n[cut here]`]], ['BEGIN TRANSACTION; END', '----- BEGIN -----', 'the BEGIN and END marks']),
  rule('encoded-service-account', 'service accounts of Google in base64, wrapped or not', 'Google Cloud: service account keys; RFC 4648', [['KEY=eyJ0eXBlIjoi·c2VydmljZV9hY2NvdW50{a40}==', `KEY=${R}`], ['x: ewogICJ0eXBlIjogIn·NlcnZpY2VfYWNjb3VudC{a38}\n{a60}\n{a12}\n', `x: ${R}\n`]], ['eyJ0eXBlIjoic2Vy']),
  rule('encoded-pem', 'PEM blocks in base64, as Kubernetes keeps them', 'RFC 4648', [['tls.key: LS0tLS1C·RUdJTiBQUklWQVRFIEtFWS0tLS0t{a40}==', `tls.key: ${R}`]], ['LS0tLS0=']),
  rule('putty-key', 'private lines of PuTTY key files', 'PuTTY, PPK file format', [['PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 1\n{a64}\nPrivate-MAC: x', `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 1\n${R}\nPrivate-MAC: x`]], ['PuTTY-User-Key-File-3: ssh-rsa']),
];

function rule(id: string, what: string, source: string, finds: readonly (readonly [string, string])[], leaves: readonly string[]): Rule {
  return { id, step: 'secret', what, source, finds, leaves };
}
