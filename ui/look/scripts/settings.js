// The settings of a conversation: fills the form with what Python tells, sends every change.

import { send } from "./bridge.js";

const SAVE_MS = 500;
const form = document.querySelector("#settings form");
const prompt = document.getElementById("system_prompt");
const ticks = document.getElementById("settings-tools");
const numbers = [...form.querySelectorAll("[data-number]")].map((field) => ({
  name: field.dataset.number,
  field,
  text: field.querySelector('input[type="text"]'),
  range: field.querySelector('input[type="range"]'),
  error: field.querySelector(".field-error"),
}));

let timer;
let bounds = {};

export function startSettings() {
  for (const number of numbers) {
    number.text.addEventListener("input", () => type(number));
    number.range.addEventListener("input", () => slide(number));
  }
  prompt.addEventListener("input", plan);
  ticks.addEventListener("change", plan);
  document.getElementById("settings-restore").addEventListener("click", restore);
  document.getElementById("settings").addEventListener("close", save);
}

/** Show `settings`; what the reader is changing just now stays. */
export function fillSettings(settings) {
  if (timer !== undefined) return;
  bounds = settings.numbers;
  for (const number of numbers) {
    const { min, max, step, value } = bounds[number.name];
    Object.assign(number.range, { min, max, step });
    show(number, value);
  }
  prompt.maxLength = settings.prompt_chars;
  if (document.activeElement !== prompt) prompt.value = settings.system_prompt;
  ticks.replaceChildren(...settings.tools.map(drawTick));
}

function drawTick(tool) {
  const label = document.createElement("label");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.name = tool.name;
  box.checked = tool.on;
  label.append(box, tool.title);
  return label;
}

function show(number, value) {
  const { min, max } = bounds[number.name] ?? number.range;
  const isSet = typeof value === "number";
  number.field.classList.toggle("is-default", !isSet);
  number.error.textContent = "";
  number.text.removeAttribute("aria-invalid");
  number.text.value = isSet ? write(value) : "";
  number.range.value = isSet ? value : (Number(min) + Number(max)) / 2;
  number.range.setAttribute("aria-valuetext", isSet ? write(value) : number.text.placeholder);
}

function write(value) {
  const text = String(Math.round(value * 1000) / 1000);
  return window.zwrotnica.language === "pl" ? text.replace(".", ",") : text;
}

function read(number) {
  const text = number.text.value.trim().replace(",", ".");
  return text === "" ? null : Number(text);
}

function isWrong(number, value) {
  const { min, max } = bounds[number.name] ?? number.range;
  return value !== null && !(value >= Number(min) && value <= Number(max));
}

function type(number) {
  const value = read(number);
  const wrong = isWrong(number, value);
  number.error.textContent = wrong ? (bounds[number.name]?.says ?? "") : "";
  number.text.toggleAttribute("aria-invalid", wrong);
  number.field.classList.toggle("is-default", value === null);
  if (!wrong && value !== null) number.range.value = value;
  if (!wrong) plan();
}

function slide(number) {
  show(number, Number(number.range.value));
  plan();
}

function restore() {
  for (const number of numbers) show(number, null);
  prompt.value = "";
  for (const box of ticks.querySelectorAll("input")) box.checked = true;
  plan();
}

function plan() {
  clearTimeout(timer);
  timer = setTimeout(save, SAVE_MS);
}

function save() {
  if (timer === undefined) return;
  clearTimeout(timer);
  timer = undefined;
  const boxes = [...ticks.querySelectorAll("input")];
  const chosen = boxes.filter((box) => box.checked).map((box) => box.name);
  const parameters = {
    system_prompt: prompt.value.trim() || null,
    tools: chosen.length === boxes.length ? null : chosen,
  };
  for (const number of numbers) {
    const value = read(number);
    parameters[number.name] = isWrong(number, value) ? null : value;
  }
  send("settings", { parameters });
}
