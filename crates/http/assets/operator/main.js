// The operator's page: asks again every few seconds, and says so when nobody answers.

import { learnConfigured, onAccess } from "./access.js";
import { Refusal, Silence, ask } from "./api.js";
import { offerPairs, refreshCurve, watchChoices } from "./curve.js";
import { showLevels } from "./levels.js";
import { doubtPools, showPools } from "./pools.js";
import { refreshSignatures } from "./signatures.js";

const REFRESH_MS = 3_000;
const standing = document.getElementById("standing");
const outage = document.getElementById("outage");
const unready = document.getElementById("unready");
const heading = document.querySelector("header h1");

let answeredAt = null;
let timer = null;
let round = 0;

// One round of questions. What a later round has shown, an earlier one does not undo.
async function refresh() {
  round += 1;
  const mine = round;
  clearTimeout(timer);
  try {
    const overview = await ask("overview");
    if (mine !== round) return;
    learnConfigured(overview.admin_token_configured);
    introduce(overview);
    showPools(overview, refresh);
    offerPairs(overview);
    showLevels(overview.levels);
    await Promise.all([refreshCurve(), refreshSignatures()]);
    answered();
  } catch (error) {
    failed(error);
  }
  if (mine === round) timer = setTimeout(refresh, REFRESH_MS);
}

// The service by its name, and why it does not answer clients, if it does not.
function introduce({ service_name: name, ready: isReady, reasons }) {
  document.title = `${name}, for its operator`;
  heading.textContent = name;
  const text = isReady ? "" : `Not ready, so nothing is quoted or signed: ${reasons.join("; ")}.`;
  if (unready.textContent !== text) unready.textContent = text;
  unready.hidden = isReady;
}

function answered() {
  answeredAt = new Date();
  standing.textContent = `As of ${clock(answeredAt)}, asked again every ${REFRESH_MS / 1_000} s`;
  outage.hidden = true;
  document.body.classList.remove("old");
}

function failed(error) {
  const what = error instanceof Silence ? error.message
    : error instanceof Refusal ? `The service refuses: ${error.message}.` : "This page made a mistake; its console says which.";
  if (!(error instanceof Silence || error instanceof Refusal)) console.error(error);
  const since = answeredAt === null ? "Nothing is known yet." : `What is shown is of ${clock(answeredAt)}.`;
  const text = `${what} ${since}`;
  if (outage.textContent !== text) outage.textContent = text;
  outage.hidden = false;
  standing.textContent = "Nothing new";
  document.body.classList.add("old");
  doubtPools();
}

function clock(time) {
  return time.toLocaleTimeString("en-GB");
}

// A page that nobody looks at asks nothing.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    round += 1;
    clearTimeout(timer);
  } else {
    refresh();
  }
});
onAccess(() => refreshSignatures().catch(failed));
watchChoices(failed);
refresh();
