import { endsPlaceholder, placeholderEnd } from './placeholder.js';
import type { TextWindow } from './text-window.js';
import { valueAt } from './value-end.js';

const AHEAD = 512;
/** `curl -u user:password` and the like. */
const USER = /(?:^|[\s"'])(?:-u|-U|--user|--proxy-user|--login)(?:[ \t]{1,8}|=|\\?["']?,[ \t]{0,8})?/g;
/** Programs: words of which one is in the text, how they are called, and what their password follows. */
const TOOLS: readonly (readonly [words: readonly string[], tool: RegExp, option: RegExp])[] = [
  [['sshpass'], /\bsshpass(?![\w-])/g, /\s-p ?/y],
  [['mysql', 'mariadb'], /\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump)(?![\w/.-])/g, /\s-p(?=[^\s=])/y],
  [['redis-cli'], /\b(?:redis-cli)(?![\w/.-])/g, /\s-a[ =]{1,4}/y],
  [['login'], /\b(?:docker|podman|nerdctl|buildah|skopeo|crane|helm registry|oras|az|cf)\s{1,4}(?:auth\s{1,4})?login(?![\w/.-])/g, /\s-p[ =]{1,4}/y],
  [['mongo', 'psftp', 'plink', '7z', 'unrar', 'tsql', 'isql'], /\b(?:mongo|mongosh|mongodump|mongorestore|psftp|plink|7z|unrar|tsql|isql)(?![\w/.-])/g, /\s-p ?(?=[^\s])/y],
  [['ldap'], /\b(?:ldapsearch|ldapadd|ldapmodify|ldapwhoami)(?![\w/.-])/g, /\s-w[ =]{0,4}/y],
  [['sqlcmd', 'bcp'], /\b(?:sqlcmd|bcp)(?![\w/.-])/g, /\s-P[ =]{0,4}/y],
  [['openssl'], /\bopenssl(?![\w/.-])/g, /\s(?:-pass(?:in|out)?[ =]{1,4}pass:|-k[ =]{1,4}|-K[ =]{1,4})/y],
  [['keytool', 'jarsigner'], /\b(?:keytool|jarsigner)(?![\w/.-])/g, /\s-(?:store|key|src|dest)pass(?:word)?[ =]{1,4}/y],
  [['htpasswd'], /\bhtpasswd(?![\w/.-])/g, /\s-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}\s{1,4}\S{1,128}\s{1,4}\S{1,64}\s{1,4}/y],
  [['curl'], /\bcurl(?![\w/.-])/g, /\s(?:-b|--cookie)[ =]{1,4}(?=["']?[\w.%-]{1,64}=)/y],
  [['curl'], /\bcurl(?![\w/.-])/g, /\s(?:--oauth2-bearer|--pass|--proxy-pass)[ =]{1,4}/y],
  [['curl'], /\bcurl(?![\w/.-])/g, /\s-[a-zA-Z]{1,8}[uU][ =]{0,3}(?=["']?[^\s:"'/]{1,64}:(?!\/\/))/y],
  [['http', 'xh'], /\b(?:https?|xhs?)(?= )/g, /\s(?:-a|--auth)[ =]{1,4}(?=["']?[^\s:"'/]{1,64}:)/y],
  [['rabbitmqctl'], /\brabbitmqctl(?![\w/.-])/g, /\s(?:add_user|change_password|authenticate_user)\s{1,4}\S{1,64}\s{1,4}/y],
  [['sqlplus'], /\bsqlplus(?![\w/.-])/g, /\s["']?[\w.$#-]{1,64}\/(?=[^\s@/]{1,64}@)/y],
  [['smbclient', 'rpcclient', 'smbget'], /\b(?:smbclient|rpcclient|smbget)(?![\w/.-])/g, /\s(?:-U|--user)[ =]{0,4}["']?[^\s%"']{1,64}%/y],
  [['zip'], /\b(?:zip|unzip)(?![\w/.-])/g, /\s-P[ =]{0,4}/y],
  [['ssh-keygen'], /\bssh-keygen(?![\w/.-])/g, /\s-[NP] ?(?=[^\s"']|["'][^"'])/y],
  [['secret set'], /\bgh secret set(?![\w/.-])/g, /\s(?:-b|--body)[ =]{0,4}/y],
  [['config'], /\b(?:poetry|composer) config(?![\w/.-])/g, /\shttp-basic\.\S{1,64}\s{1,4}\S{1,64}\s{1,4}/y],
  [['config'], /\bbundle config(?![\w/.-])/g, /\s[\w-]{1,64}\.[\w.-]{1,64}\s{1,4}[\w.-]{1,64}:(?!\/\/)/y],
  [['wget'], /\bwget(?![\w/.-])/g, /\s--(?:http|ftp|proxy)-passwd?[ =]{1,4}/y],
];

/** Programs that read a password from what is piped into them. */
const READER = /--password-stdin|--with-token|\bsudo\s{1,4}-[A-Za-z]{0,3}S\b|\bchpasswd\b|\bpasswd\s{1,4}--stdin/g;
const ECHO = /(?:^|[\s;&(`"'])(?:echo|printf|print)(?:\s{1,4}-[neE]{1,3})?\s{1,4}(?=[^\s|]|$)/g;

/** Passwords as arguments of well-known programs. */
export function findCommands(window: TextWindow): void {
  users(window);
  piped(window);
  for (const [words, tool, option] of TOOLS) {
    if (!words.some((word) => window.text.includes(word))) continue;
    for (const match of window.text.matchAll(tool)) if (!endsPlaceholder(window.text, match.index)) options(window, match.index, match.index + match[0].length, option);
  }
}

/** `echo … | docker login --password-stdin`. */
function piped(window: TextWindow): void {
  const { text } = window;
  for (const match of text.matchAll(READER)) {
    const before = text.slice(Math.max(0, match.index - AHEAD), match.index);
    const line = before.slice(before.lastIndexOf('\n') + 1);
    const begin = match.index - line.length;
    window.work += AHEAD;
    const pipe = line.lastIndexOf('|');
    if (pipe < 0) continue;
    let from = -1;
    for (const echo of line.slice(0, pipe).matchAll(ECHO)) from = begin + echo.index + echo[0].length;
    if (from < 0) continue;
    const value = valueAt(window, from, window.limit(from), false);
    if (!value.done && value.end <= begin + pipe && !/^\$[\w{(]/.test(text.slice(value.start, value.start + 2))) window.hit('command-password', from, value.start, value.end);
  }
}

function options(window: TextWindow, anchor: number, from: number, option: RegExp): void {
  const { text } = window;
  const end = Math.min(window.line(from), from + AHEAD);
  for (let at = from; at < end; at += 1) {
    window.work += 1;
    const code = text.charCodeAt(at);
    // Behind another command, or what was taken out, it is another matter.
    if (code === 0x7c || code === 0x3b || (code === 0x5b && placeholderEnd(text, at) >= 0)) return;
    if (code !== 0x20 && code !== 0x09) continue;
    option.lastIndex = at;
    if (!option.test(text) || option.lastIndex >= end) continue;
    const value = valueAt(window, option.lastIndex, window.limit(anchor), false);
    if (!value.done && text[value.start] !== '-') window.hit('command-password', anchor, value.start, value.end);
  }
}

function users(window: TextWindow): void {
  const { text } = window;
  if (!text.includes('-u') && !text.includes('-U') && !text.includes('--proxy-user') && !text.includes('--login')) return;
  for (const match of text.matchAll(USER)) {
    const from = match.index + match[0].length;
    const value = valueAt(window, from, window.limit(match.index), false);
    if (value.done || value.end - value.start > AHEAD) continue;
    const held = text.slice(value.start, value.end);
    const colon = held.indexOf(':');
    if (colon < 1 || colon === held.length - 1 || held.startsWith('//', colon + 1)) continue;
    const user = held.slice(0, colon);
    const password = held.slice(colon + 1);
    // Numbers and a name twice are the user and group of a process.
    if (password === user || /^\d+$/.test(password) || held.includes('[REDACTED:') || /[\s=(]/.test(user)) continue;
    window.hit('command-password', match.index, value.start + colon + 1, value.end);
  }
}
