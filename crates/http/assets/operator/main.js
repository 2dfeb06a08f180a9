// The operator's page: refreshes every few seconds, and reports when the service does not respond.

import { onTokenChange, setConfigured } from "./access.js";
import { ResponseError, Unreachable, fetchJson } from "./api.js";
import { refreshCurve, setPools, watchSelection } from "./curve.js";
import { showLevels } from "./levels.js";
import { refreshMoney, watchDay } from "./money.js";
import { markPoolsStale, showPools } from "./pools.js";
import { refreshSignatures } from "./signatures.js";

const REFRESH_MS = 3_000;
const status = document.getElementById("refresh-status");
const outage = document.getElementById("outage");
const unready = document.getElementById("unready");
const rejectedFiles = document.getElementById("rejected");
const replicaName = document.getElementById("replica");
const heading = document.querySelector("header h1");

let refreshedAt = null;
let timer = null;
let latestRequest = 0;

// Refreshes the whole page. Responses to an earlier refresh are discarded.
async function refresh() {
  latestRequest += 1;
  const requestId = latestRequest;
  clearTimeout(timer);
  try {
    const overview = await fetchJson("overview");
    if (requestId !== latestRequest) return;
    setConfigured(overview.admin_token_configured);
    showService(overview);
    showPools(overview, refresh);
    setPools(overview);
    showLevels(overview.levels);
    await Promise.all([refreshCurve(), refreshSignatures()]);
    refreshMoney().catch(showFailure);
    markFresh();
  } catch (error) {
    showFailure(error);
  }
  if (requestId === latestRequest) timer = setTimeout(refresh, REFRESH_MS);
}

// Shows the name of the service and the replica, why it is not ready, and which files are not in effect.
function showService({ service_name: name, replica, version, ready: isReady, reasons, rejected_files: rejected }) {
  document.title = `${name} operator page`;
  heading.textContent = name;
  replicaName.textContent = replica === null ? version : `${replica}, ${version}`;
  alertOf(unready, isReady ? "" : `Not ready, so nothing is quoted or signed: ${reasons.join("; ")}.`);
  const files = rejected.join("; ");
  alertOf(rejectedFiles, files === "" ? "" : `Changed files are not in effect, the previous version stays active: ${files}.`);
}

// Shows a text in the place of an alert, or hides it. An unchanged text is not announced again.
function alertOf(place, text) {
  if (place.textContent !== text) place.textContent = text;
  place.hidden = text === "";
}

function markFresh() {
  refreshedAt = new Date();
  status.textContent = `As of ${clock(refreshedAt)}, refreshes every ${REFRESH_MS / 1_000} s`;
  outage.hidden = true;
  document.body.classList.remove("stale");
}

function showFailure(error) {
  const message = error instanceof Unreachable ? error.message
    : error instanceof ResponseError ? `The service returned an error: ${error.message}.` : "Internal page error, see the console.";
  if (!(error instanceof Unreachable || error instanceof ResponseError)) console.error(error);
  const since = refreshedAt === null ? "No data yet." : `Data as of ${clock(refreshedAt)}.`;
  const text = `${message} ${since}`;
  if (outage.textContent !== text) outage.textContent = text;
  outage.hidden = false;
  status.textContent = "Not updated";
  document.body.classList.add("stale");
  markPoolsStale();
}

function clock(time) {
  return time.toLocaleTimeString("en-GB");
}

// A hidden page sends no requests.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    latestRequest += 1;
    clearTimeout(timer);
  } else {
    refresh();
  }
});
onTokenChange(() => {
  refreshSignatures().catch(showFailure);
  refreshMoney().catch(showFailure);
});
watchDay(showFailure);
watchSelection(showFailure);
refresh();
