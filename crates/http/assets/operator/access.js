// The admin token: asked for when something needs it, kept in a variable of this page and nowhere else.

import { Refusal, ask } from "./api.js";

const dialog = document.getElementById("token-dialog");
const form = document.getElementById("token-form");
const field = document.getElementById("token");
const problem = document.getElementById("token-problem");
const advice = document.getElementById("token-advice");
const button = document.getElementById("access");

let token = null;
let isConfigured = true;
let waiting = [];
// Counts what was entered, and what was given up: an answer about anything but the last comes too late.
let attempt = 0;
const listeners = [];

// The token, or null while nobody has entered one that is right.
export function knownToken() {
  return token;
}

// Has `listener` called whenever the token is entered or forgotten.
export function onAccess(listener) {
  listeners.push(listener);
}

// Remembers whether the service has a token at all.
export function learnConfigured(isThere) {
  isConfigured = isThere;
  form.hidden = !isThere;
  advice.hidden = isThere;
}

export function isTokenConfigured() {
  return isConfigured;
}

// The token, asked for if need be; null if the person would rather not.
export function demandToken() {
  if (token !== null) return Promise.resolve(token);
  if (!dialog.open) dialog.showModal();
  return new Promise((resolve) => waiting.push(resolve));
}

// Forgets a token, which the service takes no more or which the person is done with.
export function forgetToken() {
  token = null;
  tell();
}

function tell() {
  button.textContent = token === null ? "Enter the admin token" : "Forget the admin token";
  listeners.forEach((listener) => listener());
}

function say(text) {
  problem.textContent = text;
  problem.hidden = text === "";
}

async function submit(event) {
  event.preventDefault();
  const entered = field.value.trim();
  attempt += 1;
  const mine = attempt;
  try {
    await ask("signatures/recent", { token: entered });
  } catch (error) {
    if (mine !== attempt) return;
    const isWrong = error instanceof Refusal && (error.status === 401 || error.status === 403);
    say(isWrong ? "This is not the token." : error instanceof Refusal ? error.message : "The service does not answer.");
    field.select();
    return;
  }
  if (mine !== attempt) return;
  token = entered;
  dialog.close();
  tell();
}

function finish() {
  attempt += 1;
  field.value = "";
  say("");
  const resolved = waiting;
  waiting = [];
  resolved.forEach((resolve) => resolve(token));
}

form.addEventListener("submit", submit);
dialog.addEventListener("close", finish);
dialog.querySelectorAll(".close").forEach((close) => close.addEventListener("click", () => dialog.close()));
button.addEventListener("click", () => (token === null ? demandToken() : forgetToken()));
