// Asks for confirmation of an action that must not happen by accident.

const dialog = document.getElementById("confirmation");
const question = document.getElementById("confirmation-question");
const yes = dialog.querySelector(".yes");

const reason = document.getElementById("confirmation-reason");

// The reason with which the user confirms `text`, with a button labelled `label`; null if that was cancelled. The reason may
// be empty unless it `isRequired`. Only one confirmation is open at a time.
export function confirmAction(text, label, isRequired) {
  question.textContent = text;
  yes.textContent = label;
  reason.value = "";
  reason.required = isRequired;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes" ? reason.value : null), { once: true });
  });
}

yes.addEventListener("click", () => {
  if (reason.reportValidity()) dialog.close("yes");
});
dialog.querySelector(".close").addEventListener("click", () => dialog.close(""));
