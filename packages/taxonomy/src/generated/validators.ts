// @ts-nocheck
// Made by scripts/generate.mjs from the payload table. Do not edit.
import { isRfc3339 } from '@aepkit/envelope';

import { fail } from '../payload-failure.js';

const formats = { 'date-time': isRfc3339 };
const own = Object.prototype.hasOwnProperty;
const has = (object, name) => object[name] !== undefined && own.call(object, name);
const payload0 = validate21;

function validate21(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "label")){
if(typeof data.label !== "string"){
fail(issues, path+"/label", 'type', "string");
}
}
if(has(data, "parent")){
let data1 = data.parent;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(!has(data1, "session")){
fail(issues, path+"/parent", 'required', "session");
}
if(has(data1, "session")){
if(typeof data1.session !== "string"){
fail(issues, path+"/parent/session", 'type', "string");
}
}
if(has(data1, "run")){
if(typeof data1.run !== "string"){
fail(issues, path+"/parent/run", 'type', "string");
}
}
if(has(data1, "agent")){
if(typeof data1.agent !== "string"){
fail(issues, path+"/parent/agent", 'type', "string");
}
}
}
else {
fail(issues, path+"/parent", 'type', "object");
}
}
if(has(data, "client")){
let data5 = data.client;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(!has(data5, "name")){
fail(issues, path+"/client", 'required', "name");
}
if(has(data5, "name")){
if(typeof data5.name !== "string"){
fail(issues, path+"/client/name", 'type', "string");
}
}
if(has(data5, "version")){
if(typeof data5.version !== "string"){
fail(issues, path+"/client/version", 'type', "string");
}
}
}
else {
fail(issues, path+"/client", 'type', "object");
}
}
if(has(data, "gen_ai.request.model")){
if(typeof data["gen_ai.request.model"] !== "string"){
fail(issues, path+"/gen_ai.request.model", 'type', "string");
}
}
if(has(data, "cwd")){
if(typeof data.cwd !== "string"){
fail(issues, path+"/cwd", 'type', "string");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload1 = validate22;

function validate22(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "reason")){
let data0 = data.reason;
if(!(((((data0 === "normal") || (data0 === "error")) || (data0 === "timeout")) || (data0 === "killed")) || (data0 === "compaction"))){
fail(issues, path+"/reason", 'enum', "normal, error, timeout, killed, compaction");
}
}
if(has(data, "duration_ms")){
let data1 = data.duration_ms;
if(!((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1)))){
fail(issues, path+"/duration_ms", 'type', "integer");
}
if(typeof data1 == "number"){
if(data1 < 0 || isNaN(data1)){
fail(issues, path+"/duration_ms", 'minimum', ">= 0");
}
}
}
if(has(data, "runs")){
let data2 = data.runs;
if(!((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2)))){
fail(issues, path+"/runs", 'type', "integer");
}
if(typeof data2 == "number"){
if(data2 < 0 || isNaN(data2)){
fail(issues, path+"/runs", 'minimum', ">= 0");
}
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload2 = validate23;

function validate24(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(!has(data, "currency")){
fail(issues, path, 'required', "currency");
}
if(has(data, "currency")){
if(typeof data.currency !== "string"){
fail(issues, path+"/currency", 'type', "string");
}
}
if(has(data, "total")){
let data1 = data.total;
if(typeof data1 == "number"){
if(data1 < 0 || isNaN(data1)){
fail(issues, path+"/total", 'minimum', ">= 0");
}
}
else {
fail(issues, path+"/total", 'type', "number");
}
}
if(has(data, "prompt")){
let data2 = data.prompt;
if(typeof data2 == "number"){
if(data2 < 0 || isNaN(data2)){
fail(issues, path+"/prompt", 'minimum', ">= 0");
}
}
else {
fail(issues, path+"/prompt", 'type', "number");
}
}
if(has(data, "completion")){
let data3 = data.completion;
if(typeof data3 == "number"){
if(data3 < 0 || isNaN(data3)){
fail(issues, path+"/completion", 'minimum', ">= 0");
}
}
else {
fail(issues, path+"/completion", 'type', "number");
}
}
if(has(data, "cache")){
let data4 = data.cache;
if(typeof data4 == "number"){
if(data4 < 0 || isNaN(data4)){
fail(issues, path+"/cache", 'minimum', ">= 0");
}
}
else {
fail(issues, path+"/cache", 'type', "number");
}
}
if(has(data, "reasoning")){
let data5 = data.reasoning;
if(typeof data5 == "number"){
if(data5 < 0 || isNaN(data5)){
fail(issues, path+"/reasoning", 'minimum', ">= 0");
}
}
else {
fail(issues, path+"/reasoning", 'type', "number");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}


function validate23(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "trigger")){
let data0 = data.trigger;
if(!(((((data0 === "user") || (data0 === "schedule")) || (data0 === "agent")) || (data0 === "control")) || (data0 === "resume"))){
fail(issues, path+"/trigger", 'enum', "user, schedule, agent, control, resume");
}
}
if(has(data, "prompt")){
if(typeof data.prompt !== "string"){
fail(issues, path+"/prompt", 'type', "string");
}
}
if(has(data, "gen_ai.usage.input_tokens")){
let data2 = data["gen_ai.usage.input_tokens"];
if(!((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2)))){
fail(issues, path+"/gen_ai.usage.input_tokens", 'type', "integer");
}
if(typeof data2 == "number"){
if(data2 < 0 || isNaN(data2)){
fail(issues, path+"/gen_ai.usage.input_tokens", 'minimum', ">= 0");
}
}
}
if(has(data, "gen_ai.usage.output_tokens")){
let data3 = data["gen_ai.usage.output_tokens"];
if(!((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3)))){
fail(issues, path+"/gen_ai.usage.output_tokens", 'type', "integer");
}
if(typeof data3 == "number"){
if(data3 < 0 || isNaN(data3)){
fail(issues, path+"/gen_ai.usage.output_tokens", 'minimum', ">= 0");
}
}
}
if(has(data, "cost")){
validate24(data.cost, issues, path+"/cost");
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload3 = validate26;

function validate26(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "duration_ms")){
let data0 = data.duration_ms;
if(!((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0)))){
fail(issues, path+"/duration_ms", 'type', "integer");
}
if(typeof data0 == "number"){
if(data0 < 0 || isNaN(data0)){
fail(issues, path+"/duration_ms", 'minimum', ">= 0");
}
}
}
if(has(data, "summary")){
if(typeof data.summary !== "string"){
fail(issues, path+"/summary", 'type', "string");
}
}
if(has(data, "gen_ai.usage.input_tokens")){
let data2 = data["gen_ai.usage.input_tokens"];
if(!((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2)))){
fail(issues, path+"/gen_ai.usage.input_tokens", 'type', "integer");
}
if(typeof data2 == "number"){
if(data2 < 0 || isNaN(data2)){
fail(issues, path+"/gen_ai.usage.input_tokens", 'minimum', ">= 0");
}
}
}
if(has(data, "gen_ai.usage.output_tokens")){
let data3 = data["gen_ai.usage.output_tokens"];
if(!((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3)))){
fail(issues, path+"/gen_ai.usage.output_tokens", 'type', "integer");
}
if(typeof data3 == "number"){
if(data3 < 0 || isNaN(data3)){
fail(issues, path+"/gen_ai.usage.output_tokens", 'minimum', ">= 0");
}
}
}
if(has(data, "cost")){
validate24(data.cost, issues, path+"/cost");
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload4 = validate28;

function validate29(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "type")){
if(typeof data.type !== "string"){
fail(issues, path+"/type", 'type', "string");
}
}
if(has(data, "message")){
if(typeof data.message !== "string"){
fail(issues, path+"/message", 'type', "string");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}


function validate28(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(!has(data, "reason")){
fail(issues, path, 'required', "reason");
}
if(has(data, "reason")){
if(typeof data.reason !== "string"){
fail(issues, path+"/reason", 'type', "string");
}
}
if(has(data, "error")){
validate29(data.error, issues, path+"/error");
}
if(has(data, "duration_ms")){
let data2 = data.duration_ms;
if(!((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2)))){
fail(issues, path+"/duration_ms", 'type', "integer");
}
if(typeof data2 == "number"){
if(data2 < 0 || isNaN(data2)){
fail(issues, path+"/duration_ms", 'minimum', ">= 0");
}
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload5 = validate31;

function validate31(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "by")){
let data0 = data.by;
if(!((((data0 === "user") || (data0 === "control")) || (data0 === "policy")) || (data0 === "shutdown"))){
fail(issues, path+"/by", 'enum', "user, control, policy, shutdown");
}
}
if(has(data, "reason")){
if(typeof data.reason !== "string"){
fail(issues, path+"/reason", 'type', "string");
}
}
if(has(data, "duration_ms")){
let data2 = data.duration_ms;
if(!((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2)))){
fail(issues, path+"/duration_ms", 'type', "integer");
}
if(typeof data2 == "number"){
if(data2 < 0 || isNaN(data2)){
fail(issues, path+"/duration_ms", 'minimum', ">= 0");
}
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload6 = validate32;

function validate33(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(!has(data, "name")){
fail(issues, path, 'required', "name");
}
if(has(data, "name")){
if(typeof data.name !== "string"){
fail(issues, path+"/name", 'type', "string");
}
}
if(has(data, "call_id")){
if(typeof data.call_id !== "string"){
fail(issues, path+"/call_id", 'type', "string");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}


function validate32(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(!has(data, "tool")){
fail(issues, path, 'required', "tool");
}
if(has(data, "tool")){
validate33(data.tool, issues, path+"/tool");
}
if(has(data, "args_digest")){
if(typeof data.args_digest !== "string"){
fail(issues, path+"/args_digest", 'type', "string");
}
}
if(has(data, "args_redacted")){
let data2 = data.args_redacted;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
fail(issues, path+"/args_redacted", 'type', "object");
}
}
if(has(data, "args")){
let data3 = data.args;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
fail(issues, path+"/args", 'type', "object");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload7 = validate35;

function validate35(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(!has(data, "tool")){
fail(issues, path, 'required', "tool");
}
if(has(data, "tool")){
validate33(data.tool, issues, path+"/tool");
}
if(has(data, "duration_ms")){
let data1 = data.duration_ms;
if(!((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1)))){
fail(issues, path+"/duration_ms", 'type', "integer");
}
if(typeof data1 == "number"){
if(data1 < 0 || isNaN(data1)){
fail(issues, path+"/duration_ms", 'minimum', ">= 0");
}
}
}
if(has(data, "status")){
if(typeof data.status !== "string"){
fail(issues, path+"/status", 'type', "string");
}
}
if(has(data, "result_digest")){
if(typeof data.result_digest !== "string"){
fail(issues, path+"/result_digest", 'type', "string");
}
}
if(has(data, "result_redacted")){
let data4 = data.result_redacted;
if((!(data4 && typeof data4 == "object" && !Array.isArray(data4))) && (typeof data4 !== "string")){
fail(issues, path+"/result_redacted", 'type', "object or string");
}
}
if(has(data, "result")){
let data5 = data.result;
if((!(data5 && typeof data5 == "object" && !Array.isArray(data5))) && (typeof data5 !== "string")){
fail(issues, path+"/result", 'type', "object or string");
}
}
if(has(data, "gen_ai.usage.input_tokens")){
let data6 = data["gen_ai.usage.input_tokens"];
if(!((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6)))){
fail(issues, path+"/gen_ai.usage.input_tokens", 'type', "integer");
}
if(typeof data6 == "number"){
if(data6 < 0 || isNaN(data6)){
fail(issues, path+"/gen_ai.usage.input_tokens", 'minimum', ">= 0");
}
}
}
if(has(data, "gen_ai.usage.output_tokens")){
let data7 = data["gen_ai.usage.output_tokens"];
if(!((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7)))){
fail(issues, path+"/gen_ai.usage.output_tokens", 'type', "integer");
}
if(typeof data7 == "number"){
if(data7 < 0 || isNaN(data7)){
fail(issues, path+"/gen_ai.usage.output_tokens", 'minimum', ">= 0");
}
}
}
if(has(data, "cost")){
validate24(data.cost, issues, path+"/cost");
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload8 = validate38;

function validate38(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(!has(data, "tool")){
fail(issues, path, 'required', "tool");
}
if(!has(data, "error")){
fail(issues, path, 'required', "error");
}
if(has(data, "tool")){
validate33(data.tool, issues, path+"/tool");
}
if(has(data, "error")){
validate29(data.error, issues, path+"/error");
}
if(has(data, "duration_ms")){
let data2 = data.duration_ms;
if(!((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2)))){
fail(issues, path+"/duration_ms", 'type', "integer");
}
if(typeof data2 == "number"){
if(data2 < 0 || isNaN(data2)){
fail(issues, path+"/duration_ms", 'minimum', ">= 0");
}
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload9 = validate41;

function validate41(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(!has(data, "tool")){
fail(issues, path, 'required', "tool");
}
if(!has(data, "by")){
fail(issues, path, 'required', "by");
}
if(has(data, "tool")){
validate33(data.tool, issues, path+"/tool");
}
if(has(data, "by")){
let data1 = data.by;
if(!(((data1 === "policy") || (data1 === "user_setting")) || (data1 === "runtime"))){
fail(issues, path+"/by", 'enum', "policy, user_setting, runtime");
}
}
if(has(data, "rule")){
if(typeof data.rule !== "string"){
fail(issues, path+"/rule", 'type', "string");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload10 = validate43;

function validate44(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(!has(data, "id")){
fail(issues, path, 'required', "id");
}
if(!has(data, "label")){
fail(issues, path, 'required', "label");
}
if(has(data, "id")){
if(typeof data.id !== "string"){
fail(issues, path+"/id", 'type', "string");
}
}
if(has(data, "label")){
if(typeof data.label !== "string"){
fail(issues, path+"/label", 'type', "string");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}


function validate46(data, issues, path = ''){
let errors = 0;
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((!has(data, "type")) && (missing0 = "type")){
errors++;
}
else {
if(has(data, "type")){
if("select" !== data.type){
errors++;
}
}
}
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(_valid0){
const _errs4 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(!has(data, "choices")){
fail(issues, path, 'required', "choices");
}
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(!has(data, "id")){
fail(issues, path, 'required', "id");
}
if(!has(data, "type")){
fail(issues, path, 'required', "type");
}
if(!has(data, "label")){
fail(issues, path, 'required', "label");
}
if(has(data, "id")){
if(typeof data.id !== "string"){
fail(issues, path+"/id", 'type', "string");
}
}
if(has(data, "type")){
let data2 = data.type;
if(!((((data2 === "string") || (data2 === "number")) || (data2 === "boolean")) || (data2 === "select"))){
fail(issues, path+"/type", 'enum', "string, number, boolean, select");
}
}
if(has(data, "label")){
if(typeof data.label !== "string"){
fail(issues, path+"/label", 'type', "string");
}
}
if(has(data, "required")){
if(typeof data.required !== "boolean"){
fail(issues, path+"/required", 'type', "boolean");
}
}
if(has(data, "multi")){
if(typeof data.multi !== "boolean"){
fail(issues, path+"/multi", 'type', "boolean");
}
}
if(has(data, "other")){
if(typeof data.other !== "boolean"){
fail(issues, path+"/other", 'type', "boolean");
}
}
if(has(data, "choices")){
let data7 = data.choices;
if(Array.isArray(data7)){
const len0 = data7.length;
for(let i0=0; i0<len0; i0++){
validate44(data7[i0], issues, path+"/choices/" + i0);
}
}
else {
fail(issues, path+"/choices", 'type', "array");
}
}
if(has(data, "min")){
if(!(typeof data.min == "number")){
fail(issues, path+"/min", 'type', "number");
}
}
if(has(data, "max")){
if(!(typeof data.max == "number")){
fail(issues, path+"/max", 'type', "number");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const formats0 = formats["date-time"];

function validate43(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(!has(data, "kind")){
fail(issues, path, 'required', "kind");
}
if(!has(data, "prompt")){
fail(issues, path, 'required', "prompt");
}
if(has(data, "kind")){
let data0 = data.kind;
if(!((((((data0 === "permission") || (data0 === "input")) || (data0 === "auth")) || (data0 === "review")) || (data0 === "form")) || (data0 === "other"))){
fail(issues, path+"/kind", 'enum', "permission, input, auth, review, form, other");
}
}
if(has(data, "prompt")){
if(typeof data.prompt !== "string"){
fail(issues, path+"/prompt", 'type', "string");
}
}
if(has(data, "options")){
let data2 = data.options;
if(Array.isArray(data2)){
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
validate44(data2[i0], issues, path+"/options/" + i0);
}
}
else {
fail(issues, path+"/options", 'type', "array");
}
}
if(has(data, "fields")){
let data4 = data.fields;
if(Array.isArray(data4)){
const len1 = data4.length;
for(let i1=0; i1<len1; i1++){
validate46(data4[i1], issues, path+"/fields/" + i1);
}
}
else {
fail(issues, path+"/fields", 'type', "array");
}
}
if(has(data, "expires_at")){
let data6 = data.expires_at;
if(typeof data6 === "string"){
if(!(formats0(data6))){
fail(issues, path+"/expires_at", 'format', "date-time");
}
}
else {
fail(issues, path+"/expires_at", 'type', "string");
}
}
if(has(data, "respond_via")){
let data7 = data.respond_via;
if(Array.isArray(data7)){
const len2 = data7.length;
for(let i2=0; i2<len2; i2++){
let data8 = data7[i2];
if(!((data8 === "control") || (data8 === "oob"))){
fail(issues, path+"/respond_via/" + i2, 'enum', "control, oob");
}
}
}
else {
fail(issues, path+"/respond_via", 'type', "array");
}
}
if(has(data, "context")){
let data9 = data.context;
if(!(data9 && typeof data9 == "object" && !Array.isArray(data9))){
fail(issues, path+"/context", 'type', "object");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload11 = validate49;

function validate50(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "option")){
if(typeof data.option !== "string"){
fail(issues, path+"/option", 'type', "string");
}
}
if(has(data, "text")){
if(typeof data.text !== "string"){
fail(issues, path+"/text", 'type', "string");
}
}
if(has(data, "values")){
let data2 = data.values;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
fail(issues, path+"/values", 'type', "object");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}


function validate49(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(!has(data, "answer")){
fail(issues, path, 'required', "answer");
}
if(has(data, "answer")){
validate50(data.answer, issues, path+"/answer");
}
if(has(data, "by")){
if(typeof data.by !== "string"){
fail(issues, path+"/by", 'type', "string");
}
}
if(has(data, "via")){
let data2 = data.via;
if(!((data2 === "control") || (data2 === "oob"))){
fail(issues, path+"/via", 'enum', "control, oob");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload12 = validate52;

function validate52(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(!has(data, "resolution")){
fail(issues, path, 'required', "resolution");
}
if(has(data, "resolution")){
let data0 = data.resolution;
if(!(((data0 === "answered") || (data0 === "auto")) || (data0 === "dismissed"))){
fail(issues, path+"/resolution", 'enum', "answered, auto, dismissed");
}
}
if(has(data, "latency_ms")){
let data1 = data.latency_ms;
if(!((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1)))){
fail(issues, path+"/latency_ms", 'type', "integer");
}
if(typeof data1 == "number"){
if(data1 < 0 || isNaN(data1)){
fail(issues, path+"/latency_ms", 'minimum', ">= 0");
}
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload13 = validate53;

function validate53(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "after_ms")){
let data0 = data.after_ms;
if(!((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0)))){
fail(issues, path+"/after_ms", 'type', "integer");
}
if(typeof data0 == "number"){
if(data0 < 0 || isNaN(data0)){
fail(issues, path+"/after_ms", 'minimum', ">= 0");
}
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload14 = validate54;

function validate54(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "trigger")){
if(typeof data.trigger !== "string"){
fail(issues, path+"/trigger", 'type', "string");
}
}
if(has(data, "strategy")){
if(typeof data.strategy !== "string"){
fail(issues, path+"/strategy", 'type', "string");
}
}
if(has(data, "estimated_token_count")){
let data2 = data.estimated_token_count;
if(!((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2)))){
fail(issues, path+"/estimated_token_count", 'type', "integer");
}
if(typeof data2 == "number"){
if(data2 < 0 || isNaN(data2)){
fail(issues, path+"/estimated_token_count", 'minimum', ">= 0");
}
}
}
if(has(data, "forgotten")){
let data3 = data.forgotten;
if(!((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3)))){
fail(issues, path+"/forgotten", 'type', "integer");
}
if(typeof data3 == "number"){
if(data3 < 0 || isNaN(data3)){
fail(issues, path+"/forgotten", 'minimum', ">= 0");
}
}
}
if(has(data, "gen_ai.usage.input_tokens")){
let data4 = data["gen_ai.usage.input_tokens"];
if(!((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4)))){
fail(issues, path+"/gen_ai.usage.input_tokens", 'type', "integer");
}
if(typeof data4 == "number"){
if(data4 < 0 || isNaN(data4)){
fail(issues, path+"/gen_ai.usage.input_tokens", 'minimum', ">= 0");
}
}
}
if(has(data, "gen_ai.usage.output_tokens")){
let data5 = data["gen_ai.usage.output_tokens"];
if(!((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5)))){
fail(issues, path+"/gen_ai.usage.output_tokens", 'type', "integer");
}
if(typeof data5 == "number"){
if(data5 < 0 || isNaN(data5)){
fail(issues, path+"/gen_ai.usage.output_tokens", 'minimum', ">= 0");
}
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload15 = validate55;

function validate55(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "name")){
if(typeof data.name !== "string"){
fail(issues, path+"/name", 'type', "string");
}
}
if(has(data, "initial_num_steps")){
let data1 = data.initial_num_steps;
if(!((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1)))){
fail(issues, path+"/initial_num_steps", 'type', "integer");
}
if(typeof data1 == "number"){
if(data1 < 0 || isNaN(data1)){
fail(issues, path+"/initial_num_steps", 'minimum', ">= 0");
}
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload16 = validate56;

function validate56(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "status")){
if(typeof data.status !== "string"){
fail(issues, path+"/status", 'type', "string");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload17 = validate57;

function validate57(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "message")){
if(typeof data.message !== "string"){
fail(issues, path+"/message", 'type', "string");
}
}
if(has(data, "phase")){
if(typeof data.phase !== "string"){
fail(issues, path+"/phase", 'type', "string");
}
}
if(has(data, "percent")){
let data2 = data.percent;
if(typeof data2 == "number"){
if(data2 > 100 || isNaN(data2)){
fail(issues, path+"/percent", 'maximum', "<= 100");
}
if(data2 < 0 || isNaN(data2)){
fail(issues, path+"/percent", 'minimum', ">= 0");
}
}
else {
fail(issues, path+"/percent", 'type', "number");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload18 = validate58;

function validate58(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "task")){
let data0 = data.task;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(has(data0, "id")){
if(typeof data0.id !== "string"){
fail(issues, path+"/task/id", 'type', "string");
}
}
if(has(data0, "title")){
if(typeof data0.title !== "string"){
fail(issues, path+"/task/title", 'type', "string");
}
}
}
else {
fail(issues, path+"/task", 'type', "object");
}
}
if(has(data, "parent")){
if(typeof data.parent !== "string"){
fail(issues, path+"/parent", 'type', "string");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload19 = validate59;

function validate59(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "task")){
let data0 = data.task;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(has(data0, "id")){
if(typeof data0.id !== "string"){
fail(issues, path+"/task/id", 'type', "string");
}
}
if(has(data0, "title")){
if(typeof data0.title !== "string"){
fail(issues, path+"/task/title", 'type', "string");
}
}
}
else {
fail(issues, path+"/task", 'type', "object");
}
}
if(has(data, "status")){
if(typeof data.status !== "string"){
fail(issues, path+"/status", 'type', "string");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload20 = validate60;

function validate60(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "artifact")){
let data0 = data.artifact;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(has(data0, "id")){
if(typeof data0.id !== "string"){
fail(issues, path+"/artifact/id", 'type', "string");
}
}
if(has(data0, "name")){
if(typeof data0.name !== "string"){
fail(issues, path+"/artifact/name", 'type', "string");
}
}
if(has(data0, "mime")){
if(typeof data0.mime !== "string"){
fail(issues, path+"/artifact/mime", 'type', "string");
}
}
if(has(data0, "bytes")){
let data4 = data0.bytes;
if(!((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4)))){
fail(issues, path+"/artifact/bytes", 'type', "integer");
}
if(typeof data4 == "number"){
if(data4 < 0 || isNaN(data4)){
fail(issues, path+"/artifact/bytes", 'minimum', ">= 0");
}
}
}
if(has(data0, "uri")){
if(typeof data0.uri !== "string"){
fail(issues, path+"/artifact/uri", 'type', "string");
}
}
}
else {
fail(issues, path+"/artifact", 'type', "object");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload21 = validate61;

function validate61(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "child")){
let data0 = data.child;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(has(data0, "session")){
if(typeof data0.session !== "string"){
fail(issues, path+"/child/session", 'type', "string");
}
}
if(has(data0, "run")){
if(typeof data0.run !== "string"){
fail(issues, path+"/child/run", 'type', "string");
}
}
if(has(data0, "agent")){
if(typeof data0.agent !== "string"){
fail(issues, path+"/child/agent", 'type', "string");
}
}
}
else {
fail(issues, path+"/child", 'type', "object");
}
}
if(has(data, "agent_type")){
if(typeof data.agent_type !== "string"){
fail(issues, path+"/agent_type", 'type', "string");
}
}
if(has(data, "role")){
if(typeof data.role !== "string"){
fail(issues, path+"/role", 'type', "string");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload22 = validate62;

function validate62(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "child")){
let data0 = data.child;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(has(data0, "session")){
if(typeof data0.session !== "string"){
fail(issues, path+"/child/session", 'type', "string");
}
}
if(has(data0, "run")){
if(typeof data0.run !== "string"){
fail(issues, path+"/child/run", 'type', "string");
}
}
if(has(data0, "agent")){
if(typeof data0.agent !== "string"){
fail(issues, path+"/child/agent", 'type', "string");
}
}
}
else {
fail(issues, path+"/child", 'type', "object");
}
}
if(has(data, "agent_type")){
if(typeof data.agent_type !== "string"){
fail(issues, path+"/agent_type", 'type', "string");
}
}
if(has(data, "status")){
if(typeof data.status !== "string"){
fail(issues, path+"/status", 'type', "string");
}
}
if(has(data, "duration_ms")){
let data6 = data.duration_ms;
if(!((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6)))){
fail(issues, path+"/duration_ms", 'type', "integer");
}
if(typeof data6 == "number"){
if(data6 < 0 || isNaN(data6)){
fail(issues, path+"/duration_ms", 'minimum', ">= 0");
}
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload23 = validate63;

function validate63(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "to")){
if(typeof data.to !== "string"){
fail(issues, path+"/to", 'type', "string");
}
}
if(has(data, "via")){
if(typeof data.via !== "string"){
fail(issues, path+"/via", 'type', "string");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload24 = validate64;

function validate64(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(!has(data, "state")){
fail(issues, path, 'required', "state");
}
if(has(data, "state")){
let data0 = data.state;
if(!(((data0 === "online") || (data0 === "offline")) || (data0 === "busy"))){
fail(issues, path+"/state", 'enum', "online, offline, busy");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload25 = validate65;

function validate65(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "since_ms")){
let data0 = data.since_ms;
if(!((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0)))){
fail(issues, path+"/since_ms", 'type', "integer");
}
if(typeof data0 == "number"){
if(data0 < 0 || isNaN(data0)){
fail(issues, path+"/since_ms", 'minimum', ">= 0");
}
}
}
if(has(data, "reason")){
if(typeof data.reason !== "string"){
fail(issues, path+"/reason", 'type', "string");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload26 = validate66;

function validate66(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(!has(data, "status")){
fail(issues, path, 'required', "status");
}
if(has(data, "status")){
let data0 = data.status;
if(!(((data0 === "ok") || (data0 === "degraded")) || (data0 === "failing"))){
fail(issues, path+"/status", 'enum', "ok, degraded, failing");
}
}
if(has(data, "detail")){
if(typeof data.detail !== "string"){
fail(issues, path+"/detail", 'type', "string");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload27 = validate67;

function validate67(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "tick")){
let data0 = data.tick;
if(!((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0)))){
fail(issues, path+"/tick", 'type', "integer");
}
if(typeof data0 == "number"){
if(data0 < 0 || isNaN(data0)){
fail(issues, path+"/tick", 'minimum', ">= 0");
}
}
}
if(has(data, "interval_ms")){
let data1 = data.interval_ms;
if(!((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1)))){
fail(issues, path+"/interval_ms", 'type', "integer");
}
if(typeof data1 == "number"){
if(data1 < 0 || isNaN(data1)){
fail(issues, path+"/interval_ms", 'minimum', ">= 0");
}
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload28 = validate68;

function validate68(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "error")){
validate29(data.error, issues, path+"/error");
}
if(has(data, "code")){
if(typeof data.code !== "string"){
fail(issues, path+"/code", 'type', "string");
}
}
if(has(data, "fatal")){
if(typeof data.fatal !== "boolean"){
fail(issues, path+"/fatal", 'type', "boolean");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload29 = validate70;

function validate70(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "state")){
let data0 = data.state;
if(!(data0 && typeof data0 == "object" && !Array.isArray(data0))){
fail(issues, path+"/state", 'type', "object");
}
}
if(has(data, "key")){
if(typeof data.key !== "string"){
fail(issues, path+"/key", 'type', "string");
}
}
if(has(data, "rev")){
let data2 = data.rev;
if(!((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2)))){
fail(issues, path+"/rev", 'type', "integer");
}
if(typeof data2 == "number"){
if(data2 < 0 || isNaN(data2)){
fail(issues, path+"/rev", 'minimum', ">= 0");
}
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload30 = validate71;

function validate71(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "delta")){
let data0 = data.delta;
if(Array.isArray(data0)){
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(!(data1 && typeof data1 == "object" && !Array.isArray(data1))){
fail(issues, path+"/delta/" + i0, 'type', "object");
}
}
}
else {
fail(issues, path+"/delta", 'type', "array");
}
}
if(has(data, "key")){
if(typeof data.key !== "string"){
fail(issues, path+"/key", 'type', "string");
}
}
if(has(data, "rev")){
let data3 = data.rev;
if(!((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3)))){
fail(issues, path+"/rev", 'type', "integer");
}
if(typeof data3 == "number"){
if(data3 < 0 || isNaN(data3)){
fail(issues, path+"/rev", 'minimum', ">= 0");
}
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload31 = validate72;

function validate72(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "query")){
if(typeof data.query !== "string"){
fail(issues, path+"/query", 'type', "string");
}
}
if(has(data, "query_digest")){
if(typeof data.query_digest !== "string"){
fail(issues, path+"/query_digest", 'type', "string");
}
}
if(has(data, "corpus")){
if(typeof data.corpus !== "string"){
fail(issues, path+"/corpus", 'type', "string");
}
}
if(has(data, "top_k")){
let data3 = data.top_k;
if(!((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3)))){
fail(issues, path+"/top_k", 'type', "integer");
}
if(typeof data3 == "number"){
if(data3 < 0 || isNaN(data3)){
fail(issues, path+"/top_k", 'minimum', ">= 0");
}
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload32 = validate73;

function validate74(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "id")){
if(typeof data.id !== "string"){
fail(issues, path+"/id", 'type', "string");
}
}
if(has(data, "score")){
if(!(typeof data.score == "number")){
fail(issues, path+"/score", 'type', "number");
}
}
if(has(data, "content_redacted")){
if(typeof data.content_redacted !== "string"){
fail(issues, path+"/content_redacted", 'type', "string");
}
}
if(has(data, "content")){
if(typeof data.content !== "string"){
fail(issues, path+"/content", 'type', "string");
}
}
if(has(data, "metadata")){
let data4 = data.metadata;
if(!(data4 && typeof data4 == "object" && !Array.isArray(data4))){
fail(issues, path+"/metadata", 'type', "object");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}


function validate73(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "documents")){
let data0 = data.documents;
if(Array.isArray(data0)){
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
validate74(data0[i0], issues, path+"/documents/" + i0);
}
}
else {
fail(issues, path+"/documents", 'type', "array");
}
}
if(has(data, "count")){
let data2 = data.count;
if(!((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2)))){
fail(issues, path+"/count", 'type', "integer");
}
if(typeof data2 == "number"){
if(data2 < 0 || isNaN(data2)){
fail(issues, path+"/count", 'minimum', ">= 0");
}
}
}
if(has(data, "corpus")){
if(typeof data.corpus !== "string"){
fail(issues, path+"/corpus", 'type', "string");
}
}
if(has(data, "duration_ms")){
let data4 = data.duration_ms;
if(!((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4)))){
fail(issues, path+"/duration_ms", 'type', "integer");
}
if(typeof data4 == "number"){
if(data4 < 0 || isNaN(data4)){
fail(issues, path+"/duration_ms", 'minimum', ">= 0");
}
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload33 = validate76;

function validate76(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "query")){
if(typeof data.query !== "string"){
fail(issues, path+"/query", 'type', "string");
}
}
if(has(data, "query_digest")){
if(typeof data.query_digest !== "string"){
fail(issues, path+"/query_digest", 'type', "string");
}
}
if(has(data, "model")){
if(typeof data.model !== "string"){
fail(issues, path+"/model", 'type', "string");
}
}
if(has(data, "top_k")){
let data3 = data.top_k;
if(!((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3)))){
fail(issues, path+"/top_k", 'type', "integer");
}
if(typeof data3 == "number"){
if(data3 < 0 || isNaN(data3)){
fail(issues, path+"/top_k", 'minimum', ">= 0");
}
}
}
if(has(data, "input_documents")){
let data4 = data.input_documents;
if(Array.isArray(data4)){
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
validate74(data4[i0], issues, path+"/input_documents/" + i0);
}
}
else {
fail(issues, path+"/input_documents", 'type', "array");
}
}
if(has(data, "output_documents")){
let data6 = data.output_documents;
if(Array.isArray(data6)){
const len1 = data6.length;
for(let i1=0; i1<len1; i1++){
validate74(data6[i1], issues, path+"/output_documents/" + i1);
}
}
else {
fail(issues, path+"/output_documents", 'type', "array");
}
}
if(has(data, "count")){
let data8 = data.count;
if(!((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8)))){
fail(issues, path+"/count", 'type', "integer");
}
if(typeof data8 == "number"){
if(data8 < 0 || isNaN(data8)){
fail(issues, path+"/count", 'minimum', ">= 0");
}
}
}
if(has(data, "duration_ms")){
let data9 = data.duration_ms;
if(!((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9)))){
fail(issues, path+"/duration_ms", 'type', "integer");
}
if(typeof data9 == "number"){
if(data9 < 0 || isNaN(data9)){
fail(issues, path+"/duration_ms", 'minimum', ">= 0");
}
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload34 = validate79;

function validate80(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "source")){
let data0 = data.source;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(has(data0, "id")){
if(typeof data0.id !== "string"){
fail(issues, path+"/source/id", 'type', "string");
}
}
if(has(data0, "uri")){
if(typeof data0.uri !== "string"){
fail(issues, path+"/source/uri", 'type', "string");
}
}
if(has(data0, "title")){
if(typeof data0.title !== "string"){
fail(issues, path+"/source/title", 'type', "string");
}
}
}
else {
fail(issues, path+"/source", 'type', "object");
}
}
if(has(data, "cited_text_redacted")){
if(typeof data.cited_text_redacted !== "string"){
fail(issues, path+"/cited_text_redacted", 'type', "string");
}
}
if(has(data, "cited_text")){
if(typeof data.cited_text !== "string"){
fail(issues, path+"/cited_text", 'type', "string");
}
}
if(has(data, "offset")){
let data6 = data.offset;
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
if(has(data6, "char")){
let data7 = data6.char;
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(has(data7, "start")){
let data8 = data7.start;
if(!((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8)))){
fail(issues, path+"/offset/char/start", 'type', "integer");
}
}
if(has(data7, "end")){
let data9 = data7.end;
if(!((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9)))){
fail(issues, path+"/offset/char/end", 'type', "integer");
}
}
}
else {
fail(issues, path+"/offset/char", 'type', "object");
}
}
if(has(data6, "page")){
let data10 = data6.page;
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
if(has(data10, "page")){
let data11 = data10.page;
if(!((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11)))){
fail(issues, path+"/offset/page/page", 'type', "integer");
}
}
if(has(data10, "start")){
let data12 = data10.start;
if(!((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12)))){
fail(issues, path+"/offset/page/start", 'type', "integer");
}
}
if(has(data10, "end")){
let data13 = data10.end;
if(!((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13)))){
fail(issues, path+"/offset/page/end", 'type', "integer");
}
}
}
else {
fail(issues, path+"/offset/page", 'type', "object");
}
}
if(has(data6, "block")){
let data14 = data6.block;
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
if(has(data14, "block")){
let data15 = data14.block;
if(!((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15)))){
fail(issues, path+"/offset/block/block", 'type', "integer");
}
}
if(has(data14, "start")){
let data16 = data14.start;
if(!((typeof data16 == "number") && (!(data16 % 1) && !isNaN(data16)))){
fail(issues, path+"/offset/block/start", 'type', "integer");
}
}
if(has(data14, "end")){
let data17 = data14.end;
if(!((typeof data17 == "number") && (!(data17 % 1) && !isNaN(data17)))){
fail(issues, path+"/offset/block/end", 'type', "integer");
}
}
}
else {
fail(issues, path+"/offset/block", 'type', "object");
}
}
}
else {
fail(issues, path+"/offset", 'type', "object");
}
}
if(has(data, "document_index")){
let data18 = data.document_index;
if(!((typeof data18 == "number") && (!(data18 % 1) && !isNaN(data18)))){
fail(issues, path+"/document_index", 'type', "integer");
}
if(typeof data18 == "number"){
if(data18 < 0 || isNaN(data18)){
fail(issues, path+"/document_index", 'minimum', ">= 0");
}
}
}
}
else {
fail(issues, path, 'type', "object");
}
}


function validate79(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "citations")){
let data0 = data.citations;
if(Array.isArray(data0)){
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
validate80(data0[i0], issues, path+"/citations/" + i0);
}
}
else {
fail(issues, path+"/citations", 'type', "array");
}
}
if(has(data, "count")){
let data2 = data.count;
if(!((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2)))){
fail(issues, path+"/count", 'type', "integer");
}
if(typeof data2 == "number"){
if(data2 < 0 || isNaN(data2)){
fail(issues, path+"/count", 'minimum', ">= 0");
}
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload35 = validate82;

function validate82(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "gen_ai.evaluation.name")){
if(typeof data["gen_ai.evaluation.name"] !== "string"){
fail(issues, path+"/gen_ai.evaluation.name", 'type', "string");
}
}
if(has(data, "gen_ai.evaluation.score.value")){
if(!(typeof data["gen_ai.evaluation.score.value"] == "number")){
fail(issues, path+"/gen_ai.evaluation.score.value", 'type', "number");
}
}
if(has(data, "gen_ai.evaluation.score.label")){
if(typeof data["gen_ai.evaluation.score.label"] !== "string"){
fail(issues, path+"/gen_ai.evaluation.score.label", 'type', "string");
}
}
if(has(data, "gen_ai.evaluation.explanation")){
if(typeof data["gen_ai.evaluation.explanation"] !== "string"){
fail(issues, path+"/gen_ai.evaluation.explanation", 'type', "string");
}
}
if(has(data, "evaluator")){
if(typeof data.evaluator !== "string"){
fail(issues, path+"/evaluator", 'type', "string");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload36 = validate83;

function validate83(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "rating")){
if(!(typeof data.rating == "number")){
fail(issues, path+"/rating", 'type', "number");
}
}
if(has(data, "label")){
if(typeof data.label !== "string"){
fail(issues, path+"/label", 'type', "string");
}
}
if(has(data, "comment")){
if(typeof data.comment !== "string"){
fail(issues, path+"/comment", 'type', "string");
}
}
if(has(data, "correction")){
if(typeof data.correction !== "string"){
fail(issues, path+"/correction", 'type', "string");
}
}
if(has(data, "source")){
if(typeof data.source !== "string"){
fail(issues, path+"/source", 'type', "string");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload37 = validate84;

function validate85(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "stage")){
let data0 = data.stage;
if(!((data0 === "input") || (data0 === "output"))){
fail(issues, path+"/stage", 'enum', "input, output");
}
}
if(has(data, "verdict")){
let data1 = data.verdict;
if(!((((data1 === "allowed") || (data1 === "flagged")) || (data1 === "blocked")) || (data1 === "modified"))){
fail(issues, path+"/verdict", 'enum', "allowed, flagged, blocked, modified");
}
}
if(has(data, "categories")){
let data2 = data.categories;
if(Array.isArray(data2)){
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(has(data3, "name")){
if(typeof data3.name !== "string"){
fail(issues, path+"/categories/" + i0+"/name", 'type', "string");
}
}
if(has(data3, "score")){
if(!(typeof data3.score == "number")){
fail(issues, path+"/categories/" + i0+"/score", 'type', "number");
}
}
}
else {
fail(issues, path+"/categories/" + i0, 'type', "object");
}
}
}
else {
fail(issues, path+"/categories", 'type', "array");
}
}
if(has(data, "detector")){
let data6 = data.detector;
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
if(has(data6, "name")){
if(typeof data6.name !== "string"){
fail(issues, path+"/detector/name", 'type', "string");
}
}
if(has(data6, "version")){
if(typeof data6.version !== "string"){
fail(issues, path+"/detector/version", 'type', "string");
}
}
}
else {
fail(issues, path+"/detector", 'type', "object");
}
}
if(has(data, "explanation")){
if(typeof data.explanation !== "string"){
fail(issues, path+"/explanation", 'type', "string");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}


function validate84(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(has(data, "guardrail")){
validate85(data.guardrail, issues, path+"/guardrail");
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload38 = validate87;

function validate87(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(!has(data, "answer")){
fail(issues, path, 'required', "answer");
}
if(has(data, "answer")){
validate50(data.answer, issues, path+"/answer");
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload39 = validate89;

function validate89(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(!has(data, "scope")){
fail(issues, path, 'required', "scope");
}
if(has(data, "scope")){
let data0 = data.scope;
if(!((data0 === "run") || (data0 === "session"))){
fail(issues, path+"/scope", 'enum', "run, session");
}
}
if(has(data, "reason")){
if(typeof data.reason !== "string"){
fail(issues, path+"/reason", 'type', "string");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

const payload40 = validate90;

function validate90(data, issues, path = ''){
if(data && typeof data == "object" && !Array.isArray(data)){
if(!has(data, "reason")){
fail(issues, path, 'required', "reason");
}
if(has(data, "reason")){
let data0 = data.reason;
if(!(((((data0 === "unsupported") || (data0 === "unauthorized")) || (data0 === "busy")) || (data0 === "refused")) || (data0 === "invalid"))){
fail(issues, path+"/reason", 'enum', "unsupported, unauthorized, busy, refused, invalid");
}
}
if(has(data, "detail")){
if(typeof data.detail !== "string"){
fail(issues, path+"/detail", 'type', "string");
}
}
}
else {
fail(issues, path, 'type', "object");
}
}

/** The check of a payload by its type; types without members of their own accept any object and have none. */
export const validators: ReadonlyMap<string, (data: unknown, issues: import('../payload-failure.js').Failures) => void> = /* @__PURE__ */ new Map([
  ['session.started', payload0],
  ['session.ended', payload1],
  ['run.started', payload2],
  ['run.finished', payload3],
  ['run.failed', payload4],
  ['run.cancelled', payload5],
  ['tool.requested', payload6],
  ['tool.completed', payload7],
  ['tool.failed', payload8],
  ['tool.denied', payload9],
  ['attention.requested', payload10],
  ['attention.answered', payload11],
  ['attention.resolved', payload12],
  ['attention.timeout', payload13],
  ['session.compacted', payload14],
  ['run.step.started', payload15],
  ['run.step.finished', payload16],
  ['progress.status', payload17],
  ['progress.task.planned', payload18],
  ['progress.task.completed', payload19],
  ['progress.artifact.produced', payload20],
  ['delegation.subagent.started', payload21],
  ['delegation.subagent.stopped', payload22],
  ['attention.routed', payload23],
  ['agent.presence', payload24],
  ['agent.idle', payload25],
  ['agent.health', payload26],
  ['agent.heartbeat', payload27],
  ['error.raised', payload28],
  ['state.snapshot', payload29],
  ['state.delta', payload30],
  ['resource.retrieval.requested', payload31],
  ['resource.retrieval.returned', payload32],
  ['resource.retrieval.reranked', payload33],
  ['resource.citation.recorded', payload34],
  ['assessment.evaluation.recorded', payload35],
  ['assessment.feedback.received', payload36],
  ['assessment.guardrail.recorded', payload37],
  ['control.attention.respond', payload38],
  ['control.cancel', payload39],
  ['control.rejected', payload40],
]);
