// The admin token: requested when an action needs it, kept in a variable of this page and nowhere else.

import { ResponseError, fetchJson } from "./api.js";

const dialog = document.getElementById("token-dialog");
const form = document.getElementById("token-form");
const field = document.getElementById("token");
const problem = document.getElementById("token-problem");
const advice = document.getElementById("token-advice");
const button = document.getElementById("access");

let token = null;
let isConfigured = true;
let pendingRequests = [];
// Incremented by each submission and when the dialog closes: responses to earlier submissions are discarded.
let latestRequest = 0;
const listeners = [];

// Returns the token, or null until a valid one was entered.
export function currentToken() {
  return token;
}

// Calls `listener` whenever the token is entered or forgotten.
export function onTokenChange(listener) {
  listeners.push(listener);
}

// Sets whether the service has an admin token at all.
export function setConfigured(isTokenSet) {
  isConfigured = isTokenSet;
  form.hidden = !isTokenSet;
  advice.hidden = isTokenSet;
}

export function isTokenConfigured() {
  return isConfigured;
}

// Returns the token, prompting for it if necessary; null if the prompt was cancelled.
export function requestToken() {
  if (token !== null) return Promise.resolve(token);
  if (!dialog.open) dialog.showModal();
  return new Promise((resolve) => pendingRequests.push(resolve));
}

// Forgets the token, because the service rejects it or the user is done.
export function forgetToken() {
  token = null;
  notifyListeners();
}

function notifyListeners() {
  button.textContent = token === null ? "Enter the admin token" : "Forget the admin token";
  listeners.forEach((listener) => listener());
}

function showProblem(text) {
  problem.textContent = text;
  problem.hidden = text === "";
}

async function submit(event) {
  event.preventDefault();
  const entered = field.value.trim();
  latestRequest += 1;
  const requestId = latestRequest;
  try {
    await fetchJson("signatures/recent", { token: entered });
  } catch (error) {
    if (requestId !== latestRequest) return;
    const isInvalid = error instanceof ResponseError && (error.status === 401 || error.status === 403);
    showProblem(isInvalid ? "Invalid token." : error.message);
    field.select();
    return;
  }
  if (requestId !== latestRequest) return;
  token = entered;
  dialog.close();
  notifyListeners();
}

function resolveRequests() {
  latestRequest += 1;
  field.value = "";
  showProblem("");
  const resolved = pendingRequests;
  pendingRequests = [];
  resolved.forEach((resolve) => resolve(token));
}

form.addEventListener("submit", submit);
dialog.addEventListener("close", resolveRequests);
dialog.querySelectorAll(".close").forEach((close) => close.addEventListener("click", () => dialog.close()));
button.addEventListener("click", () => (token === null ? requestToken() : forgetToken()));
