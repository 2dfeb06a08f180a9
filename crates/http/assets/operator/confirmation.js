// Asks for confirmation of an action that must not happen by accident.

const dialog = document.getElementById("confirmation");
const question = document.getElementById("confirmation-question");
const yes = dialog.querySelector(".yes");

// Whether the user confirms `text`, with a button labelled `label`. Only one confirmation is open at a time.
export function confirmAction(text, label) {
  question.textContent = text;
  yes.textContent = label;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

yes.addEventListener("click", () => dialog.close("yes"));
dialog.querySelector(".close").addEventListener("click", () => dialog.close(""));
