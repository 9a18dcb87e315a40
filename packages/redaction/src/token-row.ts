import { ALNUM, DOTTED, HEX, UPPER, DIGIT, LOWER, WORD } from './characters.js';

/** What a token may consist of behind its prefix. */
export type TokenAlphabet = 'alphanumeric' | 'word' | 'dotted' | 'hex' | 'upper' | 'lower';

/** A token that is known by how it begins. */
export interface TokenRow {
  /** Id of its rule. Several rows may share one. */
  readonly rule: string;
  readonly prefix: string;
  readonly alphabet: TokenAlphabet;
  /** Fewest characters behind the prefix. */
  readonly min: number;
  /** Found behind a letter or digit too. */
  readonly anywhere?: boolean;
  /** What the whole token has to look like besides, for prefixes that begin ordinary words too. */
  readonly shape?: RegExp;
}

export const ALPHABETS: Readonly<Record<TokenAlphabet, number>> = {
  alphanumeric: ALNUM,
  word: WORD,
  dotted: DOTTED,
  hex: HEX,
  upper: UPPER | DIGIT,
  lower: LOWER | DIGIT,
};
function row(rule: string, alphabet: TokenAlphabet, min: number, prefixes: string, more: Pick<TokenRow, 'anywhere' | 'shape'> = {}): TokenRow[] {
  return prefixes.split(' ').map((prefix) => ({ rule, prefix, alphabet, min, ...more }));
}

/** A digit or capital somewhere, or sixteen letters without a hyphen: no hyphenated words, such as names of style classes. */
const NO_WORDS = /[0-9A-Z]|[a-z]{16}/;
const DIGIT_INSIDE = /[0-9]/;

/** Prefixes of tokens. A shape is tried on at most 512 characters. */
export const TOKEN_ROWS: readonly TokenRow[] = [
  ...row('aws-key-id', 'upper', 16, 'AKIA', { anywhere: true }),
  ...row('aws-key-id', 'upper', 16, 'ASIA ABIA ACCA'),
  ...row('aws-bedrock-key', 'word', 60, 'ABSKQmVkcm9ja'),
  ...row('github-token', 'alphanumeric', 20, 'ghp_ gho_ ghu_ ghs_ ghr_'),
  ...row('github-token', 'word', 20, 'github_pat_'),
  ...row('gitlab-token', 'dotted', 16, 'glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glagent- gloas- glimt- glffct- glwt-'),
  ...row('gitlab-token', 'word', 20, 'GR1348941'),
  ...row('slack-token', 'word', 10, 'xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs-'),
  ...row('slack-token', 'dotted', 20, 'xoxe.xox'),
  ...row('slack-token', 'word', 10, 'xapp-', { shape: DIGIT_INSIDE }),
  ...row('sk-key', 'word', 20, 'sk-', { shape: NO_WORDS }),
  ...row('google-key', 'word', 35, 'AIza'),
  ...row('google-key', 'word', 24, 'GOCSPX-'),
  ...row('google-key', 'word', 30, 'ya29.'),
  ...row('stripe-key', 'alphanumeric', 16, 'sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_ sk_org_'),
  ...row('stripe-key', 'alphanumeric', 24, 'whsec_'),
  ...row('npm-token', 'alphanumeric', 30, 'npm_'),
  ...row('pypi-token', 'word', 30, 'pypi-Ag'),
  ...row('openai-style-key', 'alphanumeric', 30, 'gsk_ sess-'),
  ...row('openai-style-key', 'alphanumeric', 40, 'xai- pplx- csk-'),
  ...row('openai-style-key', 'word', 30, 'nvapi- pcsk_ tvly- lsv2_pt_ lsv2_sk_ sk_car_ vk-'),
  ...row('huggingface-token', 'alphanumeric', 30, 'hf_ api_org_'),
  ...row('replicate-token', 'alphanumeric', 32, 'r8_'),
  ...row('sendgrid-key', 'dotted', 60, 'SG.', { shape: /^SG\.[\w-]{16,32}\.[\w-]{16,64}/ }),
  ...row('mail-key', 'hex', 32, 'key-', { shape: /^key-[0-9a-f]{32}$/ }),
  ...row('mail-key', 'word', 64, 'xkeysib- xsmtpsib-'),
  ...row('mail-key', 'word', 20, 're_', { shape: /^re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}/ }),
  ...row('twilio-key', 'hex', 32, 'SK', { shape: /^SK[0-9a-f]{32}$/ }),
  ...row('digitalocean-token', 'hex', 40, 'dop_v1_ doo_v1_ dor_v1_'),
  ...row('shopify-token', 'hex', 32, 'shpat_ shpss_ shpca_ shppa_'),
  ...row('shopify-token', 'alphanumeric', 20, 'shptka_ atkn_'),
  ...row('vault-token', 'word', 20, 'hvs. hvb. hvr.'),
  ...row('databricks-token', 'hex', 32, 'dapi', { shape: /^dapi[0-9a-f]{32}$/ }),
  ...row('databricks-token', 'hex', 32, 'dose dkea', { shape: /^d(?:ose|kea)[0-9a-f]{32}$/ }),
  ...row('observability-key', 'word', 20, 'NRAK- NRAL- NRIQ- NRII- NRJS- glsa_ glc_ sntrys_ sntryu_ dt0c01. dt0s01. phx_ phs_ lin_api_ lin_oauth_', { shape: DIGIT_INSIDE }),
  ...row('platform-token', 'word', 20, 'dckr_pat_ dckr_oat_ sbp_ sb_secret_ figd_ PMAK- pul- bkua_ CCIPAT_ CCIPRJ_ nfp_ HRKU- rnd_ tskey- ntn_ napi_ shippo_live_ shippo_test_ sgp_ CFPAT- rdme_ sqp_ squ_ sqa_ AKCp fm1_ fm2_ fo1_ cio sq0atp- sq0csp- EAAAE EAAAl pscale_tkn_ pscale_pw_ pscale_oauth_ ATATT3 ATCTT3 ATBB ghv_ p8e- pnu_ pnb_ vcp_ whk_ tfp_ duffel_live_ duffel_test_ AGPAT_ ops_ey cfut_ cfat_', { shape: /^.*[0-9].*$/ }),
  ...row('platform-token', 'dotted', 30, 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. st.prod. pat', { shape: /^(?:dp\.[a-z]+\.[A-Za-z0-9._]{30,}|st\.[\w.-]{30,}|pat[A-Za-z0-9]{14}\.[0-9a-f]{40,})/ }),
  ...row('platform-token', 'hex', 40, 'rubygems_'),
  ...row('cloud-key-id', 'alphanumeric', 16, 'LTAI', { shape: /^LTAI[A-Za-z0-9]{16,26}$/ }),
  ...row('cloud-key-id', 'alphanumeric', 32, 'AKID', { shape: /^AKID[A-Za-z0-9]{32}$/ }),
  ...row('age-key', 'upper', 50, 'AGE-SECRET-KEY-1'),
  ...row('encoded-service-account', 'alphanumeric', 40, 'eyJ0eXBlIjoic2VydmljZV9hY2NvdW50 eyJ0eXBlIjogInNlcnZpY2VfYWNjb3VudC ewogICJ0eXBlIjogInNlcnZpY2VfYWNjb3VudC ewogICAgInR5cGUiOiAic2VydmljZV9hY2NvdW50', { anywhere: true }),
  ...row('encoded-pem', 'alphanumeric', 20, 'LS0tLS1CRUdJTi', { anywhere: true }),
];
